import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseColumns, missingFields } from '../../src/collectors/gpu/fields.ts';
import { createGpuParser } from '../../src/collectors/gpu/parse.ts';
import { isBroken } from '../../src/doctor/check.ts';
import { judge } from '../../src/doctor/judge.ts';
import type { GpusSample } from '../../src/model/samples.ts';
import { listedFields } from '../collectors/gpu/read.ts';
import { madeContext } from '../collectors/made-context.ts';
import { checkOf, facts, factsOf, findingsOf, lookOf, source, stateOf, type Part } from './made.ts';

const captured = readFileSync(new URL('../fixtures/gpu/stream-h200.txt', import.meta.url), 'utf8');

/** The last frame of a captured stream, after a change of its text. */
function gpus(change = (text: string) => text): Part {
  const parser = createGpuParser(madeContext(), chooseColumns(listedFields));
  const samples = change(captured)
    .split('\n')
    .flatMap((line) => parser.push(line, 1_000_000, line.length + 1));
  const frames = [...samples, ...(parser.quiet?.(1_000_000) ?? [])].filter((sample) => sample.kind === 'gpus');
  return frames.at(-1) as GpusSample;
}

const h200 = factsOf('h200');
const onH200 = (change?: (text: string) => string) => ({
  state: stateOf([facts(h200), source('gpu', 'live'), gpus(change)]),
});
const without = (nvidiaMissing: string, gpu: Partial<ReturnType<typeof lookOf>['gpu']> = {}) => {
  const look = lookOf('debian-12');
  return {
    state: stateOf([facts({ ...factsOf('debian-12'), nvidiaMissing }), source('gpu', 'off', nvidiaMissing)]),
    look: { ...look, gpu: { ...look.gpu, ...gpu } },
  };
};
const notOnPath = 'nvidia-smi is not on the PATH of this host: no GPU is shown';

describe('GPUs that work', () => {
  test('are told with driver, fields, MIG and persistence mode', () => {
    expect(checkOf('gpu', onH200())).toMatchObject({ status: 'ok', found: 'NVIDIA 580.159.04, 2 GPUs', needed: true });
    expect(checkOf('gpu.values', onH200())).toMatchObject({ status: 'ok' });
    expect(checkOf('gpu.fields', onH200())).toMatchObject({ status: 'ok' });
    expect(checkOf('gpu.mig', onH200())).toMatchObject({ status: 'ok', found: 'off' });
    expect(checkOf('gpu.persistence', onH200())).toMatchObject({ status: 'ok', found: 'on' });
  });

  test('without persistence mode are to be mended', () => {
    const off = onH200((text) => text.replaceAll('Disabled, Enabled, None', 'Disabled, Disabled, None'));
    expect(checkOf('gpu.persistence', off)).toMatchObject({
      status: 'warn',
      found: 'off (GPU 0)',
      mend: expect.stringContaining('nvidia-smi -pm 1'),
    });
  });

  test('whose MIG mode nobody told are not said to have it off', () => {
    const { mig: _, ...frame } = gpus() as GpusSample;
    const state = stateOf([facts(h200), source('gpu', 'live'), frame]);
    expect(checkOf('gpu.mig', { state })).toMatchObject({ status: 'unknown', found: 'the driver does not tell' });
  });

  test('in MIG mode have no utilization', () => {
    const mig = onH200((text) => text.replaceAll('Disabled, Enabled, None', 'Enabled, Enabled, None'));
    expect(checkOf('gpu.mig', mig)).toMatchObject({
      status: 'note',
      found: 'on (GPU 0)',
      why: expect.stringMatching(/utilization/),
    });
  });

  test('of an old driver lack fields, which are named', () => {
    const old = listedFields.filter(
      (name) => !/^(clocks_event_reasons|gpu_recovery_action|temperature\.memory)/.test(name),
    );
    expect(missingFields(listedFields)).toEqual([]);
    const missingGpuFields = missingFields(old);
    expect(missingGpuFields).toEqual(['temperature.memory', 'gpu_recovery_action']);
    expect(checkOf('gpu.fields', { ...onH200(), missingGpuFields })).toMatchObject({
      status: 'note',
      found: 'without temperature.memory, gpu_recovery_action',
    });
  });
});

describe('GPUs that do not', () => {
  test.each([
    ['no sign of one', without(notOnPath), 'note', false],
    ['a card without a driver', without(notOnPath, { pci: 1 }), 'note', false],
    ['devices, and no nvidia-smi', without(notOnPath, { devices: ['/dev/nvidia0'] }), 'missing', true],
    ['a driver, and no nvidia-smi', without(notOnPath, { driver: 'NVRM 580' }), 'missing', true],
    ['an nvidia-smi that hangs', without('nvidia-smi gave no answer in 20 s: the driver may hang'), 'failed', true],
    ['an nvidia-smi that fails', without('The NVIDIA driver is not loaded on this host: ...'), 'failed', true],
  ])('%s', (_, more, status, needed) => {
    expect(checkOf('gpu', more)).toMatchObject({ status, needed });
    expect(judge(findingsOf(more)).some(isBroken)).toBe(needed);
  });

  test('a stream that fails after the probe is a needed part that fails', () => {
    const state = stateOf([facts(h200), source('gpu', 'failed', 'GPU 0 is lost')]);
    expect(judge(findingsOf({ state })).filter(isBroken)).toMatchObject([{ id: 'gpu.values', why: 'GPU 0 is lost' }]);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Plan } from '../../../src/collectors/collector.ts';
import { gpuCollector } from '../../../src/collectors/gpu/index.ts';
import { createPlanRunner } from '../../../src/collectors/plan-runner.ts';
import { probeHost } from '../../../src/collectors/probe.ts';
import { createSourceStates } from '../../../src/collectors/source-states.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import type { GpusSample, Sample } from '../../../src/model/samples.ts';
import { describeWith } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { createFakeGpus, type FakeGpus } from './fake.ts';
import { contextOf, gpusOf, processesOf } from './read.ts';

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function fakeHost(gpus: number, mode = 'ok', shell?: string): FakeGpus {
  const fake = createFakeGpus(gpus, shell);
  fake.mode(mode);
  cleanUps.push(fake.remove);
  return fake;
}

/** Runs the collector's plan against the fake, as the runner does. */
function watch(fake: FakeGpus, gpuCount: number) {
  const samples: Sample[] = [];
  const context = { ...contextOf(gpuCount), options: { intervalMs: 100, threads: 'proc' as const, logs: [] } };
  const transport = createLocalTransport(fake.wrap);
  const onSample = (sample: Sample) => void samples.push(sample);
  const states = createSourceStates({ host: 'local', clock: systemClock, onSample });
  const [plan] = gpuCollector.plans(context);
  const runner = createPlanRunner({
    plan: plan as Plan,
    transport,
    clock: systemClock,
    states,
    context: () => context,
    onSample,
  });
  cleanUps.push(async () => {
    runner.stop();
    states.stop();
    await transport.close();
  });
  return {
    samples,
    frame: (what: string, fits: (frame: GpusSample) => boolean) =>
      waitFor(what, () => gpusOf(samples).find((sample) => fits(sample))),
    failure: () => waitFor('a failure', () => samples.find((s) => s.kind === 'source' && s.status === 'failed')),
  };
}

describe('the GPU stream', () => {
  it.each([2, 8])('gives a frame a round for %d GPUs', async (count) => {
    const { samples, frame } = watch(fakeHost(count), count);
    await waitFor('three frames', () => gpusOf(samples).length >= 3);
    const { index, utilizationPercent, throttleReasons, smClockMaxMhz, time } = await frame(
      'all columns',
      (sample) => sample.smClockMaxMhz !== undefined,
    );
    expect(index).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(utilizationPercent).toEqual(index.map((i) => 60 + i));
    expect(throttleReasons?.[0]).toEqual(['power cap']);
    expect(smClockMaxMhz).toEqual(index.map(() => 1980));
    expect(Math.abs(time - Date.now())).toBeLessThan(15_000);
    expect(gpusOf(samples).every((sample) => sample.index.length === count && sample.faults === undefined)).toBe(true);
  });

  it.each([
    ['na', { powerWatts: [null, null], pstate: [null, null], throttleReasons: [null, null] }],
    ['unknown 1', { powerWatts: [561.9, null], faults: [null, 'Unknown Error'] }],
    ['reset 0', { utilizationPercent: [null, 61], faults: ['GPU requires reset', null] }],
    ['err', { fanPercent: [null, null], faults: ['ERR!', 'ERR!'] }],
  ])('bears `%s`', async (mode, expected) => {
    const { frame } = watch(fakeHost(2, mode), 2);
    expect(await frame(mode, (sample) => sample.smClockMaxMhz !== undefined)).toMatchObject({
      index: [0, 1],
      ...expected,
    });
  });

  it('bears rows that come in halves: one that another stream has written into is lost, never wrong', async () => {
    const { samples, frame } = watch(fakeHost(2, 'half'), 2);
    const whole = { index: [0, 1], utilizationPercent: [60, 61], temperatureCelsius: [59, 59] };
    expect(await frame('both rows', ({ index }) => index.length === 2)).toMatchObject(whole);
    for (const { index, utilizationPercent, uuid } of gpusOf(samples)) {
      expect(utilizationPercent).toEqual(index.map((i) => 60 + i));
      expect(uuid).toEqual(index.map((i) => expect.stringMatching(`^GPU-0000000${i}-1111-2222-3333-444444444444$`)));
    }
  });

  it('shows the healthy GPUs when one is lost from the start', async () => {
    const { frame } = watch(fakeHost(3, 'lost 1'), 2);
    const { uuid, faults } = await frame('three rows', (sample) => sample.index.length === 3);
    expect(uuid[1]).toBe('index:1');
    expect(faults).toEqual([null, expect.stringMatching(/^GPU is lost/), null]);
  });

  it('goes on with the healthy GPUs when one is lost on the way, and knows it by its UUID', async () => {
    const fake = fakeHost(2);
    const { frame } = watch(fake, 2);
    await frame('a whole frame', (sample) => sample.index.length === 2);
    fake.mode('lost 1');
    const { uuid, utilizationPercent, faults } = await frame('a fault', (sample) => sample.faults !== undefined);
    expect(uuid).toEqual([expect.stringMatching(/^GPU-00000000/), expect.stringMatching(/^GPU-00000001/)]);
    expect(utilizationPercent).toEqual([60, null]);
    expect(faults?.[1]).toMatch(/^GPU is lost/);
  });

  it('says why nvidia-smi does not start, and comes back when it does', async () => {
    const fake = fakeHost(2, 'nvml Driver/library version mismatch');
    const { failure, frame } = watch(fake, 2);
    expect(await failure()).toMatchObject({ source: 'gpu', reason: expect.stringMatching(/driver was updated/) });
    fake.mode('ok');
    await frame('a frame', () => true);
  });

  it('says it when nvidia-smi vanishes on the way', async () => {
    const fake = fakeHost(2);
    const { failure, frame } = watch(fake, 2);
    await frame('a frame', () => true);
    fake.mode('nvml Unknown Error');
    expect(await failure()).toMatchObject({ reason: expect.stringMatching(/container has lost its GPU devices/) });
  });

  it('gives the processes beside the frames', async () => {
    const fake = fakeHost(1);
    fake.apps('GPU-00000000-1111-2222-3333-444444444444, 572, 3592, python3, with, commas\n');
    const { samples } = watch(fake, 1);
    const sample = await waitFor('processes', () => processesOf(samples)[0]);
    expect(sample).toMatchObject({ source: 'gpu', pid: [572], name: ['python3, with, commas'] });
  });

  it('has readings in between and the counters of GPM beside the frames, after one GPU was lost too', async () => {
    const fake = fakeHost(2);
    fake.gpm();
    const { frame } = watch(fake, 2);
    const both = { smActivePercent: [40, 41], tensorActivePercent: [36, 36], nvlinkRxBytesPerSecond: [0, 0] };
    expect(await frame('GPM', (sample) => sample.smActivePercent !== undefined)).toMatchObject(both);
    const isRead = ({ utilizationReadings = [] }: GpusSample) => utilizationReadings.every((each) => each !== null);
    const { utilizationReadings } = await frame(
      'readings',
      (sample) => sample.utilizationReadings !== undefined && isRead(sample),
    );
    expect(utilizationReadings?.map((each) => new Set(each))).toEqual([new Set([60]), new Set([61])]);
    const lostFrom = Date.now();
    fake.mode('lost 1');
    expect(
      await frame('readings of one', ({ faults, utilizationReadings: of }) => Boolean(faults && of?.[0])),
    ).toMatchObject({ utilizationReadings: [expect.arrayContaining([60]), null] });
    expect(await frame('counters of one', ({ countersTime: [at] = [] }) => (at ?? 0) > lostFrom + 200)).toMatchObject({
      smActivePercent: [40, null],
    });
  });

  it('says nothing of GPM where there is none, and nothing is rejected', async () => {
    const { samples, frame } = watch(fakeHost(2), 2);
    await waitFor('readings', () => gpusOf(samples).filter((sample) => sample.utilizationReadings).length >= 5);
    expect(await frame('all', () => true)).not.toHaveProperty('smActivePercent');
    expect(samples.filter((sample) => sample.kind === 'source' && sample.status === 'failed')).toEqual([]);
  });

  it('is off where there is no driver', () => {
    const { nvidia: _, ...facts } = contextOf(1).facts;
    const why = 'nvidia-smi is not on the PATH of this host: no GPU is shown';
    expect(gpuCollector.plans({ ...contextOf(1), facts: { ...facts, nvidiaMissing: why } })).toEqual([
      { source: 'gpu', off: why },
    ]);
  });
});

describeWith(['busybox', 'bash'], 'the GPU stream under other shells', () => {
  // The transport adds `sh -s`: busybox takes it for its applet, bash for arguments of the script that it reads.
  it.each(['busybox', 'bash -s'])('gives rows, processes and a lost GPU under `%s`', async (shell) => {
    const fake = fakeHost(3, 'lost 1', shell);
    fake.apps('GPU-00000000-1111-2222-3333-444444444444, 572, 3592, a \\n b\n');
    const { samples, frame } = watch(fake, 3);
    const { utilizationPercent } = await frame('three rows', (sample) => sample.index.length === 3);
    expect(utilizationPercent).toEqual([60, null, 62]);
    const { name } = await waitFor('processes', () => processesOf(samples)[0]);
    expect(name).toEqual(['a \\n b']);
  });
});

describe('the probe of a host with GPUs', () => {
  const probe = (fake: FakeGpus) =>
    probeHost({ transport: createLocalTransport(fake.wrap), clock: systemClock, options: contextOf(1).options });

  it('counts them and lists every name of every field', async () => {
    const { nvidia } = await probe(fakeHost(2));
    expect(nvidia).toEqual(
      contextOf(2, { nvidia: { ...contextOf(2).facts.nvidia!, driverVersion: '580.159.04' } }).facts.nvidia,
    );
  });

  it('counts the healthy ones when one is lost', async () => {
    expect((await probe(fakeHost(3, 'lost 2'))).nvidia).toMatchObject({ gpuCount: 2 });
  });

  it('says why there is none', async () => {
    expect((await probe(fakeHost(0))).nvidiaMissing).toMatch(/finds no GPU/);
  });
});

import { readFileSync } from 'node:fs';
import type { Context } from '../../../src/collectors/collector.ts';
import { chooseColumns, type Column, type FieldId } from '../../../src/collectors/gpu/fields.ts';
import type { HostFacts } from '../../../src/model/facts.ts';
import type { GpuProcessesSample, GpusSample, Sample } from '../../../src/model/samples.ts';
import { factsOf, madeContext } from '../made-context.ts';

/** Text of test/fixtures/gpu/NAME. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/gpu/${name}`, import.meta.url), 'utf8');
}

/** All names of fields that the driver 580 lists. */
export const listedFields = fixture('help-query-gpu.txt')
  .split('\n')
  .filter((line) => /^"[\w.]+"( or "[\w.]+")* *$/.test(line))
  .flatMap((line) => line.replaceAll('"', '').trim().split(' or '));

/** The columns of a captured query, by what they are for us. */
export function columnsOf(...ids: readonly FieldId[]): readonly Column[] {
  const all = chooseColumns(listedFields);
  return ids.map((id) => all.find((column) => column.id === id) ?? { id, name: id });
}

/** A host with GPUs. */
export function contextOf(gpuCount: number, more: Partial<HostFacts> = {}): Context {
  return madeContext({ facts: factsOf({ nvidia: { fields: listedFields, gpuCount }, ...more }) });
}

export function gpusOf(samples: readonly Sample[]): readonly GpusSample[] {
  return samples.filter((sample) => sample.kind === 'gpus');
}

export function processesOf(samples: readonly Sample[]): readonly GpuProcessesSample[] {
  return samples.filter((sample) => sample.kind === 'gpuProcesses');
}

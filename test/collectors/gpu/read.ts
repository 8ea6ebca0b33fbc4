import { readFileSync } from 'node:fs';
import type { Context, Parser } from '../../../src/collectors/collector.ts';
import { chooseColumns, type Column, type FieldId } from '../../../src/collectors/gpu/fields.ts';
import { createLineSplitter } from '../../../src/collectors/lines.ts';
import type { HostFacts } from '../../../src/model/facts.ts';
import type { GpuProcessesSample, GpusSample, Sample } from '../../../src/model/samples.ts';

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
  return {
    host: 'node-0',
    facts: {
      hostname: 'node-0',
      user: 'root',
      uid: 0,
      clockTicks: 100,
      pageSize: 4096,
      cores: 32,
      bootTime: 1_000_000,
      clockOffsetMs: 0,
      utcOffsetMinutes: 0,
      tailFollows: true,
      nvidia: { fields: listedFields, gpuCount },
      ...more,
    },
    run: undefined,
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    shellPids: [],
  };
}

/** All Samples of the bytes, given in two chunks and followed by a pause. */
export function samplesOf(parser: Parser, bytes: Buffer, cut: number, receivedAt: number) {
  const splitter = createLineSplitter();
  const samples: Sample[] = [];
  for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
    for (const line of splitter.push(chunk)) samples.push(...parser.push(line.text, receivedAt, line.bytes));
  }
  samples.push(...(parser.quiet?.(receivedAt) ?? []));
  return { samples, rejected: parser.rejected };
}

export function gpusOf(samples: readonly Sample[]): readonly GpusSample[] {
  return samples.filter((sample) => sample.kind === 'gpus');
}

export function processesOf(samples: readonly Sample[]): readonly GpuProcessesSample[] {
  return samples.filter((sample) => sample.kind === 'gpuProcesses');
}

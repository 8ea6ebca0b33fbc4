import type { Context, Parser } from '../../src/collectors/collector.ts';
import { createLineSplitter } from '../../src/collectors/lines.ts';
import type { HostFacts } from '../../src/model/facts.ts';
import type { Sample } from '../../src/model/samples.ts';

/** A host that booted at 1 000 000 and has only what no probe can miss; `more` adds the rest. */
export function factsOf(more: Partial<HostFacts> = {}): HostFacts {
  return {
    hostname: 'node-0',
    user: 'root',
    uid: 0,
    clockTicks: 100,
    pageSize: 4096,
    cores: 2,
    bootTime: 1_000_000,
    clockOffsetMs: 0,
    utcOffsetMinutes: 0,
    tailFollows: true,
    ...more,
  };
}

/** That host, without a run, read with the default options. */
export function madeContext(more: Partial<Context> = {}): Context {
  return {
    host: 'node-0',
    facts: factsOf(),
    run: undefined,
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    shellPids: [],
    ...more,
  };
}

/** All Samples of the bytes, given in two chunks and followed by a pause. */
export function readSamples(parser: Parser, bytes: Buffer, cut: number, receivedAt: number) {
  const splitter = createLineSplitter();
  const samples: Sample[] = [];
  for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
    for (const line of splitter.push(chunk)) samples.push(...parser.push(line.text, receivedAt, line.bytes));
  }
  samples.push(...(parser.quiet?.(receivedAt) ?? []));
  return { samples, rejected: parser.rejected };
}

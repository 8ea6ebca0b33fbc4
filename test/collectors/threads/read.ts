import { readFileSync } from 'node:fs';
import { createLineSplitter } from '../../../src/collectors/lines.ts';
import type { Context, Parser } from '../../../src/collectors/collector.ts';
import type { HostFacts } from '../../../src/model/facts.ts';
import type { Sample } from '../../../src/model/samples.ts';

/** Bytes of test/fixtures/threads/NAME. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/threads/${name}`, import.meta.url));
}

/** All Samples of the bytes, given in two chunks; `quiet` follows the last. */
export function samplesOf(parser: Parser, bytes: Buffer, cut = 0): { samples: Sample[]; rejected: number } {
  const splitter = createLineSplitter();
  const samples: Sample[] = [];
  for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
    for (const line of splitter.push(chunk)) samples.push(...parser.push(line.text, 1000, line.bytes));
  }
  samples.push(...(parser.quiet?.(1000) ?? []));
  return { samples, rejected: parser.rejected };
}

/** A Debian 12 host's facts, booted at 1 000 000. */
export function facts(more: Partial<HostFacts> = {}): HostFacts {
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
    awk: 'mawk',
    top: { flavour: 'procps', version: '4.0.2', leaderRowIsTotal: true },
    pidstatVersion: '12.6.1',
    tailFollows: true,
    ...more,
  };
}

/** A context whose run has these processes. */
export function contextOf(pids: readonly number[], more: Partial<Context> = {}): Context {
  const processes = pids.map((pid) => ({ pid, parentPid: 1, commandLine: [], gpuMinors: [] }));
  return {
    host: 'node-0',
    facts: facts(),
    run: pids.length === 0 ? undefined : { id: `${pids[0]}:1`, rootPid: pids[0] ?? 0, processes, outputs: [] },
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    shellPids: [],
    ...more,
  };
}

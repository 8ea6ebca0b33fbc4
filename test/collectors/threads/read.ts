import { readFileSync } from 'node:fs';
import type { Context, Parser } from '../../../src/collectors/collector.ts';
import type { HostFacts } from '../../../src/model/facts.ts';
import type { Sample } from '../../../src/model/samples.ts';
import { factsOf, madeContext, readSamples } from '../made-context.ts';

/** Bytes of test/fixtures/threads/NAME. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/threads/${name}`, import.meta.url));
}

/** All Samples of the bytes, given in two chunks; `quiet` follows the last. */
export function samplesOf(parser: Parser, bytes: Buffer, cut = 0): { samples: Sample[]; rejected: number } {
  return readSamples(parser, bytes, cut, 1000);
}

/** A Debian 12 host's facts. */
export function facts(more: Partial<HostFacts> = {}): HostFacts {
  const top = { flavour: 'procps', version: '4.0.2', leaderRowIsTotal: true } as const;
  return factsOf({ awk: 'mawk', top, pidstatVersion: '12.6.1', ...more });
}

/** A context whose run has these processes. */
export function contextOf(pids: readonly number[], more: Partial<Context> = {}): Context {
  const processes = pids.map((pid) => ({ pid, parentPid: 1, commandLine: [], gpuMinors: [] }));
  const run = { id: `${pids[0]}:1`, rootPid: pids[0] ?? 0, processes, outputs: [] };
  return madeContext({ facts: facts(), run: pids.length === 0 ? undefined : run, ...more });
}

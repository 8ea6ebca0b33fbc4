import { readFileSync } from 'node:fs';
import { createManualClock } from '../../src/clock.ts';
import { readFacts } from '../../src/collectors/probe.ts';
import type { Check } from '../../src/doctor/check.ts';
import type { Findings } from '../../src/doctor/findings.ts';
import { judge } from '../../src/doctor/judge.ts';
import { readLook } from '../../src/doctor/look.ts';
import type { HostFacts } from '../../src/model/facts.ts';
import type { Run, RunProcess } from '../../src/model/run.ts';
import type { Sample, SourceStatus } from '../../src/model/samples.ts';
import { createStore, type State } from '../../src/model/store.ts';

const fixture = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');

/** What the probe of a captured host says (test/fixtures/host). */
export function factsOf(name: string): HostFacts {
  const text = fixture(`host/probe-${name}.txt`);
  const at = Number(/^clock \S+ (\d+)/.exec(text)?.[1]) * 1000;
  return readFacts(text, { sentAt: at - 50, receivedAt: at + 50 });
}

/** What doctor's own script said on a captured host (test/fixtures/doctor). */
export const lookOf = (name: string) => readLook(fixture(`doctor/${name}.txt`));

const at = { host: 'node-0', time: 1_000_000, receivedAt: 1_000_000 };

/** A Sample without its head. */
export type Part = Sample extends infer S
  ? S extends Sample
    ? Omit<S, 'host' | 'time' | 'receivedAt'>
    : never
  : never;

/** The state after these Samples. */
export function stateOf(parts: readonly Part[]): State {
  const clock = createManualClock(at.time);
  const store = createStore(clock, 1000);
  for (const part of parts) store.push({ ...at, ...part } as Sample);
  clock.advance(2000);
  store.stop();
  return store.getState();
}

export const source = (name: string, status: SourceStatus, reason?: string): Part => ({
  kind: 'source',
  source: name,
  status,
  ...(reason !== undefined && { reason }),
});

export const facts = (of: HostFacts): Part => ({ kind: 'facts', source: 'facts', facts: of });

/** A run of one Python process whose output goes to a file. */
export function runOf(
  more: Partial<RunProcess> = {},
  outputs: Run['outputs'] = [{ fd: 1, kind: 'file', path: '/x/t.log' }],
): Run {
  const commandLine = ['python3', 'train.py'];
  return {
    id: '42:7',
    rootPid: 42,
    processes: [{ pid: 42, parentPid: 1, commandLine, gpuMinors: [0], ...more }],
    outputs,
  };
}

export const running = (run: Run, candidates: readonly Run[] = [run]): Part => ({
  kind: 'run',
  source: 'processes',
  phase: 'running',
  run,
  candidates,
});

/** Findings on a host where nothing special was found; `more` is. */
export function findingsOf(more: Partial<Findings> = {}): Findings {
  return {
    target: 'root@gpu7',
    kind: 'ssh',
    options: { intervalMs: 1000, threads: 'proc', logs: [] },
    connection: { seconds: 0.2 },
    state: stateOf([facts(factsOf('debian-12'))]),
    look: lookOf('debian-12'),
    missingGpuFields: [],
    channels: { most: 7, refused: [] },
    audit: { path: '/state/audit.jsonl', written: 9, lost: 0 },
    ...more,
  };
}

/** One check of the judgement; fails when it is not there. */
export function checkOf(id: string, more: Partial<Findings> = {}): Check {
  const found = judge(findingsOf(more)).find((check) => check.id === id);
  if (!found) throw new Error(`there is no check ${id}`);
  return found;
}

import { readFileSync } from 'node:fs';
import type { CaptureSample, ProfileSample, StacksSample } from '../../../src/model/samples.ts';
import { foldResults, type Folded, type FoldedStack, type FoldContext } from '../../../src/model/stacks/fold.ts';
import type { StackFrame, StackThread } from '../../../src/model/stacks.ts';
import { head, start } from '../made.ts';

const fixture = (name: string) => readFileSync(`test/fixtures/stacks/${name}`, 'utf8');

/** `function (file:line)`, or `symbol (lib.so)` of machine code. */
export function frame(text: string): StackFrame {
  const [, name = text, file = '', line] = /^(.*) \(([^():]*)(?::(\d+))?\)$/.exec(text) ?? [];
  return line === undefined ? { function: name, file, native: true } : { function: name, file, line: Number(line) };
}

/** Innermost first, each `function (file:line)`. */
export const frames = (...texts: readonly string[]) => texts.map(frame);

export const thread = (name: string | undefined, tid: number, stack: readonly StackFrame[]): StackThread => ({
  ...(name !== undefined && { name }),
  tid,
  active: false,
  ownsGil: false,
  frames: stack,
});

export const dumpOf = (
  pid: number,
  threads: readonly StackThread[],
  more: Partial<StacksSample> = {},
): StacksSample => ({
  kind: 'stacks',
  ...head(start, 'stacks'),
  pid,
  command: `python train.py --rank ${pid}`,
  threads,
  ...more,
});

/** What py-spy record wrote on the H200: samples of four seconds, 20 a second. */
export function recorded(name: string, more: Partial<ProfileSample> = {}): ProfileSample {
  const threads: { tid: number; name?: string }[] = [];
  const table: StackFrame[] = [];
  const at = <T>(all: T[], item: T) => {
    const known = all.findIndex((each) => JSON.stringify(each) === JSON.stringify(item));
    return known >= 0 ? known : all.push(item) - 1;
  };
  const stacks = fixture(name)
    .trim()
    .split('\n')
    .map((line) => {
      const [, body = '', count] = /^(.*) (\d+)$/.exec(line) ?? [];
      const [owner = '', ...path] = body.split(';');
      const [, tid, threadName] = /^thread \((\d+)\)(?:: (.*))?$/.exec(owner) ?? [];
      return {
        thread: at(threads, { tid: Number(tid), ...(threadName !== undefined && { name: threadName }) }),
        frames: path.map((text) => at(table, frame(text))).reverse(),
        count: Number(count),
      };
    });
  return {
    kind: 'profile',
    ...head(start, 'stacks'),
    capture: 'c',
    what: 'record',
    pid: 1286,
    command: 'python3 -u scenarios.py',
    rate: 20,
    seconds: 4,
    samples: 80,
    errors: 0,
    threads,
    frames: table,
    stacks,
    ...more,
  };
}

/** The threads of a text that `py-spy dump --native` wrote. */
export function nativeThreads(name: string): readonly StackThread[] {
  const threads: (StackThread & { frames: StackFrame[] })[] = [];
  for (const line of fixture(name).split('\n')) {
    const owner = /^Thread (\d+) \((.*)\)(?:: "(.*)")?$/.exec(line);
    if (owner) threads.push({ ...thread(owner[3], Number(owner[1]), []), active: owner[2] !== 'idle', frames: [] });
    else if (line.startsWith('    ')) threads.at(-1)?.frames.push(frame(line.trim()));
  }
  return threads;
}

export const context = (ranks: Readonly<Record<number, number>> = {}): FoldContext => ({
  run: {
    id: '1:1',
    rootPid: 1,
    processes: Object.entries(ranks).map(([pid, rank]) => ({
      pid: Number(pid),
      rank,
      commandLine: ['python', 'train.py', '--lr', '3e-4'],
      gpuMinors: [],
    })),
    outputs: [],
  },
  threadNames: new Map(),
  roleOf: ({ name }) => (name === 'MainThread' ? 'main' : name?.replace(/[-_]?\d+$/, '')),
});

export const folded = (results: Parameters<typeof foldResults>[0], ranks?: Readonly<Record<number, number>>): Folded =>
  foldResults(results, context(ranks));

/** A capture in the one form, of stacks whose classes are given. */
export function foldedOf(stacks: readonly (Partial<FoldedStack> & Pick<FoldedStack, 'frames'>)[]): Folded {
  const all = stacks.map((stack): FoldedStack => ({
    pid: 1 + (stack.rank ?? 0),
    tid: 1 + (stack.rank ?? 0),
    thread: 'MainThread',
    role: 'main',
    count: 1,
    class: 'unknown',
    ...stack,
  }));
  const pids = new Map(all.map(({ pid, rank }) => [pid, rank]));
  return {
    unit: 'dumps',
    samples: 1,
    errors: 0,
    native: false,
    gilOnly: false,
    processes: [...pids].map(([pid, rank]) => ({
      pid,
      ...(rank !== undefined && { rank }),
      command: 'python train.py',
      samples: 1,
      errors: 0,
    })),
    stacks: all,
    count: all.reduce((sum, { count }) => sum + count, 0),
    leftOut: 0,
  };
}

export const captureOf = (more: Partial<CaptureSample> = {}): CaptureSample => ({
  kind: 'capture',
  ...head(start, 'stacks'),
  id: 'c',
  what: 'record',
  state: 'done',
  pids: [1286],
  startedAt: Date.UTC(2026, 10, 30, 9, 15, 2),
  endedAt: Date.UTC(2026, 10, 30, 9, 15, 32),
  plannedMs: 30_000,
  notes: [],
  files: [],
  ...more,
});

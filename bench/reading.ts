import type { CaptureResult, ProfileSample, StacksSample } from '../src/model/samples.ts';
import type { StackFrame } from '../src/model/stacks.ts';
import { diffFolded } from '../src/model/stacks/diff.ts';
import { layoutFlame } from '../src/model/stacks/flame-layout.ts';
import { flameTree } from '../src/model/stacks/flame.ts';
import { foldResults, type Folded } from '../src/model/stacks/fold.ts';
import { groupStacks } from '../src/model/stacks/group.ts';
import { oddRanks } from '../src/model/stacks/odd-ranks.ts';
import { searchStacks } from '../src/model/stacks/search.ts';
import { median, report, say, type Figures } from './figures.ts';

/** A key is answered in 50 ms: what it asks of a capture must take less. */
const targetMs = 50;
const rounds = 21;

/** What a key of the stacks view has to work out, on the largest captures there are. */
export async function measureReading(): Promise<Figures> {
  const dumps = Array.from({ length: 8 }, (_, rank) => dump(rank));
  const record = [profile()];
  return {
    ...measure('8 ranks x 400 threads x 30 frames', dumps),
    ...measure('a record of 5000 stacks x 30 frames', record),
  };
}

function measure(what: string, results: readonly CaptureResult[]): Figures {
  say(`reading: ${what}, the median of ${rounds}`);
  const fold = () =>
    foldResults(results, {
      run: {
        id: '1:1',
        rootPid: 1,
        processes: results.map(({ pid }, rank) => ({ pid, rank, commandLine: ['python', 'train.py'], gpuMinors: [] })),
        outputs: [],
      },
      threadNames: new Map(),
      roleOf: ({ name }) => name?.replace(/-\d+$/, ''),
    });
  const folded = fold();
  const tree = flameTree(folded.stacks);
  const steps: Readonly<Record<string, () => unknown>> = {
    fold,
    'group by role': () => groupStacks(folded, 'role'),
    'group by thread': () => groupStacks(folded, 'thread'),
    'odd ranks': () => oddRanks(folded),
    search: () => searchStacks(folded, 'f7_'),
    'flame tree': () => flameTree(folded.stacks),
    'flame layout, 200 columns': () => layoutFlame(tree, { width: 200 }),
    difference: () => diffFolded(folded, half(folded)),
  };
  const name = results[0]?.kind === 'stacks' ? 'dumps' : 'record';
  return Object.fromEntries(
    Object.entries(steps).map(([step, run]) => {
      const ms = timeOf(run);
      report(step, `${ms.toFixed(1)} ms`, { text: `${targetMs} ms`, met: ms < targetMs });
      return [`${name} ${step} ms`, ms];
    }),
  );
}

/** CPU time, garbage collection on other threads included: other work on the machine is no part of it. */
function timeOf(run: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return median(times);
}

function half(folded: Folded): Folded {
  return { ...folded, stacks: folded.stacks.filter((_, i) => i % 2 === 0) };
}

const head = { host: 'h', source: 'stacks', time: 0, receivedAt: 0, command: 'python train.py' } as const;

/** Threads of eight roles; of each stack the innermost ten frames are one of forty ways. Frames are objects of their own, as from JSON. */
function dump(rank: number): StacksSample {
  const threads = Array.from({ length: 400 }, (_, i) => ({
    name: `role${i % 8}-${i}`,
    tid: 1000 * rank + i,
    active: false,
    ownsGil: i === 0,
    frames: way(i % 8, (i * 7 + rank) % 40),
  }));
  return { kind: 'stacks', ...head, pid: rank + 1, threads };
}

function way(role: number, inner: number): readonly StackFrame[] {
  return Array.from({ length: 30 }, (_, depth) => {
    const of = depth < 10 ? `${role}_${inner}` : String(role);
    return {
      function: `f${of}_${depth}`,
      file: `/usr/lib/python3/dist-packages/package/module_${depth}.py`,
      line: depth + 1,
    };
  });
}

/** All different, as a record of a busy program has them: the further in, the more ways there are. */
function profile(): ProfileSample {
  const depths = 30;
  const stackCount = 5000;
  const ways = 64;
  const frames = Array.from({ length: depths * ways }, (_, i) => ({
    function: `f${i}_`,
    file: `package/module_${i % 90}.py`,
    line: i + 1,
  }));
  const stacks = Array.from({ length: stackCount }, (_, i) => ({
    thread: i % 40,
    frames: Array.from({ length: depths }, (_x, inner) => {
      const way = Math.floor(i / stackCount ** (inner / (depths - 1)));
      return (depths - 1 - inner) * ways + (way % ways);
    }),
    count: 1 + (i % 9),
  }));
  const threads = Array.from({ length: 40 }, (_, i) => ({ tid: i + 1, name: `role${i % 8}-${i}` }));
  const figures = { rate: 20, seconds: 30, samples: 600, errors: 0 };
  return { kind: 'profile', ...head, capture: 'c', what: 'record', pid: 1, ...figures, threads, frames, stacks };
}

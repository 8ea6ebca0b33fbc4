import { gilShares, type GilShare } from '../../classes/gil.ts';
import { roleFinder } from '../../roles/finder.ts';
import type { CaptureResult } from '../../samples.ts';
import { foldResults, type Folded, type FoldedProcess, type FoldedStack } from '../../stacks/fold.ts';
import type { Known } from './gatherer.ts';
import { stacksOf, type FoldedResult } from './stacks-looks.ts';

/** What the captures of late found in the run. */
export interface StackFindings {
  readonly stacks: readonly FoldedStack[];
  /** Those of them that have the frames of libraries. */
  readonly native: readonly FoldedStack[];
  readonly gil: readonly GilShare[];
  /** PIDs that were captured. */
  readonly pids: ReadonlySet<number>;
  /** None of them is of the run: it was repeated for its stacks. */
  readonly isRepeated: boolean;
}

/** A user looks at the captures of one situation within this time; what was before may have been another one. */
const lateMs = 600_000;
/** Captures that follow each other within this time are of one sitting: who takes a new one wants to know what is now. */
const sittingMs = 120_000;
/** Of fewer looks the share of time with the GIL is known to no better than a fifth. */
const leastGilLooks = 20;

/** Those of one sitting, of this run, each folded once. */
export function findingsOf(known: Known, isOwn: (result: CaptureResult) => boolean, now: number): StackFindings {
  const all = known.results.filter((result) => isOwn(result) && now - result.time <= lateMs);
  const newest = all.reduce((time, each) => Math.max(time, each.time), -Infinity);
  const sitting = all.filter(({ time }) => newest - time <= sittingMs);
  const runPids = new Set(known.run?.run?.processes.map(({ pid }) => pid));
  const ofRun = sitting.filter(({ pid }) => runPids.has(pid));
  // The user gave them together with the rest: they are of the same program.
  const isRepeated = ofRun.length === 0;
  const results = isRepeated ? sitting : ofRun;
  const folded = results.map((result) => ({ result, folded: foldOnce(result, known) }));
  const gil = gilOf(folded);
  const looked = folded.filter(({ result }) => !isGil(result));
  const native = looked.filter((each) => each.folded.native);
  return {
    ...{ stacks: stacksOf(looked, gil), native: stacksOf(native, gil), gil },
    pids: new Set(results.map(({ pid }) => pid)),
    isRepeated,
  };
}

/** The newest capture of each process that asked for nothing else; where there is none, all dumps, which say who had it then. */
function gilOf(results: readonly FoldedResult[]): readonly GilShare[] {
  const asked = results.filter(({ result }) => isGil(result));
  if (asked.length > 0) {
    const newest = new Map(asked.toReversed().map(({ result, folded }) => [result.pid, folded]));
    return [...newest.values()].flatMap(gilShares);
  }
  const dumps = results.filter(({ result }) => result.kind === 'stacks' || result.what === 'many');
  const looks = dumps.reduce((all, { folded }) => all + folded.samples, 0);
  if (looks < leastGilLooks) return [];
  const stacks = dumps.flatMap(({ folded }) => folded.stacks);
  return gilShares({ processes: processesOf(dumps), stacks, gilOnly: false }).filter(
    (each) => each.looks >= leastGilLooks,
  );
}

/** Each once, with the looks of all its dumps. */
function processesOf(dumps: readonly FoldedResult[]): readonly FoldedProcess[] {
  const found = new Map<number, FoldedProcess>();
  for (const process of dumps.flatMap(({ folded }) => folded.processes)) {
    const { samples = 0, errors = 0 } = found.get(process.pid) ?? {};
    found.set(process.pid, { ...process, samples: samples + process.samples, errors: errors + process.errors });
  }
  return [...found.values()];
}

function isGil(result: CaptureResult): boolean {
  return result.kind === 'profile' && result.what === 'gil';
}

/** With the names that were known when it came. */
function foldOnce(result: CaptureResult, known: Known): Folded {
  let folded = folds.get(result);
  if (!folded) {
    const { run, threadNames, threads } = known;
    folded = foldResults([result], { run: run?.run, threadNames, threads, roleOf: roleFinder(known) });
    folds.set(result, folded);
  }
  return folded;
}

const folds = new WeakMap<CaptureResult, Folded>();

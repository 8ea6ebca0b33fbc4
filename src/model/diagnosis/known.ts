import type { Sample } from '../samples.ts';
import { emptyState, reduceState, withoutRun, type State } from '../state.ts';

/** These are all that is kept; of logs only what the log's gatherer keeps. */
const kept: ReadonlySet<Sample['kind']> = new Set([
  'run',
  'facts',
  'gpus',
  'gpuProcesses',
  'gpuRoles',
  'processes',
  'threads',
  'waits',
  'stacks',
  'profile',
  'labels',
]);

/** What was learnt, with one more Sample; `isOther` where another run is watched from here on. */
export function learn(state: State, sample: Sample): { readonly state: State; readonly isOther: boolean } {
  if (!kept.has(sample.kind)) return { state, isOther: false };
  const last = state.run?.run;
  const next = sample.kind === 'run' ? sample.run : undefined;
  const isOther = last !== undefined && next !== undefined && last.id !== next.id;
  return { state: reduceState(isOther ? withoutRun(state, { last, next }) : state, sample), isOther };
}

/** Nothing is known. */
export const nothingKnown = (): State => emptyState(0);

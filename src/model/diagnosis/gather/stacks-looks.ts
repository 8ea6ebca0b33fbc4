import { explainClass } from '../../classes/classify.ts';
import type { ClassState } from '../../classes/names.ts';
import type { GilShare } from '../../classes/gil.ts';
import type { CaptureResult, ProfileSample } from '../../samples.ts';
import type { Folded, FoldedStack } from '../../stacks/fold.ts';
import { sum } from '../../stacks/group.ts';
import type { StackFrame } from '../../stacks.ts';

/** A result and its stacks. */
export interface FoldedResult {
  readonly result: CaptureResult;
  readonly folded: Folded;
}

/** Fewer dumps of a thread do not tell whether it works or sleeps. */
const leastDumps = 3;
/** A thread that was at work in fewer of its dumps mostly sleeps. */
const mostlyAsleep = 0.25;
/** Others that had the GIL for more of the time leave no room for one that asks for it now and then. */
const mostlyHeld = 0.5;

/**
 * The stacks of some results that were taken together. A record tells neither whether a thread worked nor who had the GIL: there the dumps
 * and the GIL profile beside it tell, of where it found the thread for most of the time.
 */
export function stacksOf(results: readonly FoldedResult[], gil: readonly GilShare[]): readonly FoldedStack[] {
  const dumped = results.flatMap(({ folded }) => folded.stacks.filter(({ active }) => active !== undefined));
  return results.flatMap(({ result, folded }) =>
    isBlind(result) ? refined(folded.stacks, (stack) => stateOf(stack, dumped, gil)) : folded.stacks,
  );
}

/** A record of which nobody knew more when it was taken. */
function isBlind(result: CaptureResult): result is ProfileSample {
  if (result.kind !== 'profile' || result.what !== 'record') return false;
  return result.threads.every(({ cpuShare, gilShare }) => cpuShare === undefined && gilShare === undefined);
}

function refined(
  stacks: readonly FoldedStack[],
  stateOf: (stack: FoldedStack) => ClassState | undefined,
): readonly FoldedStack[] {
  const counts = new Map<string, number>();
  const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
  for (const stack of stacks) {
    add(ownerOf(stack), stack.count);
    add(placeOf(stack), stack.count);
  }
  return stacks.map((stack) => {
    const isMost = (counts.get(placeOf(stack)) ?? 0) * 2 >= (counts.get(ownerOf(stack)) ?? 0);
    const state = isMost ? stateOf(stack) : undefined;
    return state ? { ...stack, class: explainClass(stack.frames, state).class } : stack;
  });
}

function stateOf(stack: FoldedStack, dumped: readonly FoldedStack[], gil: readonly GilShare[]): ClassState | undefined {
  const owner = ownerOf(stack);
  const own = dumped.filter((each) => ownerOf(each) === owner);
  const dumps = sum(own);
  const active = own.reduce((all, each) => all + (each.active ?? 0), 0) / dumps;
  const held = gil.find(({ pid }) => pid === stack.pid);
  const gilShare = held?.threads.find(({ tid, thread }) => tid === stack.tid && thread === stack.thread)?.share ?? 0;
  const isAsleep = dumps >= leastDumps && active <= mostlyAsleep;
  if (dumps < leastDumps && !held) return undefined;
  return {
    ...(dumps >= leastDumps && { cpuShare: active }),
    ...(held && { gilShare }),
    ...(isAsleep && held && held.share - gilShare >= mostlyHeld && { active: false, gilElsewhere: true }),
  };
}

function ownerOf({ pid, tid, thread }: FoldedStack): string {
  return `${pid}:${tid ?? thread}`;
}

/** A thread and the function that it was in, at any line; code of the run, of which its frames tell nothing, is one place. */
function placeOf(stack: FoldedStack): string {
  if (stack.class === 'unknown') return `${ownerOf(stack)} unknown`;
  const frame = topOf(stack);
  return `${ownerOf(stack)} ${frame?.file} ${frame?.function}`;
}

/** The innermost Python frame. */
function topOf({ frames }: FoldedStack): StackFrame | undefined {
  return frames.find(({ native }) => !native);
}

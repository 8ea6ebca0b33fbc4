import type { StackFrame } from '../stacks.ts';
import { frameKey } from './intern.ts';

/** Where two stacks go apart, from the outermost frame on. */
export interface Parting {
  /** The last frame that both have; absent: not even the outermost. */
  readonly after?: StackFrame;
  /** The next one of this stack; absent: it ends there. */
  readonly here?: StackFrame;
  /** The next one of the other. */
  readonly there?: StackFrame;
}

/** Compares two stacks (innermost frame first). Equal stacks part nowhere: they have neither `here` nor `there`. */
export function partingOf(here: readonly StackFrame[], there: readonly StackFrame[]): Parting {
  let same = 0;
  for (; same < Math.min(here.length, there.length); same++) {
    const [a, b] = [here.at(-1 - same), there.at(-1 - same)];
    if (a !== b && (!a || !b || frameKey(a) !== frameKey(b))) break;
  }
  const [after, mine, other] = [same === 0 ? undefined : here.at(-same), here.at(-1 - same), there.at(-1 - same)];
  return {
    ...(after && { after }),
    ...(mine && same < here.length && { here: mine }),
    ...(other && same < there.length && { there: other }),
  };
}

import type { StackClass } from '../classes/names.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded, FoldedStack } from './fold.ts';
import { groupStacks, shareOf, weightsOf, type ClassShare, type StackGroup } from './group.ts';
import { functionKey } from './intern.ts';
import { weightOf } from './weight.ts';

/** What one role was doing while it was watched. */
export interface RoleDoing {
  readonly role: string;
  readonly threads: number;
  readonly ranks: readonly number[];
  readonly count: number;
  readonly classes: readonly ClassShare[];
  /** The functions that ran or waited: innermost frames, the most frequent first. */
  readonly tops: readonly TopFrame[];
}

/** A function that was innermost. */
export interface TopFrame {
  /** At the line that was seen most; absent: the stack had no frame (a thread that is not Python's). */
  readonly frame?: StackFrame;
  /** The nearest Python frame that called it, where it is one of a library. */
  readonly caller?: StackFrame;
  readonly class: StackClass;
  readonly count: number;
  /** Of the role. */
  readonly share: number;
}

/** What each role was doing, with shares of its counts. */
export function whatRolesDid(folded: Folded): readonly RoleDoing[] {
  return groupStacks(folded, 'role').map(doingOf);
}

function doingOf({ key, threads, ranks, count, classes, stacks }: StackGroup): RoleDoing {
  return { role: key, threads, ranks, count, classes, tops: topFrames(stacks) };
}

/** The innermost functions of some stacks, with shares. Of native stacks the Python function that called is what the user knows. */
function topFrames(stacks: readonly Pick<FoldedStack, 'frames' | 'class' | 'count' | 'weight'>[]): readonly TopFrame[] {
  const total = weightsOf(stacks);
  const tops = new Map<string, { -readonly [K in keyof TopFrame]: TopFrame[K] }>();
  for (const stack of stacks) {
    const { frames, class: of, count } = stack;
    const [frame] = frames;
    const caller = frame?.native ? frames.find(({ native }) => !native) : undefined;
    const key = `${of}\n${frame ? functionKey(frame) : ''}\n${caller ? functionKey(caller) : ''}`;
    const top = tops.get(key) ?? { ...(frame && { frame }), ...(caller && { caller }), class: of, count: 0, share: 0 };
    top.count += count;
    top.share += shareOf(weightOf(stack), total);
    tops.set(key, top);
  }
  return [...tops.values()].sort((a, b) => b.share - a.share);
}

import { textFilter } from '../text-filter.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded, FoldedStack } from './fold.ts';

/**
 * The stacks in which a text is found: in a function, a file, a thread, a role or a class (text-filter.ts). Shares stay those of the
 * whole capture.
 */
export function searchStacks(folded: Folded, text: string): Folded {
  const accepts = textFilter(text);
  if (!accepts) return folded;
  const known = new Map<readonly StackFrame[], readonly string[]>();
  const words = ({ frames, thread, role, class: of, rank }: FoldedStack) => {
    const places = known.get(frames) ?? frames.map(placeOf);
    known.set(frames, places);
    return [thread, role, of, ...(rank === undefined ? [] : [`rank ${rank}`]), ...places];
  };
  return { ...folded, stacks: folded.stacks.filter((stack) => accepts(...words(stack))) };
}

/** Whether a text is found in a frame, to mark it. */
export function frameSearch(text: string): ((frame: StackFrame) => boolean) | undefined {
  const accepts = text.startsWith('!') ? undefined : textFilter(text);
  return accepts && ((frame) => accepts(placeOf(frame)));
}

/** `function (file:line)`, as py-spy writes it. */
export function placeOf({ function: name, file, line }: StackFrame): string {
  return `${name} (${file}${line === undefined ? '' : `:${line}`})`;
}

import { textFilter } from '../text-filter.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded } from './fold.ts';

/**
 * The stacks in which a text is found: in a function, a file, a thread, a role or a class (text-filter.ts). Shares stay those of the
 * whole capture.
 */
export function searchStacks(folded: Folded, text: string): Folded {
  const isNegated = text.startsWith('!');
  const accepts = textFilter(isNegated ? text.slice(1) : text);
  if (!accepts) return folded;
  const inFrame = remembered((frame: StackFrame) => accepts(placeOf(frame)));
  const inFrames = remembered((frames: readonly StackFrame[]) => frames.some(inFrame));
  return {
    ...folded,
    stacks: folded.stacks.filter(
      ({ frames, thread, role, class: of, rank }) =>
        (inFrames(frames) || accepts(thread, role, of, rank === undefined ? '' : `rank ${rank}`)) !== isNegated,
    ),
  };
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

/** Asks once for each object: the same frames are in many stacks. */
export function remembered<K extends object, V>(ask: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = ask(key)));
    return value;
  };
}

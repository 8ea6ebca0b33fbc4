import type { StackFrame } from '../stacks.ts';
import type { Classified, ClassState, StackClass } from './names.ts';

/** The class of a stack (innermost frame first). The user's own functions tell nothing, whatever they are called. */
export function classify(frames: readonly StackFrame[], state: ClassState = {}): StackClass {
  return explainClass(frames, state).class;
}

/** The class of a stack, with the frame and the reason that told it. */
export function explainClass(frames: readonly StackFrame[], state: ClassState = {}): Classified {
  if (frames.length === 0 || !state.ownsGil) return { class: 'unknown', because: 'no frame of it is known' };
  return { class: 'Python', because: 'held the GIL' };
}

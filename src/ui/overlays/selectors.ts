import type { Run } from '../../model/run.ts';
import { inOrder, type TapeEvent } from '../../model/tape.ts';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';

/** The runs of the picker, in its order. */
export function pickerRows(state: State): readonly Run[] {
  return state.run?.candidates ?? [];
}

/** What happened, oldest first: all of a recording, or what has happened so far. */
export function eventRows({ tape, store }: Controls): readonly TapeEvent[] {
  if (tape) return tape.events;
  const { events, alarms } = store.getState();
  return inOrder([...events, ...alarms]);
}

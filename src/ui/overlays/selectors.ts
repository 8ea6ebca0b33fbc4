import type { Run } from '../../model/run.ts';
import type { TapeEvent } from '../../model/tape.ts';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';

/** The runs of the picker, in its order. */
export function pickerRows(state: State): readonly Run[] {
  return state.run?.candidates ?? [];
}

/** What happened, oldest first: all of a recording, or what has happened so far. */
export function eventRows({ tape, store }: Controls): readonly TapeEvent[] {
  return tape?.events ?? store.getState().events;
}

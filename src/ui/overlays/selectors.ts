import type { Run } from '../../model/run.ts';
import type { StacksSample } from '../../model/samples.ts';
import type { TapeEvent } from '../../model/tape.ts';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';

/** The runs of the picker, in its order. */
export function pickerRows(state: State): readonly Run[] {
  return state.run?.candidates ?? [];
}

/** The newest dump of a process; without one, the newest of all. */
export function chosenStacks(state: State, pid: number | undefined): StacksSample | undefined {
  return pid === undefined ? state.stacks[0] : state.stacks.find((stacks) => stacks.pid === pid);
}

/** What happened, oldest first: all of a recording, or what has happened so far. */
export function eventRows({ tape, store }: Controls): readonly TapeEvent[] {
  return tape?.events ?? store.getState().events;
}

import { momentForms, readMoment } from '../../model/moment.ts';
import { tapeSpeeds, type Tape, type TapeEvent } from '../../model/tape.ts';
import { eventRows } from '../overlays/selectors.ts';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { eventWords, signOf } from '../tape/event-words.ts';
import { isToldWhole } from '../tape/tape-lines.ts';
import type { RecordingState } from '../controls.ts';
import type { KeyContext } from './context.ts';

/** Why a key of a recording does nothing on a live screen. */
export const onlyTape = 'Only a recording can be moved through: traintop replay FILE plays one.';

/** A frame back or on. */
export function step(context: KeyContext, direction: 1 | -1): void {
  leave(context);
  void context.controls.tape?.step(direction);
}

/** So far back or on, counted from where a seek under way goes to. */
export function skip(context: KeyContext, ms: number): void {
  const { tape } = context.controls;
  leave(context);
  if (tape) void tape.seek(placeOf(tape) + ms);
}

/** The next event or mark, or the one before, and what it was. */
export function toEvent(context: KeyContext, direction: 1 | -1): void {
  const { controls, dispatch } = context;
  const { tape } = controls;
  if (!tape) return;
  const event = tape.toEvent(direction);
  if (event) return tellOf(context, event);
  const none = tape.events.length === 0 ? 'There are no events in this recording.' : undefined;
  const text = none ?? `There is no event ${direction === 1 ? 'after' : 'before'} this one.`;
  dispatch({ type: 'notice', notice: { text, tone: 'plain' } });
}

/** To the event under the cursor of their list. */
export function goToEvent(context: KeyContext): void {
  const { controls, ui, dispatch } = context;
  const event = eventRows(controls)[ui.eventCursor];
  if (!event) return;
  dispatch({ type: 'close' });
  tellOf(context, event);
  void controls.tape?.seek(event.receivedAt);
}

/** The next faster (1) or slower speed. */
export function changeSpeed({ controls, dispatch }: KeyContext, direction: 1 | -1): void {
  const { tape } = controls;
  if (!tape) return;
  const { speed } = tape.state();
  const next = direction === 1 ? tapeSpeeds.find((each) => each > speed) : tapeSpeeds.findLast((each) => each < speed);
  if (next !== undefined) return tape.setSpeed(next);
  const text = `${speed}x is the ${direction === 1 ? 'fastest' : 'slowest'}.`;
  dispatch({ type: 'notice', notice: { text, tone: 'plain' } });
}

/** To the start or the end. */
export function toEnd(context: KeyContext, end: 'from' | 'to'): void {
  const { tape } = context.controls;
  leave(context);
  if (tape) void tape.seek(tape.state()[end]);
}

/** Over and over again, or once. */
export function toggleLoop({ controls }: KeyContext): void {
  const { tape } = controls;
  tape?.setLoop(tape.state().loop ? undefined : 'all');
}

/** Asks for a time until it is one, and goes there. */
export function askTime({ controls, ownQuestions }: KeyContext): void {
  const { tape } = controls;
  if (!tape) return;
  const { from, to } = tape.state();
  const read = (text: string) => readMoment(text, { from, to, position: placeOf(tape) });
  const asked = ownQuestions.askForm({
    title: 'Go to a time',
    lines: [
      `The recording goes from ${dateAndTime(from)} to ${dateAndTime(to)}; it stands at ${dateAndTime(placeOf(tape))}.`,
      '',
      `It reads ${momentForms}.`,
      '-2h and +10m are counted from where it stands.',
    ],
    fields: [{ label: 'Time', hidden: false }],
    check: ([text = '']) => {
      const moment = read(text);
      return 'fault' in moment ? moment.fault : undefined;
    },
  });
  void asked.then((answers) => {
    const moment = answers && read(answers[0] ?? '');
    if (moment && 'time' in moment) void tape.seek(moment.time);
  });
}

/** The list of events, at the one where the recording stands; live, at the newest. */
export function listEvents({ controls, dispatch }: KeyContext): void {
  const { tape } = controls;
  const events = eventRows(controls);
  // What happens while the list is open is the newest then.
  const last = tape ? events.findLastIndex(({ receivedAt }) => receivedAt <= placeOf(tape)) : Infinity;
  dispatch({ type: 'events', cursor: Math.max(0, last) });
}

/** Asks for a note and marks the moment. */
export function askMark({ controls, ownQuestions, dispatch }: KeyContext): void {
  const asked = ownQuestions.askForm({
    title: 'Mark this moment',
    lines: [keptText(controls.recording?.()), '', 'The note can be empty. The mark stands at the time of Enter.'],
    fields: [{ label: 'Note', hidden: false }],
  });
  void asked.then((answers) => {
    if (!answers) return;
    controls.mark?.(answers[0]?.trim() ?? '');
    const state = controls.recording?.();
    const tone = state?.is === 'on' ? 'plain' : 'warn';
    dispatch({ type: 'notice', notice: { text: `Marked. ${keptText(state)}`, tone } });
  });
}

function keptText(state: RecordingState | undefined): string {
  if (state?.is === 'on') return 'Marks are in the recording, and in the list of events (E).';
  const only = 'Marks are only in the list of events (E) until traintop ends';
  return state?.is === 'failed' ? `${only}. ${state.reason}` : `${only}: nothing is recorded.`;
}

/** In the footer's place, unless the tape's own rows have room for all of it. */
function tellOf({ controls, layout, dispatch }: KeyContext, event: TapeEvent): void {
  const { tape } = controls;
  if (!tape) return;
  const { seeking: _s, hole: _h, ...rest } = tape.state();
  const there = { ...rest, position: event.receivedAt };
  const { width = 0, height = 0 } = layout?.tape ?? {};
  const isTold = isToldWhole({ state: there, events: [event], holes: [], width, rows: height }, event);
  const { text, tone } = signOf(event);
  dispatch({ type: 'notice', notice: isTold ? undefined : { text: `${text} ${eventWords(event)}`, tone } });
}

/** What was said of the place before is not said of the next. */
function leave({ ui, dispatch }: KeyContext): void {
  if (ui.notice) dispatch({ type: 'notice', notice: undefined });
}

/** Where it stands, or goes to. */
function placeOf(tape: Tape): number {
  const { seeking, position } = tape.state();
  return seeking ?? position;
}

const dateAndTime = (time: number) => `${dayOf(time)} ${timeOfDay(time)}`;

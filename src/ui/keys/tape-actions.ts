import { momentForms, readMoment } from '../../model/moment.ts';
import { momentOf, tapeSpeeds, type Tape, type TapeEvent } from '../../model/tape.ts';
import { eventRows } from '../overlays/selectors.ts';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { eventWords, signOf } from '../tape/event-words.ts';
import { ringsBehind, timeBehind } from '../tape/behind.ts';
import { isToldWhole } from '../tape/tape-lines.ts';
import type { RecordingState } from '../controls.ts';
import type { Notice } from '../ui-state.ts';
import { togglePause } from './actions.ts';
import type { KeyContext } from './context.ts';

/** Why a key of a recording does nothing on a live screen. */
export const onlyTape =
  'Only a recording can be moved through, and nothing is recorded here: traintop replay FILE plays one.';
/** Why one that goes on in time does nothing there. */
const atNow = 'You see now. Left goes back in time, T to a time, [ to the last event.';

/** There is a tape, or a past to leave for. */
export function canGo({ controls }: KeyContext): true | string {
  return controls.tape !== undefined || controls.past !== undefined || onlyTape;
}

/** There is a tape: from now nothing goes on. */
export function canGoOn({ controls }: KeyContext): true | string {
  return controls.tape !== undefined || (controls.past ? atNow : onlyTape);
}

/** Moves the tape. A live screen leaves for its past; a tape that is moved beyond what is recorded of it is live again by itself. */
function move(context: KeyContext, way: (tape: Tape) => unknown): void {
  const { controls, ui, dispatch } = context;
  const { tape, past } = controls;
  leaveNotice(context);
  if (tape) return void way(tape);
  const going: Notice = { text: 'Going back …', tone: 'plain', busy: true };
  dispatch({ type: 'notice', notice: going });
  void past?.leave().then(async (found) => {
    if ('failure' in found) return dispatch({ type: 'notice', notice: { text: found.failure, tone: 'warn' } });
    if (ui.paused) dispatch({ type: 'resumed' });
    await way(found);
    const lacks = past.lacks();
    if (lacks === undefined) dispatch({ type: 'noticeOver', notice: going });
    else dispatch({ type: 'notice', notice: { text: lacks, tone: 'warn' } });
  });
}

/** A frame back or on. */
export function step(context: KeyContext, direction: 1 | -1): void {
  move(context, (tape) => tape.step(direction));
}

/** So far back or on, counted from where a seek under way goes to. */
export function skip(context: KeyContext, ms: number): void {
  move(context, (tape) => tape.seek(placeOf(tape) + ms));
}

/** Stands still there, and goes on. */
export function play(context: KeyContext): void {
  const { tape } = context.controls;
  if (tape) togglePause(context);
  else move(context, (tape) => tape.seek(placeOf(tape)));
}

/** The next event or mark, or the one before, and what it was. */
export function toEvent(context: KeyContext, direction: 1 | -1): void {
  const { dispatch } = context;
  move(context, (tape) => {
    const event = tape.toEvent(direction);
    if (event) return tellOf(context, event, tape);
    const none = tape.events.length === 0 ? 'Nothing has happened in this recording.' : undefined;
    const text = none ?? `There is no event ${direction === 1 ? 'after' : 'before'} this one.`;
    dispatch({ type: 'notice', notice: { text, tone: 'plain' } });
  });
}

/** To the event under the cursor of their list. */
export function goToEvent(context: KeyContext): void {
  const { controls, ui, dispatch } = context;
  const rows = eventRows(controls);
  const event = rows[Math.min(ui.eventCursor, rows.length - 1)];
  if (!event) return;
  dispatch({ type: 'close' });
  move(context, (tape) => {
    tellOf(context, event, tape);
    return tape.seek(momentOf(event));
  });
}

/** Shows now again. */
export function toLive({ controls, dispatch }: KeyContext): void {
  controls.past?.live();
  dispatch({ type: 'notice', notice: undefined });
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
  const { past } = context.controls;
  move(context, async (tape) => {
    // What a watch has not written yet is the newest too.
    if (end === 'to') await past?.leave();
    return tape.seek(tape.state()[end]);
  });
}

/** Over and over again, or once. */
export function toggleLoop({ controls }: KeyContext): void {
  const { tape } = controls;
  tape?.setLoop(tape.state().loop ? undefined : 'all');
}

/** Asks for a time until it is one, and goes there. */
export function askTime(context: KeyContext): void {
  move(context, async (tape) => {
    const { from, to } = tape.state();
    const read = (text: string) => readMoment(text, { from, to, position: placeOf(tape) });
    const what = context.controls.past ? 'What is recorded' : 'The recording';
    const answers = await context.ownQuestions.askForm({
      title: 'Go to a time',
      lines: [
        `${what} goes from ${dateAndTime(from)} to ${dateAndTime(to)}; it stands at ${dateAndTime(placeOf(tape))}.`,
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
    const moment = answers && read(answers[0] ?? '');
    return moment && 'time' in moment ? tape.seek(moment.time) : undefined;
  });
}

/** The list of events, at the one where the recording stands; live, at the newest. */
export function listEvents({ controls, dispatch }: KeyContext): void {
  const { tape } = controls;
  const events = eventRows(controls);
  // What happens while the list is open is the newest then.
  const last = tape ? events.findLastIndex((event) => momentOf(event) <= placeOf(tape)) : Infinity;
  dispatch({ type: 'events', cursor: Math.max(0, last) });
}

/** Asks for a note and marks the moment: the one that is shown. */
export function askMark({ controls, ownQuestions, dispatch }: KeyContext): void {
  const { tape, past } = controls;
  const time = tape && placeOf(tape);
  const stands = time === undefined ? 'at the time of Enter' : `at ${timeOfDay(time)}, which you look at`;
  const asked = ownQuestions.askForm({
    title: 'Mark this moment',
    lines: [keptText(controls.recording?.()), '', `The note can be empty. The mark stands ${stands}.`],
    fields: [{ label: 'Note', hidden: false }],
  });
  void asked.then((answers) => {
    if (!answers) return;
    controls.mark?.(answers[0]?.trim() ?? '', time);
    // The tape has it with what is written next.
    if (tape) void past?.leave();
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
function tellOf({ controls, layout, dispatch }: KeyContext, event: TapeEvent, tape: Tape): void {
  const { seeking: _s, hole: _h, ...rest } = tape.state();
  const there = { ...rest, position: momentOf(event) };
  const { width = 0, height = 0 } = layout?.tape ?? {};
  const now = controls.past?.tape() && controls.past.now.getState();
  const behind = now && { now: timeBehind(now), rings: ringsBehind(now) };
  const input = { state: there, events: [event], holes: [], width, rows: height, ...(behind && { behind }) };
  const isTold = isToldWhole(input, event);
  const { text, tone } = signOf(event);
  dispatch({ type: 'notice', notice: isTold ? undefined : { text: `${text} ${eventWords(event)}`, tone } });
}

/** What was said of the place before is not said of the next. */
function leaveNotice({ ui, dispatch }: KeyContext): void {
  if (ui.notice) dispatch({ type: 'notice', notice: undefined });
}

/** Where it stands, or goes to. */
function placeOf(tape: Tape): number {
  const { seeking, position } = tape.state();
  return seeking ?? position;
}

const dateAndTime = (time: number) => `${dayOf(time)} ${timeOfDay(time)}`;

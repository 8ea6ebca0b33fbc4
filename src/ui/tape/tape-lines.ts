import { momentOf, type Tape, type TapeEvent, type TapeState } from '../../model/tape.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { lineWidth } from '../parts/render-line.ts';
import { counter, dayOf, timeOfDay } from '../parts/times.ts';
import { cutText, plainText } from '../parts/width.ts';
import { eventWords, signOf, whatWords } from './event-words.ts';
import { scrubber } from './scrubber.ts';

/** What the rows of the tape are made of. */
export interface TapeLinesInput extends Pick<Tape, 'events' | 'holes'> {
  readonly state: TapeState;
  readonly width: number;
  /** One, or two with the scrubber in a row of its own. */
  readonly rows: number;
  /** It is the past of a watch that goes on: the time there, and how many alarms ring. */
  readonly behind?: { readonly now: number; readonly rings: number };
}

/** Shorter than this a scrubber says too little. */
const leastScrubber = 14;
/** Shorter than this a sentence says too little. */
const leastWords = 16;
const mostWords = 48;
/** Shorter than this they leave out when it was. */
const wordsWithTime = 32;

/** Where the tape stands, as rows below the panels. What changes with time has a fixed width. */
export function tapeLines(input: TapeLinesInput): readonly Line[] {
  return input.rows > 1 ? twoRows(input) : [oneRow(input)];
}

function twoRows(input: TapeLinesInput): readonly Line[] {
  const { state, width } = input;
  const [first = '', end = ''] = [state.from, state.to].map((time) => timeOfDay(time).slice(0, 5));
  const last = input.behind ? 'now  ' : end;
  const line = scrubber({ ...input, ...state, width: width - 14 });
  const whole = fixedPart(input, true);
  const loop: Segment = { text: `${state.loop ? 'loop' : ''}`.padEnd(6), tone: 'focus' };
  const fixed = firstFitting([[...whole, loop], whole, fixedPart(input, false)], width - 12);
  return [
    [...fixed, ...words(input, width - lineWidth(fixed) - 1)],
    [{ text: ` ${first} `, tone: 'dim' }, ...line, { text: ` ${last} `, tone: 'dim' }],
  ];
}

function oneRow(input: TapeLinesInput): Line {
  const { state, width } = input;
  const wholes = [fixedPart(input, true), fixedPart(input, false)];
  const fixed = firstFitting(wholes, width - leastScrubber - 1);
  const left = width - lineWidth(fixed) - 1;
  // Two blanks are between the scrubber and the words.
  const forWords = Math.min(mostWords, Math.floor(left / 2) - 2);
  if (forWords < leastWords) return [...fixed, ...scrubber({ ...input, ...state, width: left })];
  const line = scrubber({ ...input, ...state, width: left - forWords - 2 });
  return [...fixed, ...line, { text: '  ' }, ...words(input, forWords)];
}

/** The last one, where none fits. */
function firstFitting(lines: readonly Line[], width: number): Line {
  return lines.find((line) => lineWidth(line) <= width) ?? lines.at(-1) ?? [];
}

/** The last event up to there stands in the tape's rows with all its words. */
export function isToldWhole(input: TapeLinesInput, event: TapeEvent): boolean {
  const words = plainText(eventWords(event));
  return tapeLines(input).some((line) => line.some(({ text }) => text === words));
}

/** Whether it plays, when that was, how far it is, how fast it goes. */
function fixedPart({ state, width, behind }: TapeLinesInput, withCounter: boolean): Line {
  const { position, from, to, speed, seeking } = state;
  if (behind) return pastPart(state, width, behind, withCounter);
  const total = to - from;
  const place = `${counter((seeking ?? position) - from, total)}/${counter(total)}`;
  return [
    { text: ' ' },
    { ...playSign(state) },
    { text: ` ${moment(state, width)}  `, tone: 'strong' },
    ...(withCounter ? [{ text: `${place}  `, tone: 'dim' } as const] : []),
    { text: `${speed}x`.padEnd(7) },
  ];
}

/** How long ago that was, in whole seconds of both. */
export function agoText(now: number, position: number): string {
  return `${formatDuration(Math.max(0, Math.floor(now / 1000) - Math.floor(position / 1000)))} ago`;
}

/** The same of the past of a watch: nobody must take it for now. */
function pastPart(
  state: TapeState,
  width: number,
  { now, rings }: NonNullable<TapeLinesInput['behind']>,
  withSpeed: boolean,
): Line {
  const { position, speed, seeking } = state;
  const ago = agoText(now, seeking ?? position);
  const isWide = width >= 110;
  const behind = isWide ? '  the watch goes on behind it, L shows now' : '  L: live';
  return [
    { text: ' ' },
    playSign(state),
    { text: ' ' },
    { text: ' PAST ', tone: 'series7', inverse: true },
    { text: ` ${moment(state, width)}`, tone: 'strong' },
    { text: `  ${ago.padEnd(isWide ? 11 : 10)}`, tone: 'series7' },
    ...(rings > 0 ? [ringing(rings), { text: '  ' }] : []),
    ...(withSpeed ? [{ text: `${speed}x`.padEnd(5) }, { text: `${behind}  `, tone: 'dim' } as const] : []),
  ];
}

function ringing(rings: number): Segment {
  return { text: ` ${rings} ${rings === 1 ? 'alarm' : 'alarms'} now `, tone: 'bad', inverse: true };
}

/** What shows whether it plays: two cells. */
function playSign(state: TapeState): Segment {
  const { playing, position, to, seeking } = state;
  if (seeking !== undefined) return { text: seeking < position ? '◂◂' : '▸▸', tone: 'warn' };
  if (playing) return { text: '▸ ', tone: state.growing && position >= to ? 'warn' : 'ok' };
  return { text: position >= to ? '■ ' : '┃┃', tone: 'focus' };
}

/** The time that is shown or sought, with its day where there is room for it or more than one. */
function moment({ position, seeking, from, to }: TapeState, width: number): string {
  const time = seeking ?? position;
  const day = dayOf(time);
  if (width >= 110) return `${day} ${timeOfDay(time)}`;
  return dayOf(from) === dayOf(to) ? timeOfDay(time) : `${day.slice(5)} ${timeOfDay(time)}`;
}

/** What was the last to happen, or why nothing is to be seen. */
function words({ state, events }: TapeLinesInput, width: number): Line {
  const { position, to, playing, growing, seeking, hole } = state;
  if (seeking !== undefined) return said({ text: `going to ${timeOfDay(seeking)} …`, tone: 'warn' }, width);
  if (hole) {
    return said({ text: `nothing recorded ${timeOfDay(hole.from)} to ${timeOfDay(hole.to)}`, tone: 'warn' }, width);
  }
  if (playing && growing && position >= to)
    return said({ text: 'waiting for more: it is still written', tone: 'dim' }, width);
  const event = events.findLast((each) => momentOf(each) <= position);
  if (!event) return said({ text: events.length > 0 ? 'no event yet' : 'no events', tone: 'dim' }, width);
  const { text, tone } = signOf(event);
  const words = width < wordsWithTime ? whatWords(event) : eventWords(event);
  return [{ text, tone }, { text: ' ' }, ...said({ text: words, tone: 'plain' }, width - 2)];
}

function said({ text, tone }: Segment, width: number): Line {
  return [{ text: cutText(plainText(text), width), ...(tone && { tone }) }];
}

import { captureTitle, isUnderWay, samplesText } from '../../model/capture-words.ts';
import type { CaptureSample } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import { bar } from '../parts/bar.ts';
import { composeRow, type Piece } from '../parts/compose-row.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import type { Reading } from '../reading-state.ts';

/** The end of a capture is told so long, or until it is opened. */
const toldMs = 60_000;
/** What is over sooner is not worth a row of the screen. */
const brief: ReadonlySet<CaptureSample['what']> = new Set(['dump', 'native']);
const briefMs = 1500;

type Seen = Pick<Reading, 'seen'>;

/** The captures that have a row above the footer: those under way, and the newest that is over and was not looked at. */
export function toldCaptures(state: State, reading: Seen, now: number): readonly CaptureSample[] {
  const running = state.captures.filter(
    (each) => isUnderWay(each) && (!brief.has(each.what) || now - each.startedAt > briefMs),
  );
  if (running.length > 0) return running;
  const done = newestUnseen(state, reading, now);
  return done ? [done] : [];
}

/** The capture that was the last to end, while its end is news. */
export function newestUnseen({ captures }: State, { seen }: Seen, now: number): CaptureSample | undefined {
  const [newest] = captures
    .filter((each) => each.endedAt !== undefined && !brief.has(each.what))
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  if (!newest || seen.has(newest.id)) return undefined;
  return now - (newest.endedAt ?? 0) < toldMs ? newest : undefined;
}

/** The row: how far it is, and what it has; or how it ended, and the key that opens it. `turn` counts while it goes on. */
export function progressLine(init: {
  readonly state: State;
  readonly reading: Seen;
  readonly now: number;
  readonly width: number;
  readonly turn: number;
  readonly isLive: boolean;
}): Line {
  const { state, reading, now, width } = init;
  const told = toldCaptures(state, reading, now);
  const [capture] = told;
  if (!capture) return [];
  const title = captureTitle(capture, state.run?.run);
  if (!isUnderWay(capture)) return endLine(capture, title, width);
  const { startedAt, plannedMs, rate, errors } = capture;
  const share = plannedMs > 0 ? (now - startedAt) / plannedMs : 1;
  const leftSeconds = Math.ceil((startedAt + plannedMs - now) / 1000);
  const sign = '⠋⠙⠹⠸⠼⠴⠦⠧'[init.turn % 8] ?? '';
  const samples = samplesText(capture);
  const left: Piece[] = [
    piece(0, [
      { text: ` ${sign} `, tone: 'focus' },
      { text: title, tone: 'strong' },
    ]),
    piece(3, bar([{ share: Math.min(1, share), tone: 'series1' }], width >= 110 ? 24 : 12)),
    piece(1, [{ text: timeText(capture, leftSeconds) }]),
    ...(samples === undefined ? [] : [piece(2, [{ text: samples }])]),
    ...(errors ? [piece(2, [{ text: errors === 1 ? '1 error' : `${errors} errors`, tone: 'warn' }])] : []),
    ...(rate === undefined ? [] : [piece(4, [{ text: `${rate}/s`, tone: 'dim' }])]),
    ...(told.length > 1 ? [piece(4, [{ text: `and ${told.length - 1} more`, tone: 'dim' }])] : []),
  ];
  return composeRow({ left, right: init.isLive ? [piece(2, key('x', 'ends it'))] : [], width });
}

function timeText({ state, notes }: CaptureSample, leftSeconds: number): string {
  if (state === 'waiting') return notes.at(-1) ?? 'waits for its turn';
  if (leftSeconds > 0) return `${formatDuration(leftSeconds)} left`;
  return leftSeconds > -3 ? 'py-spy is finishing' : `py-spy is ${formatDuration(-leftSeconds)} late`;
}

const ends: Readonly<Record<CaptureSample['state'], Segment>> = {
  waiting: { text: '' },
  running: { text: '' },
  done: { text: '● ', tone: 'ok' },
  partial: { text: '◐ ', tone: 'warn' },
  cancelled: { text: '○ ', tone: 'dim' },
  failed: { text: '▲ ', tone: 'bad' },
};

/** How a capture is, as a sign and its tone. */
export function stateSign({ state }: Pick<CaptureSample, 'state'>): Segment {
  return isUnderWay({ state }) ? { text: '▸ ', tone: 'focus' } : ends[state];
}

function endLine(capture: CaptureSample, title: string, width: number): Line {
  const { state, startedAt, endedAt = startedAt, errors, failure } = capture;
  const samples = samplesText(capture);
  const hasResult = state === 'done' || state === 'partial';
  const left: Piece[] = [
    piece(0, [
      { text: ' ' },
      stateSign(capture),
      { text: `${title} ` },
      { text: state, tone: stateSign(capture).tone ?? 'plain' },
    ]),
    ...(samples !== undefined && hasResult ? [piece(2, [{ text: samples }])] : []),
    ...(errors ? [piece(3, [{ text: errors === 1 ? '1 error' : `${errors} errors`, tone: 'warn' as const }])] : []),
    piece(4, [{ text: `in ${formatDuration((endedAt - startedAt) / 1000)}`, tone: 'dim' }]),
    ...(failure === undefined ? [] : [{ ...piece(1, [{ text: failure, tone: 'bad' }]), shortest: 20 }]),
  ];
  return composeRow({ left, right: [piece(0, key('S', 'opens it'))], width });
}

function key(name: string, what: string): Line {
  return [
    { text: name, tone: 'focus' },
    { text: ` ${what} `, tone: 'dim' },
  ];
}

function piece(rank: number, line: Line): Piece {
  return { rank, line };
}

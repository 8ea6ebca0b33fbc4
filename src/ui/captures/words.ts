import { captureTitle, isUnderWay, samplesText } from '../../model/capture-words.ts';
import type { State } from '../../model/store.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { dotted } from '../parts/meter.ts';
import type { Reading } from '../reading-state.ts';
import { shownView } from './rows.ts';
import type { ReadCapture } from './select.ts';
import { groupingOf } from './view-rows.ts';

const views: Readonly<Record<Reading['view'], string>> = {
  stacks: 'Stacks',
  flame: 'Flame',
  difference: 'Difference',
  gil: 'GIL',
};

/** The title of a view: `Stacks of PID 4211`, `Flame: record of rank 0 (PID 4211)`. */
export function readingTitle({ run }: State, read: ReadCapture, reading: Reading): string {
  return `${views[shownView(read, reading)]}: ${captureTitle(read.capture, run?.run)}`;
}

/** On the frame's edge: how much of it there is, how it is looked at, how old it is. */
export function readingNote(state: State, read: ReadCapture, reading: Reading): Line {
  const { capture, folded } = read;
  if (isUnderWay(capture) && folded.stacks.length === 0) return [{ text: 'under way', tone: 'dim' }];
  const count = folded.samples > 0 ? samplesText({ what: capture.what, samples: folded.samples }) : undefined;
  const threads = new Set(folded.stacks.map(({ pid, tid, thread }) => `${pid}:${tid ?? thread}`)).size;
  const pieces: Segment[] = [
    ...(capture.state === 'partial' ? [{ text: 'partial', tone: 'warn' } as const] : []),
    ...(reading.search !== '' ? [{ text: `/${reading.search}`, tone: 'focus' } as const] : []),
    ...(folded.unit === 'dumps' && folded.samples <= 1
      ? []
      : count === undefined
        ? []
        : [{ text: count, tone: 'dim' } as const]),
    ...(folded.errors > 0 && folded.samples > 0 ? [{ text: `${folded.errors} errors`, tone: 'warn' } as const] : []),
    { text: threads === 0 ? 'no stack' : `${threads} ${threads === 1 ? 'thread' : 'threads'}`, tone: 'dim' },
    { text: `by ${shownView(read, reading) === 'difference' ? 'role' : groupingOf(read, reading)}`, tone: 'dim' },
    { text: ageText(state, capture.endedAt ?? capture.receivedAt), tone: 'dim' },
  ];
  return dotted(pieces);
}

/** Each thread of each dump or sample counts: ten dumps may show a stack of eight threads 80 times. */
export function seenText(count: number): string {
  return count === 1 ? 'seen once' : `seen ${count} times`;
}

/** How long ago that was. */
function ageText({ committedAt }: State, time: number): string {
  const seconds = Math.max(0, Math.round((committedAt - time) / 1000));
  return seconds < 2 ? 'just now' : `${formatDuration(seconds)} ago`;
}

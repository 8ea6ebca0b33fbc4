import type { ReactElement } from 'react';
import type { State } from '../../model/store.ts';
import { formatDuration } from '../parts/format.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { verdictAge } from '../verdict/age.ts';
import { whyHistory } from '../verdict/why-history.ts';
import { whyLines } from '../verdict/why-lines.ts';

interface WhyProps {
  readonly state: State;
  /** First row. */
  readonly top: number;
  readonly isReplay: boolean;
  readonly width: number;
  readonly height: number;
}

/** Why the headline says so: what holds, the cause first, with its figures; below it which verdict stood first when. */
export function Why({ top, width, height, ...input }: WhyProps): ReactElement {
  const { lines, history, room, dimmed } = rowsOf({ ...input, width, height });
  const first = Math.max(0, Math.min(top, lines.length - room));
  const shown = lines.slice(first, first + room);
  const below = lines.length - first - shown.length;
  const filled = Array.from({ length: room }, (_, i) => shown[i] ?? []);
  return (
    <Frame
      title="Why"
      note={noteOf(input.state, below)}
      width={width}
      height={height}
      focused
      dimmed={dimmed}
      rows={[...filled, ...history]}
    />
  );
}

/** How many of its rows can be at its top: the last one shows the end. */
export function whyStarts(input: Omit<WhyProps, 'top'>): number {
  const { lines, room } = rowsOf(input);
  return Math.max(1, lines.length - room + 1);
}

function rowsOf({ state, isReplay, ...size }: Omit<WhyProps, 'top'>) {
  const inner = innerSize(size);
  const lines = whyLines({ state, isReplay, width: inner.width });
  const history = inner.height < 14 ? [] : whyHistory(state, inner.width);
  const dimmed = state.verdicts !== undefined && verdictAge(state, state.verdicts).oldMs !== undefined;
  return { lines, history, room: Math.max(1, inner.height - history.length), dimmed };
}

function noteOf(state: State, below: number): Line {
  const { oldMs } = state.verdicts ? verdictAge(state, state.verdicts) : {};
  return [
    ...(oldMs === undefined ? [] : [{ text: `${formatDuration(oldMs / 1000)} old · `, tone: 'warn' as const }]),
    { text: below > 0 ? `${below} more ${below === 1 ? 'row' : 'rows'} below` : 'Esc goes back', tone: 'dim' },
  ];
}

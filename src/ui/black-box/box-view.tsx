import type { ReactElement } from 'react';
import type { BlackBoxSample } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { wrapText } from '../parts/width.ts';
import { boxLines } from './box-lines.ts';

/** Which box is read, and its first row. */
export interface BoxPlace {
  /** Absent: the newest, whichever that is. */
  readonly id: string | undefined;
  readonly top: number;
}

interface BoxProps {
  readonly state: State;
  readonly place: BoxPlace;
  readonly width: number;
  readonly height: number;
}

const nothing =
  'No evidence was taken by itself by this moment. It is when the run stalls, hangs or ends: stacks of all ranks, what its threads wait in, nvidia-smi, the log.';

/** The evidence that was taken by itself, as text. */
export function BoxView({ state, place, width, height }: BoxProps): ReactElement {
  const inner = innerSize({ width, height });
  const frame = { title: 'Evidence', width, height, focused: true };
  const box = boxAt(state, place);
  if (!box)
    return <Frame {...frame} rows={wrapText(nothing, inner.width).map((row): Line => [{ text: row, tone: 'dim' }])} />;
  const { lines } = boxLines(box, state, inner.width);
  const first = Math.min(place.top, Math.max(0, lines.length - inner.height));
  const shown = lines.slice(first, first + inner.height);
  const filled = Array.from({ length: inner.height }, (_, i) => shown[i] ?? []);
  const boxes = state.blackBoxes;
  const below = lines.length - first - shown.length;
  const which = boxes.length > 1 ? `${boxes.indexOf(box) + 1} of ${boxes.length} · ` : '';
  return (
    <Frame {...frame} note={`${which}${below > 0 ? `${below} more rows below` : 'Esc goes back'}`} rows={filled} />
  );
}

/** The box that is read; undefined: there is none. */
export function boxAt({ blackBoxes }: State, { id }: BoxPlace): BlackBoxSample | undefined {
  return blackBoxes.find((box) => box.id === id) ?? blackBoxes[0];
}

/** Rows that can be at the top, and those in which sections begin. */
export function boxStarts({ state, place, width, height }: BoxProps) {
  const inner = innerSize({ width, height });
  const box = boxAt(state, place);
  if (!box) return { count: 1, sections: [], page: 1 };
  const { lines, sections } = boxLines(box, state, inner.width);
  return { count: Math.max(1, lines.length - inner.height + 1), sections, page: Math.max(1, inner.height - 2) };
}

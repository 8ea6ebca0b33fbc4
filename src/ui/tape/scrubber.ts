import { momentOf, type TapeEvent, type TapeSpan } from '../../model/tape.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { signOf } from './event-words.ts';

/** What a scrubber shows. Times are epoch ms. */
export interface ScrubberInput {
  readonly from: number;
  readonly to: number;
  readonly position: number;
  /** Where a seek under way goes to. */
  readonly seeking?: number | undefined;
  readonly events: readonly TapeEvent[];
  readonly holes: readonly TapeSpan[];
  readonly loop?: TapeSpan | undefined;
  readonly width: number;
}

/**
 * The whole recording as one line of `width` cells: what was played heavy, what is to come light, nothing where nothing was recorded,
 * a sign for each cell with events or marks, and a dot where it stands (a ring where it goes to). Its ends point outwards in a loop.
 */
export function scrubber({ width, loop, ...input }: ScrubberInput): Line {
  if (width < 3) return [];
  const [first, last] = loop ? ['◂', '▸'] : ['├', '┤'];
  const tone = loop ? 'focus' : 'dim';
  return [{ text: first, tone }, ...track({ ...input, width: width - 2 }), { text: last, tone }];
}

function track(input: ScrubberInput): Line {
  const { position, seeking, events, holes, width } = input;
  const at = cellOf(input, position);
  const cells = Array.from({ length: width }, (_, i): Segment => {
    return i < at ? { text: '━', tone: 'focus' } : { text: '─', tone: 'dim' };
  });
  for (const cell of holeCells(input, holes)) cells[cell] = { text: ' ' };
  const shown = cells.map(() => 0);
  for (const event of events) {
    const { text, tone, rank } = signOf(event);
    const cell = cellOf(input, momentOf(event));
    if (rank <= (shown[cell] ?? 0)) continue;
    shown[cell] = rank;
    cells[cell] = { text, tone };
  }
  cells[at] = { text: '●', tone: 'strong' };
  if (seeking !== undefined) cells[cellOf(input, seeking)] = { text: '○', tone: 'strong' };
  return joined(cells);
}

function cellOf({ from, to, width }: ScrubberInput, time: number): number {
  const share = to > from ? (time - from) / (to - from) : 0;
  return Math.min(width - 1, Math.max(0, Math.floor(share * width)));
}

/** Cells that are more hole than not, and for each hole of a cell's length at least one. */
function holeCells(input: ScrubberInput, holes: readonly TapeSpan[]): readonly number[] {
  const { from, to, width } = input;
  const cell = (to - from) / width;
  return holes.flatMap((hole) => {
    if (hole.to - hole.from < cell) return [];
    const first = Math.round((hole.from - from) / cell);
    const end = Math.max(first + 1, Math.round((hole.to - from) / cell));
    return Array.from({ length: end - first }, (_, i) => first + i).filter((i) => i >= 0 && i < width);
  });
}

function joined(cells: readonly Segment[]): Line {
  const line: { text: string; tone?: Tone }[] = [];
  for (const { text, tone } of cells) {
    const last = line.at(-1);
    if (last && last.tone === tone) last.text += text;
    else line.push({ text, ...(tone && { tone }) });
  }
  return line;
}

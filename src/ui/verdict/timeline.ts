import { situationWords } from '../../model/diagnosis/words.ts';
import type { Situation } from '../../model/situations.ts';
import type { State } from '../../model/store.ts';
import type { VerdictSpan } from '../../model/verdict-spans.ts';
import type { Line, Segment } from '../parts/line.ts';
import { verdictAge } from './age.ts';
import { situationSigns } from './signs.ts';

/** Which stretch of time, in how many cells. */
export interface TimelineInput {
  readonly state: State;
  /** The right end, epoch ms. */
  readonly to: number;
  readonly windowMs: number;
  readonly width: number;
}

/** A row of `width` cells, and the situations that are told by a letter in it, in the order of their first. */
export interface Timeline {
  readonly line: Line;
  readonly letters: readonly Situation[];
}

/**
 * Which verdict stood first when: `compute━━━━━━━━input━━━━H━━`. A stretch begins with its word, or its letter where that has no room;
 * a time of which nothing was told is blank. Of several within a cell the worst is shown.
 */
export function timeline(input: TimelineInput): Timeline {
  const { width } = input;
  const cells = cellsOf(input);
  const line: Segment[] = [];
  const letters: Situation[] = [];
  for (let from = 0; from < width;) {
    const span = cells[from];
    let end = from + 1;
    while (end < width && sameStretch(cells[end], span)) end++;
    // Where only what it is about changed for a moment, the letter is there already.
    const goesOn = span !== undefined && span.situation === cells[from - 1]?.situation;
    const { text, isLetter } = textOf(span, end - from, goesOn);
    if (isLetter && span && !letters.includes(span.situation)) letters.push(span.situation);
    line.push(span ? { text, tone: situationSigns[span.situation].tone } : { text });
    from = end;
  }
  return { line, letters };
}

/** What the letters of a row are: `H hang  T throttled`. */
export function legendOf(letters: readonly Situation[]): Line {
  return letters.flatMap((situation, i) => {
    const { letter, short } = situationWords[situation];
    return [
      ...(i === 0 ? [] : [{ text: '  ' }]),
      { text: letter, tone: situationSigns[situation].tone },
      { text: ` ${short}`, tone: 'dim' },
    ] satisfies Line;
  });
}

function textOf(span: VerdictSpan | undefined, width: number, goesOn: boolean) {
  if (!span) return { text: ' '.repeat(width), isLetter: false };
  const { short, letter } = situationWords[span.situation];
  const isLetter = short.length >= width;
  if (isLetter && goesOn) return { text: '━'.repeat(width), isLetter: false };
  return { text: (isLetter ? letter : short).padEnd(width, '━'), isLetter };
}

/** What holds still is told of until now. */
function cellsOf({ state, to, windowMs, width }: TimelineInput): readonly (VerdictSpan | undefined)[] {
  const cells = new Array<VerdictSpan | undefined>(width).fill(undefined);
  const { verdicts, verdictSpans } = state;
  const heldTo = verdicts && verdicts.verdicts.length > 0 ? verdictAge(state, verdicts).heldTo : undefined;
  const cellMs = windowMs / width;
  const start = to - windowMs;
  verdictSpans.forEach((span, i) => {
    const isOpen = i === verdictSpans.length - 1 && span.until === verdicts?.receivedAt;
    const until = isOpen ? Math.max(span.until, heldTo ?? 0) : span.until;
    if (until < start || span.from >= to) return;
    const first = Math.max(0, Math.floor((span.from - start) / cellMs));
    // A stretch of whole cells begins with the cell that it begins in; the next one has the cell that both are in if it is worse.
    const last = Math.min(width - 1, Math.max(first, Math.ceil((until - start) / cellMs) - 1));
    for (let cell = first; cell <= last; cell++) {
      const before = cells[cell];
      if (!before || rankOf(span) >= rankOf(before)) cells[cell] = span;
    }
  });
  return cells;
}

const rankOf = ({ situation }: VerdictSpan) => situationSigns[situation].rank;

/** Another scope of one situation is another stretch. */
function sameStretch(a: VerdictSpan | undefined, b: VerdictSpan | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.situation === b.situation && a.scope === b.scope);
}

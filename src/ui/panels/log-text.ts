import type { Line, Segment, Tone } from '../parts/line.ts';
import { cutText, displayWidth, fitText, plainText } from '../parts/width.ts';
import { readNumbers, type Span } from './log-numbers.ts';
import type { LogRow } from './log-rows.ts';

/** How a line is drawn. */
export interface TextLook {
  readonly width: number;
  /** Of several logs: the name before the line, and its room; 0 = none. */
  readonly label: string;
  readonly labelWidth: number;
  readonly hasCursor: boolean;
  readonly search: string;
  /** Cells that are scrolled out; not for lines that are wrapped. */
  readonly left: number;
  /** Rows it may take. Absent: it is cut, not wrapped. */
  readonly mostRows?: number | undefined;
}

/** A line as one row, or as rows: what it is from, its level, its text with numbers and matches lifted. */
export function lineRows(row: LogRow, look: TextLook): readonly Line[] {
  const { width, hasCursor, search, left, mostRows } = look;
  const lead = leadOf(row, look);
  const room = width - lead.reduce((sum, { text }) => sum + displayWidth(text), 0);
  // Long lines are cut before anything measures them.
  const most = mostRows === undefined ? (room + left) * 4 + 64 : room * mostRows * 4 + 64;
  const { text: whole } = row.line;
  const text = plainText(whole.length > most ? whole.slice(0, most) : whole);
  const marks = { tone: toneOf(row), numbers: numbersOf(row, text), matches: matchesOf(text, search), hasCursor };
  const parts = mostRows === undefined ? [cutSpan(text, left, room)] : wrapSpans(text, room).slice(0, mostRows);
  return parts.map((part, i) => {
    const begin = i === 0 ? lead : blank(lead);
    const line = [...(hasCursor ? begin.map(({ text }) => inverse(text)) : begin), ...marked(text, part, marks)];
    const rest = width - line.reduce((sum, segment) => sum + displayWidth(segment.text), 0);
    return hasCursor && rest > 0 ? [...line, inverse(' '.repeat(rest))] : line;
  });
}

/** Every match, case ignored. */
export function matchesOf(text: string, search: string): readonly Span[] {
  if (search === '') return [];
  const [within, wanted] = [text.toLowerCase(), search.toLowerCase()];
  // Lower case of a few letters is longer than they are: then nothing is marked rather than the wrong place.
  if (within.length !== text.length) return [];
  const spans: Span[] = [];
  for (let from = within.indexOf(wanted); from >= 0; from = within.indexOf(wanted, from + wanted.length))
    spans.push({ from, to: from + wanted.length });
  return spans;
}

const letters: Readonly<Record<string, string>> = { error: 'E', warning: 'W' };
const tones: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn' };

/** The letter says what the tone says: a traceback's lines have no word for it. A bar joins the lines of a record. */
function leadOf(row: LogRow, { width, label, labelWidth }: TextLook): readonly Segment[] {
  const { line, head } = row;
  const lead: Segment[] = [];
  if (labelWidth > 0) lead.push({ text: fitText(label, labelWidth) + ' ', tone: 'dim' });
  if (width < 60) return lead;
  const tone = toneOf(row);
  if (line !== head) lead.push({ text: '│ ', tone: tone === 'plain' ? 'dim' : tone });
  else if (line.level) lead.push({ text: `${letters[line.level]} `, tone });
  else lead.push(line.event ? { text: '• ', tone: 'focus' } : { text: '  ', tone: 'dim' });
  return lead;
}

function blank(lead: readonly Segment[]): readonly Segment[] {
  return lead.map(({ text }) => ({ text: ' '.repeat(displayWidth(text)) }));
}

function toneOf({ line }: LogRow): Tone {
  return line.level ? (tones[line.level] ?? 'plain') : line.note ? 'dim' : 'plain';
}

/** Of a line with a level the tone says more than its numbers. */
function numbersOf({ line, head }: LogRow, text: string): readonly Span[] {
  return head.values && !line.level ? readNumbers(line, text, head.values) : [];
}

/** What of a text stands in a row, with marks where it was cut. */
interface Part extends Span {
  readonly isCutBefore?: boolean;
  readonly isCutAfter?: boolean;
}

function cutSpan(text: string, left: number, room: number): Part {
  const from = left === 0 ? 0 : cutText(text, left, '').length;
  const rest = text.slice(from);
  const isCutAfter = cutText(rest, room) !== rest;
  const isCutBefore = from > 0;
  const to = from + cutText(rest, isCutAfter ? room - 1 : room, '').length;
  return { from: isCutBefore ? Math.min(to, from + 1) : from, to, isCutBefore, isCutAfter };
}

/** Rows of at most `room` cells: broken at a blank, where one is near the end. */
function wrapSpans(text: string, room: number): readonly Part[] {
  if (room < 1) return [];
  const parts: Part[] = [];
  let from = 0;
  while (from < text.length) {
    const part = cutText(text.slice(from), room, '') || text.slice(from, from + 1);
    const isLast = from + part.length >= text.length;
    const at = isLast || text[from + part.length] === ' ' ? -1 : part.lastIndexOf(' ');
    const length = at > part.length * 0.6 ? at : part.length;
    parts.push({ from, to: from + length });
    from += length;
    while (text[from] === ' ') from++;
  }
  return parts.length > 0 ? parts : [{ from: 0, to: 0 }];
}

interface Marks {
  readonly tone: Tone;
  readonly numbers: readonly Span[];
  readonly matches: readonly Span[];
  readonly hasCursor: boolean;
}

function marked(text: string, part: Part, { tone, numbers, matches, hasCursor }: Marks): Line {
  const { from, to, isCutBefore = false, isCutAfter = false } = part;
  const segments: Segment[] = [];
  const isMatchOut = (span: Span) => (span.from < from && isCutBefore) || (span.to > to && isCutAfter);
  const isInverse = matches.some(isMatchOut) !== hasCursor;
  const cut: Segment = isInverse ? inverse('…') : { text: '…', tone: 'dim' };
  if (isCutBefore) segments.push(cut);
  for (let at = from; at < to;) {
    const match = matches.find((span) => span.to > at);
    const number = numbers.find((span) => span.to > at);
    const isMatch = match !== undefined && match.from <= at;
    const isNumber = number !== undefined && number.from <= at;
    const ends = [match?.from, match?.to, number?.from, number?.to].filter((end) => end !== undefined && end > at);
    const end = Math.min(to, ...(ends as number[]));
    const piece = text.slice(at, end);
    // On the row under the cursor, which is inverse as a whole, a match is what is not: tones would be patches of colour there.
    if (hasCursor) segments.push(isMatch ? { text: piece, tone: 'strong' } : inverse(piece));
    else segments.push({ text: piece, tone: isNumber ? 'series5' : tone, ...(isMatch && { inverse: true }) });
    at = end;
  }
  if (isCutAfter) segments.push(cut);
  return segments;
}

function inverse(text: string): Segment {
  return { text, inverse: true };
}

import type { LogLine, LogValues } from '../../model/samples.ts';

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where in a text those numbers stand that were read from it: units, thousands and durations are seen through. Kept as long as the line is. */
export function readNumbers(line: LogLine, text: string, values: LogValues): readonly Span[] {
  const before = kept.get(line);
  if (before) return before;
  const found = joined(spansOf(text, values), text);
  kept.set(line, found);
  return found;
}

const kept = new WeakMap<LogLine, readonly Span[]>();

/** Durations, numbers with thousands or a decimal comma, plain ones, and what is no number. */
const token =
  /\d+(?::\d\d){1,2}(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+,\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf|infinity)\b/gi;
/** Days and times of day, and what is a part of a name. */
const stamp = /\d{4}[-/.]\d\d?[-/.]\d\d?(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?|\b\d\d:\d\d:\d\d[.,]\d+/g;
/** A unit that is glued to its number. */
const glued = /^(?:[kKMGTB]i?B?|%|ms|us|s|it\/s)(?![A-Za-z])/;
const unit = /^\s?(?:[A-Za-zµ%])/;
/** What a number was multiplied with when its value was taken: thousands, binary ones, parts of a second, minutes, hours, percent. */
const factors = [
  1e3,
  1e6,
  1e9,
  1e12,
  1e-3,
  1e-6,
  1e-9,
  60,
  3600,
  86_400,
  2 ** 10,
  2 ** 20,
  2 ** 30,
  2 ** 40,
  100,
  0.01,
];

function spansOf(text: string, values: LogValues): readonly Span[] {
  const wanted = wantedOf(values);
  const taken = [...text.matchAll(stamp)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  const spans: Span[] = [];
  for (const match of text.matchAll(token)) {
    const from = match.index;
    const to = from + match[0].length;
    if (taken.some((span) => from >= span.from && from < span.to)) continue;
    const after = text.slice(to, to + 6);
    // `layer3`, `512x512` and versions are names.
    if (/[A-Za-z\d.]/.test(text[from - 1] ?? '') || (/^[\w]/.test(after) && !glued.test(after))) continue;
    if (!take(wanted, match[0], unit.test(after))) continue;
    const sign = /[-+]/.test(text[from - 1] ?? '') && !/[\w)\]]/.test(text[from - 2] ?? '') ? 1 : 0;
    spans.push({ from: from - sign, to: to + (glued.exec(after)?.[0].length ?? 0) });
  }
  return spans;
}

/** `9-10` and `7/16` are one. */
function joined(spans: readonly Span[], text: string): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const before = all.at(-1);
    if (before && span.from === before.to + 1 && /[-/]/.test(text[before.to] ?? ''))
      all[all.length - 1] = { from: before.from, to: span.to };
    else all.push(span);
  }
  return all;
}

/** Each value stands for one number of the text. */
function take(wanted: Map<string, number>, word: string, hasUnit: boolean): boolean {
  const number = numberOf(word);
  const exact = keyOf(number);
  // A unit may stand in the name, or in a table's head; a short number would be the same as too many values then.
  const isLong =
    word
      .replace(/[eE].*/, '')
      .replace(/\D/g, '')
      .replace(/^0+/, '').length >= 3;
  const scaled = hasUnit || isLong ? factors.map((factor) => keyOf(number * factor)) : [];
  const key = [exact, ...scaled].find((each) => (wanted.get(each) ?? 0) > 0);
  if (key === undefined) return false;
  wanted.set(key, (wanted.get(key) ?? 0) - 1);
  return true;
}

function numberOf(word: string): number {
  if (/^nan$/i.test(word)) return NaN;
  if (/^inf/i.test(word)) return Infinity;
  if (word.includes(':')) return word.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  if (/^\d{1,3}(,\d{3})+/.test(word)) return Number(word.replaceAll(',', ''));
  return Number(word.replace(',', '.'));
}

/** The same for what differs by the error of a multiplication alone. */
function keyOf(number: number): string {
  return Number.isFinite(number) ? Math.abs(number).toPrecision(9) : String(Math.abs(number));
}

function wantedOf(values: LogValues): Map<string, number> {
  const wanted = new Map<string, number>();
  for (const number of numbersOf(values)) {
    const key = keyOf(number);
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  return wanted;
}

function numbersOf({ queues = [], stages = [], other = {}, ...fields }: LogValues): readonly number[] {
  const nested = [...queues, ...stages].flatMap((reading) => Object.values(reading) as readonly unknown[]);
  return [...Object.values(fields), ...Object.values(other), ...nested].filter((value) => typeof value === 'number');
}

import { parsePattern, type Item } from './regex-items.ts';

/** What running a pattern may cost, by its source. */
export interface PatternCost {
  /** Lines of so many characters take it no time: it may run on them without a watch. */
  readonly cheapUpTo: number;
  /** A text that stands in every match; absent: none is sure. */
  readonly literal?: string;
}

/** By how many repeats may run into what follows them (`.*loss.*step` has two): each is another power of the line's length. */
const cheapLengths: readonly number[] = [4000, 1000];
/** Shorter ones stand in most lines. */
const shortestLiteral = 2;

/** Judges a pattern by its parts, and takes what it does not know for dear: a repeat in a repeat, references, looks ahead and behind. */
export function costOf({ source }: RegExp): PatternCost {
  const alternatives = parsePattern(source);
  if (!alternatives) return { cheapUpTo: 0 };
  const cheapUpTo = cheapLengths[Math.max(...alternatives.map(ambiguousOf))] ?? 0;
  const [only] = alternatives;
  const literal = alternatives.length === 1 && only ? longestLiteral(only) : '';
  return { cheapUpTo, ...(literal.length >= shortestLiteral && { literal }) };
}

/** Repeats that can give characters to what follows them. */
function ambiguousOf(items: readonly Item[]): number {
  return items.filter((item, i) => item.isUnbounded && isFollowedByOwn(item, items.slice(i + 1))).length;
}

function isFollowedByOwn({ chars }: Item, rest: readonly Item[]): boolean {
  for (const next of rest) {
    if (next.chars.some((has, code) => has && chars[code])) return true;
    if (!next.isOptional) return false;
  }
  return false;
}

function longestLiteral(items: readonly Item[]): string {
  let [longest, run] = ['', ''];
  for (const { literal } of items) {
    run = literal === undefined ? '' : run + literal;
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

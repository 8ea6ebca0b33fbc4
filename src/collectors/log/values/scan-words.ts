import { isDigit, isIdeograph, isLetter, isSpace, isWordly } from './chars.ts';
import type { Phrase } from './listener.ts';
import { skipSpaces, type Reading } from './scan-value.ts';
import { unitOf } from './units.ts';

/** The unit apart from a value is the name of the next one. */
export function namesWhatFollows(text: string, { end, unitAt, unit, kind }: Reading, phrase: Phrase): boolean {
  const next = skipSpaces(text, end);
  const code = text.charCodeAt(next);
  if ((code === 61 || code === 58) && text.charCodeAt(next + 1) !== code) return true;
  if (unit === undefined || unit.of === 'count') return isDigit(code) && unit?.of === 'count';
  if (!startsNumber(text, next, code) || kind !== 'number') return false;
  if (phrase.count === 0) return false;
  // A rate that is a name itself: `tok/s 10015 samples/s 12.5`.
  const last = lastWord(phrase);
  const isRate = unit.of !== 'time' && unit.of !== 'bytes' && unit.of !== 'percent';
  if (!isRate) return false;
  return !/^(?:tps|tokps|wps|tput|dt|\w*(?:time|speed|rate|throughput|perf))$/i.test(last) && unitAt >= 0;
}

const lastWord = ({ text, starts, ends, count }: Phrase) => text.slice(starts[count - 1], ends[count - 1]);

/** `loss nan`, and not `number of nan iterations`. */
export function mayBeNaN(text: string, at: number, phrase: Phrase): boolean {
  if (phrase.tie !== 0) return true;
  const after = text.charCodeAt(skipSpaces(text, at + 3));
  return !isLetter(after) || /(?:loss|norm|ppl|lr|perplexity)$/i.test(lastWord(phrase));
}

const minutes = /(\d{1,5}(?:\.\d+)?)m(?![\w/])/y;

/** `eta 50m`, which elsewhere are metres or millions. */
export function scanMinutes(text: string, at: number, phrase: Phrase, out: Reading): boolean {
  if (phrase.count === 0 || !/^(?:eta|elapsed|remaining)$/i.test(lastWord(phrase))) return false;
  minutes.lastIndex = at;
  const match = minutes.exec(text);
  if (!match) return false;
  out.kind = 'time';
  out.seconds = Number((Number(match[1]) * 60).toFixed(3));
  out.end = minutes.lastIndex;
  return true;
}

/** Where a name in quotes or brackets ends, `queue "loader" 7/16`, `stage [fwd]: avg=3ms`; -1: it is none of a queue or a stage. */
export function quotedEnd({ text, starts, ends, count, tie }: Phrase, at: number, code: number): number {
  if (count === 0 || tie !== 0 || !hasNames.test(text.slice(starts[count - 1], ends[count - 1]))) return -1;
  const to = text.indexOf(closing.get(code) ?? '', at + 1);
  if (to < at + 2 || to - at > 40) return -1;
  return /^[\p{L}_][\p{L}\d_./>-]*$/u.test(text.slice(at + 1, to)) ? to : -1;
}

/** Quotes and brackets around names. */
const closing: ReadonlyMap<number, string> = new Map([[34, '"'], [39, "'"], [96, '`'], [60, '>'], [40, ')'], [91, ']'], [0x201c, '”'], [0x201e, '“'], [0xab, '»']]); // prettier-ignore
/** What has a name that may be quoted. */
const hasNames =
  /^(?:queues?|buffer|pool|channel|stage|phase|timer|warteschlange|phase|étape|file|cola|очередь|этап|キュー|队列|阶段|큐)$/iu;

/** A digit, a point or a sign with one behind it, where no word is. */
export function startsNumber(text: string, at: number, code: number): boolean {
  if (isDigit(code)) {
    const before = text.charCodeAt(at - 1);
    if (before === 46 || before === 47 || before === 45 || before === 64) return !isWordly(text.charCodeAt(at - 2));
    return true;
  }
  const next = text.charCodeAt(at + 1);
  if (code === 46) return isDigit(next) && !isWordly(text.charCodeAt(at - 1));
  if (code !== 45 && code !== 43 && code !== 0x2212) return false;
  if (isWordly(text.charCodeAt(at - 1))) return false;
  return (
    isDigit(next) ||
    (next === 46 && isDigit(text.charCodeAt(at + 2))) ||
    (/[in]/i.test(text.charAt(at + 1)) && /^(?:inf|nan)/i.test(text.slice(at + 1, at + 4)))
  );
}

/** Ends of what is neither a word nor a number: a path, a version, an address. */
export function runEnd(text: string, at: number): number {
  let i = at + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (
      isWordly(code)
        ? isIdeograph(code)
        : !(
            code === 46 ||
            code === 47 ||
            code === 58 ||
            code === 45 ||
            code === 43 ||
            code === 64 ||
            code === 92 ||
            (code === 44 && isDigit(text.charCodeAt(i + 1)))
          )
    )
      break;
  }
  return i;
}

/** `train/loss`, `lm-loss`, `q_hs`, `memory/max_mem_active(gib)`, `elapsed (ms)`: with a unit or a group in parentheses. */
export function wordEnd(text: string, at: number): number {
  let i = at + 1;
  let ideograph = isIdeograph(text.charCodeAt(at));
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isWordly(code)) {
      if (ideograph && isDigit(code)) break;
      ideograph = isIdeograph(code);
      continue;
    }
    const joins = code === 47 || code === 46 || code === 45 || code === 64 || code === 0x2019 || code === 39;
    if (!joins || !isWordly(text.charCodeAt(i + 1)) || (code === 39 && !isLetter(text.charCodeAt(i + 1)))) break;
    if (code === 39 && i - at > 2) break;
  }
  const open = isSpace(text.charCodeAt(i)) ? i + 1 : i;
  const bracket = text.charCodeAt(open);
  if (bracket !== 40 && bracket !== 91 && bracket !== 0xff08) return i;
  const close = text.indexOf(bracket === 40 ? ')' : bracket === 91 ? ']' : '）', open);
  if (close < 0 || close - open > 24 || close === open + 1) return i;
  const inner = text.slice(open + 1, close);
  // `validation (step 1200): loss 2.31`
  if (isCount.test(inner)) return i;
  const next = text.charCodeAt(skipSpaces(text, close + 1));
  const tied = next === 61 || next === 58 || next === 0xff1a;
  const isUnit = unitOf(inner) !== undefined;
  // `Time [s]: 3`, `q[decode]=7/16`.
  if (bracket === 91) return tied && (isUnit || (open === i && /^[A-Za-z_][\w./-]*$/.test(inner))) ? close + 1 : i;
  if (!isUnit && (!/^[A-Za-z%µ][\w %./-]*$/.test(inner) || /[=:]/.test(inner))) return i;
  return tied || (isUnit && (isDigit(next) || next === 124)) ? close + 1 : i;
}

const isCount = /^(?:global[ _])?(?:step|iter|iteration|epoch|ep|update)s?[ =:#]{1,2}\d/i;

const glued = /(steps?|iter(?:ation)?|it|upd(?:ate)?|epoch|ep)[_#-]?(?=\d+(?!\w))/iy;

/** Where the name ends and the number begins in a word that has both: `step1200`, `epoch_3`. */
export function gluedName(text: string, at: number, to: number): { end: number; number: number } | undefined {
  glued.lastIndex = at;
  const [whole = '', name = ''] = glued.exec(text) ?? [];
  return name !== '' && at + whole.length <= to ? { end: at + name.length, number: at + whole.length } : undefined;
}

/** In parentheses as elsewhere: `(3.2 steps/s, 12.5 samples/s)`, `(2h 42m left)`. */
export function tellsItself(text: string, { kind, unit, end }: Reading): boolean {
  if (kind === 'time') return isLetter(text.charCodeAt(skipSpaces(text, end)));
  return unit !== undefined && /^(?:tokens|samples|steps|steptime|flops)$/.test(unit.of);
}

/** `msg="step done" loss=2.31`: the quote behind the words, where they are no key. */
export function endsQuote({ text, ends, count, tie }: Phrase, at: number): boolean {
  if (count === 0 || tie !== 0 || ends[count - 1] !== at) return false;
  const next = text.charCodeAt(skipSpaces(text, at + 1));
  return next !== 58 && next !== 61;
}

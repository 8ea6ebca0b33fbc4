import { isDigit, isFence, isIdeograph, isLetter, isSpace, isWordly } from './chars.ts';
import { marksOf } from './marks.ts';
import type { Marks } from './scan-number.ts';
import { blankReading, scanValue, skipSpaces, type Reading } from './scan-value.ts';
import { unitOf } from './units.ts';

/** Words that follow each other before a value, and how they are tied to it. */
export interface Phrase {
  readonly text: string;
  /** Where each word begins and ends; the last ones, eight at most. */
  readonly starts: number[];
  readonly ends: number[];
  count: number;
  /** `=`, `:`, or 0: a blank at most. */
  tie: number;
}

/** Told what stands in a line, in order. */
export interface Listener {
  /** A value behind its words, or without any (`count` 0). */
  value(phrase: Phrase, reading: Reading, at: number): void;
  /** `key: word`, `key=word`, and the word. */
  word(phrase: Phrase, from: number, to: number): void;
  /** `[word]`. */
  mark(word: string): void;
  /** A value in parentheses behind a value. */
  aside(reading: Reading): void;
  /** A dict begins; returns where it ends. */
  dict(phrase: Phrase, at: number): number;
  /** Words that no value follows. */
  dropped(phrase: Phrase): void;
  /** A field ends: at `,`, `|`, an end of a line. */
  fence(phrase: Phrase, code: number): void;
}

const maxWords = 8;

/** Reads a line from left to right, once: words, ties, values. */
export function createScanner() {
  const reading = blankReading();
  const phrase: { -readonly [K in keyof Phrase]: Phrase[K] } = {
    text: '',
    starts: new Array<number>(maxWords).fill(0),
    ends: new Array<number>(maxWords).fill(0),
    count: 0,
    tie: 0,
  };
  const { starts, ends } = phrase;

  const push = (from: number, to: number) => {
    if (phrase.count === maxWords) {
      starts.copyWithin(0, 1);
      ends.copyWithin(0, 1);
      phrase.count--;
    }
    starts[phrase.count] = from;
    ends[phrase.count] = to;
    phrase.count++;
  };

  /** Of the lines before, where one was certain. */
  let previous: Marks = 'point';

  return (text: string, listener: Listener): void => {
    const marks = marksOf(text, previous);
    if (marks === 'comma') previous = marks;
    phrase.text = text;
    phrase.count = 0;
    phrase.tie = 0;
    /** Where the last value ended. */
    let valueEnd = -1;
    let gap = false;
    let i = 0;

    const drop = () => {
      if (phrase.count > 0) listener.dropped(phrase);
      phrase.count = 0;
      phrase.tie = 0;
    };
    const value = (at: number): boolean => {
      if (!scanValue(text, at, marks, reading)) return false;
      // `lr 3.0e-4 tok/s 10015`, `loss: 2.1 tok/s: 10015`: the name of what follows.
      if (reading.unitAt >= 0 && namesWhatFollows(text, reading, phrase)) {
        reading.end = reading.unitAt;
        while (isSpace(text.charCodeAt(reading.end - 1))) reading.end--;
        reading.unit = undefined;
      }
      listener.value(phrase, reading, at);
      phrase.count = 0;
      phrase.tie = 0;
      i = valueEnd = reading.end;
      return true;
    };

    while (i < text.length) {
      const code = text.charCodeAt(i);
      if (isSpace(code)) {
        gap = code === 9 || isSpace(text.charCodeAt(i + 1));
        i++;
        continue;
      }
      if (isLetter(code)) {
        const low = code | 32;
        if ((low === 110 || low === 105) && phrase.count > 0 && mayBeNaN(text, i, phrase) && value(i)) continue;
        const to = wordEnd(text, i);
        if (phrase.tie !== 0) {
          listener.word(phrase, i, to);
          phrase.count = 0;
          phrase.tie = 0;
        } else if (gap) drop();
        gap = false;
        push(i, to);
        i = to;
        continue;
      }
      gap = false;
      if (startsNumber(text, i, code)) {
        if (value(i)) continue;
        i = runEnd(text, i);
        drop();
        continue;
      }
      if (isFence(code)) {
        listener.fence(phrase, code);
        phrase.count = 0;
        phrase.tie = 0;
        i++;
        continue;
      }
      switch (code) {
        case 61: // =
        case 0xff1d: {
          let to = i + 1;
          while (text.charCodeAt(to) === 61) to++;
          if (to > i + 1 || text.charCodeAt(to) === 62) drop();
          else if (phrase.count > 0) phrase.tie = code;
          i = to;
          continue;
        }
        case 58: // :
        case 0xff1a: {
          const next = text.charCodeAt(i + 1);
          if (next === 47 || next === 92) {
            i = runEnd(text, i);
            drop();
          } else if (next === 58) {
            i += 2;
            drop();
          } else {
            if (phrase.count > 0) phrase.tie = 58;
            i++;
          }
          continue;
        }
        case 40: // (
          if (valueEnd === i || (valueEnd === i - 1 && isSpace(text.charCodeAt(i - 1)))) {
            const from = skipSpaces(text, i + 1);
            if (startsNumber(text, from, text.charCodeAt(from)) && scanValue(text, from, marks, reading)) {
              // `(3.2 steps/s, 12.5 samples/s)` is told as any other.
              if (reading.unit && /^(?:tokens|samples|steps|steptime|flops)$/.test(reading.unit.of)) {
                listener.fence(phrase, 44);
                i++;
                continue;
              }
              const close = skipSpaces(text, reading.end);
              if (text.charCodeAt(close) === 41) listener.aside(reading);
              const to = text.indexOf(')', reading.end);
              i = to < 0 || to - i > 40 ? i + 1 : to + 1;
              continue;
            }
          }
          i++;
          continue;
        case 91: {
          // [
          if ((phrase.count > 0 || valueEnd === i || valueEnd === i - 1) && value(i)) continue;
          const close = text.indexOf(']', i);
          if (phrase.tie !== 0 && close > 0) {
            i = close + 1;
            drop();
            continue;
          }
          drop();
          if (close > i && close - i < 14) {
            const inner = text.slice(i + 1, close);
            listener.mark(inner);
            if (/^[A-Za-z]+$/.test(inner)) i = close;
          }
          i++;
          continue;
        }
        case 123: // {
          i = Math.max(listener.dict(phrase, i), i + 1);
          valueEnd = -1;
          phrase.count = 0;
          phrase.tie = 0;
          continue;
        case 34: // " '
        case 39:
          i++;
          continue;
        case 45: // -
          // `--lr 3e-4` is an option, ` - ` parts.
          if (isLetter(text.charCodeAt(i + 1))) {
            drop();
            i = wordEnd(text, i + 1);
          } else {
            drop();
            i++;
          }
          continue;
        case 37: // % $ & # ~
        case 36:
        case 38:
        case 35:
        case 126:
          i++;
          continue;
        case 47: // /
          i = runEnd(text, i);
          drop();
          continue;
        default:
          drop();
          i++;
      }
    }
    listener.fence(phrase, 0);
  };
}

function namesWhatFollows(text: string, { end, unitAt, unit, kind }: Reading, phrase: Phrase): boolean {
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
function mayBeNaN(text: string, at: number, phrase: Phrase): boolean {
  if (phrase.tie !== 0) return true;
  const after = text.charCodeAt(skipSpaces(text, at + 3));
  return !isLetter(after) || /(?:loss|norm|ppl|lr|perplexity)$/i.test(lastWord(phrase));
}

/** A digit, a point or a sign with one behind it, where no word is. */
function startsNumber(text: string, at: number, code: number): boolean {
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
function runEnd(text: string, at: number): number {
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
function wordEnd(text: string, at: number): number {
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
  if (bracket !== 40 && bracket !== 91) return i;
  const close = text.indexOf(bracket === 40 ? ')' : ']', open);
  if (close < 0 || close - open > 24 || close === open + 1) return i;
  const inner = text.slice(open + 1, close);
  const next = text.charCodeAt(skipSpaces(text, close + 1));
  const tied = next === 61 || next === 58 || next === 0xff1a;
  const isUnit = unitOf(inner) !== undefined;
  // `Time [s]: 3`, `q[decode]=7/16`.
  if (bracket === 91) return tied && (isUnit || (open === i && /^[A-Za-z_][\w./-]*$/.test(inner))) ? close + 1 : i;
  if (!/^[A-Za-z%µ][\w %./-]*$/.test(inner) || /[=:]/.test(inner)) return i;
  return tied || (isUnit && (isDigit(next) || next === 124)) ? close + 1 : i;
}

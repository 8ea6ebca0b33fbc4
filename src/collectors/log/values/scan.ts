import { isDigit, isFence, isLetter, isSpace } from './chars.ts';
import type { Listener, Phrase } from './listener.ts';
import { marksOf } from './marks.ts';
import type { Marks } from './scan-number.ts';
import { blankReading, scanValue, skipSpaces } from './scan-value.ts';
import {
  endsQuote,
  scanMinutes,
  gluedName,
  mayBeNaN,
  namesWhatFollows,
  quotedEnd,
  runEnd,
  startsNumber,
  tellsItself,
  wordEnd,
} from './scan-words.ts';

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
  /** Of the lines before, where one was certain. */
  let previous: Marks = 'point';
  let marks: Marks = 'point';
  let text = '';
  let listener: Listener;
  let i = 0;
  /** Where the last value ended. */
  let valueEnd = -1;
  /** More than one blank stands before what comes. */
  let gap = false;

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

  const clear = () => {
    phrase.count = 0;
    phrase.tie = 0;
  };

  const drop = () => {
    if (phrase.count > 0) listener.dropped(phrase);
    clear();
  };

  const value = (at: number): boolean => {
    if (!scanValue(text, at, marks, reading) && !scanMinutes(text, at, phrase, reading)) return false;
    // `lr 3.0e-4 tok/s 10015`, `loss: 2.1 tok/s: 10015`: the name of what follows.
    if (reading.unitAt >= 0 && namesWhatFollows(text, reading, phrase)) {
      reading.end = reading.unitAt;
      while (isSpace(text.charCodeAt(reading.end - 1))) reading.end--;
      reading.unit = undefined;
    }
    const { end } = reading;
    listener.value(phrase, reading, at);
    clear();
    i = valueEnd = end;
    return true;
  };

  const word = (code: number) => {
    const low = code | 32;
    if ((low === 110 || low === 105) && phrase.count > 0 && mayBeNaN(text, i, phrase) && value(i)) return;
    const to = wordEnd(text, i);
    if (phrase.tie === 0 && isDigit(text.charCodeAt(to - 1)) && numbered(to)) return;
    if (phrase.tie !== 0) {
      const isWhole = phrase.tie === 61 && isSpace(text.charCodeAt(to));
      listener.word(phrase, i, to);
      clear();
      // `queue=loader depth=7`
      if (isWhole) {
        gap = false;
        i = to;
        return;
      }
    } else if (gap) drop();
    gap = false;
    push(i, to);
    i = to;
  };

  /** `step1200`, `epoch_3`: a name and its number. */
  const numbered = (to: number): boolean => {
    const name = gluedName(text, i, to);
    if (!name) return false;
    if (gap) drop();
    push(i, name.end);
    const isNumber = value(name.number);
    if (!isNumber) phrase.count--;
    return isNumber;
  };

  /** `=`, `==`, `=>` */
  const equals = () => {
    let to = i + 1;
    while (text.charCodeAt(to) === 61) to++;
    if (to > i + 1 || text.charCodeAt(to) === 62) drop();
    else if (phrase.count > 0) phrase.tie = 61;
    i = to;
  };

  /** `:`, `://`, `::` */
  const colon = () => {
    const next = text.charCodeAt(i + 1);
    if (next === 47 || next === 92) {
      i = runEnd(text, i);
      drop();
    } else if (next === 58) {
      // `queue loader :: 6/8`, and not `std::vector`.
      if (phrase.count > 0 && isSpace(text.charCodeAt(i - 1)) && isSpace(text.charCodeAt(i + 2))) phrase.tie = 58;
      else drop();
      i += 2;
    } else {
      if (phrase.count > 0) phrase.tie = 58;
      i++;
    }
  };

  const parenthesis = () => {
    if (quoted(40)) return;
    const behind = valueEnd === i || (valueEnd === i - 1 && isSpace(text.charCodeAt(i - 1)));
    const from = behind ? skipSpaces(text, i + 1) : 0;
    if (behind && startsNumber(text, from, text.charCodeAt(from)) && scanValue(text, from, marks, reading)) {
      if (tellsItself(text, reading)) {
        listener.fence(phrase, 44);
        i++;
        return;
      }
      if (text.charCodeAt(skipSpaces(text, reading.end)) === 41) listener.aside(reading);
      const to = text.indexOf(')', reading.end);
      i = to < 0 || to - i > 40 ? i + 1 : to + 1;
      return;
    }
    i++;
  };

  const quoted = (code: number): boolean => {
    const to = quotedEnd(phrase, i, code);
    if (to < 0) return false;
    push(i + 1, to);
    i = to + 1;
    return true;
  };

  const bracket = () => {
    if (quoted(91)) return;
    if ((phrase.count > 0 || valueEnd === i || valueEnd === i - 1) && value(i)) return;
    if (valueEnd < 0 && phrase.count === 0 && value(i)) return;
    const close = text.indexOf(']', i);
    const isValue = phrase.tie !== 0 && close > 0;
    drop();
    if (isValue) {
      i = close + 1;
      return;
    }
    if (close > i && close - i < 14) {
      const inner = text.slice(i + 1, close);
      listener.mark(inner);
      if (/^[A-Za-z]+$/.test(inner)) i = close;
    }
    i++;
  };

  /** What is neither a word nor a number nor a blank. */
  const sign = (code: number) => {
    switch (code) {
      case 61: // =
      case 0xff1d:
        return equals();
      case 58: // :
      case 0xff1a:
        return colon();
      case 0x2192: // →
        if (phrase.count > 0) phrase.tie = 58;
        i++;
        return;
      case 40: // (
        return parenthesis();
      case 91: // [
        return bracket();
      case 123: // {
        i = Math.max(listener.dict(phrase, i), i + 1);
        valueEnd = -1;
        return clear();
      case 34:
        if (quoted(code)) return;
        if (endsQuote(phrase, i)) {
          listener.quoted(phrase);
          clear();
        }
        i++;
        return;
      case 96: // other quotes
      case 60:
      case 0x201c:
      case 0x201e:
      case 0xab:
        if (quoted(code)) return;
        i++;
        return drop();
      case 39: // quotes, and signs before a name
        if (!quoted(code)) i++;
        return;
      case 35:
      case 36:
      case 37:
      case 38:
      case 126:
        i++;
        return;
      case 47: // /
        i = runEnd(text, i);
        return drop();
      case 45: // `--lr 3e-4` is an option, ` - ` parts.
        i = isLetter(text.charCodeAt(i + 1)) ? wordEnd(text, i + 1) : i + 1;
        return drop();
      default:
        i++;
        return drop();
    }
  };

  const scan = (line: string, told: Listener): void => {
    marks = marksOf(line, previous);
    if (marks === 'comma') previous = marks;
    phrase.text = text = line;
    listener = told;
    clear();
    valueEnd = -1;
    gap = false;
    i = 0;
    const { length } = line;
    while (i < length) {
      const code = text.charCodeAt(i);
      if (isSpace(code)) {
        gap = code === 9 || isSpace(text.charCodeAt(i - 1)) || isSpace(text.charCodeAt(i + 1));
        i++;
      } else if (isLetter(code)) word(code);
      else {
        gap = false;
        if (startsNumber(text, i, code)) {
          if (value(i)) continue;
          i = runEnd(text, i);
          drop();
        } else if (isFence(code)) {
          listener.fence(phrase, code);
          clear();
          i++;
        } else sign(code);
      }
    }
    listener.fence(phrase, 0);
  };
  return {
    scan,
    /** How numbers are written where a line leaves it open. */
    get marks() {
      return previous;
    },
  };
}

import { endsNumber, isDigit, isIdeograph, isLetter, isSpace, isWordly } from './chars.ts';
import { blankNumber, scanNumber, type Marks, type Scanned } from './scan-number.ts';
import { scanTime } from './scan-time.ts';
import { unitOf, type Unit } from './units.ts';

/** What stands after a key. One is filled again and again. */
export interface Reading {
  kind: 'number' | 'pair' | 'range' | 'time';
  /** The number; of a pair the first, of a range the lower. */
  readonly first: Scanned;
  readonly second: Scanned;
  /** Of a range: what it is of, its capacity. NaN: not told. */
  readonly of: Scanned;
  /** Of a pair: the second is not known yet (`105/???`). */
  open: boolean;
  unit: Unit | undefined;
  /** Of a time: `1:02:03`, `2h 3m`. */
  seconds: number;
  end: number;
  /** Its unit stands apart, and could be the name of what follows; where it begins. */
  unitAt: number;
}

/** A reading yet to be made. */
export const blankReading = (): Reading => ({
  kind: 'number',
  first: blankNumber(),
  second: blankNumber(),
  of: blankNumber(),
  open: false,
  unit: undefined,
  seconds: NaN,
  end: 0,
  unitAt: -1,
});

/** Reads the value at `at`, where a number, a sign or a bracket stands. False: there is none that is understood. */
export function scanValue(text: string, at: number, marks: Marks, out: Reading): boolean {
  out.unit = undefined;
  out.unitAt = -1;
  out.open = false;
  out.of.value = NaN;
  if (text.charCodeAt(at) === 91) return scanBracket(text, at, marks, out);
  if (scanTime(text, at, out)) return true;
  const { first, second } = out;
  if (!scanNumber(text, at, marks, first)) return false;
  out.kind = 'number';
  out.end = first.end;
  const next = skipSpaces(text, first.end);
  const code = text.charCodeAt(next);
  if (code === 47 && text.charCodeAt(next + 1) !== 47) {
    const from = skipSpaces(text, next + 1);
    if (isPlaceholder(text, from)) {
      out.kind = 'pair';
      out.open = true;
      out.end = from + placeholderLength(text, from);
      return true;
    }
    if (scanNumber(text, from, marks, second)) {
      out.kind = 'pair';
      out.end = second.end;
    }
  } else if (next === first.end && isRangeMark(text, next, first)) {
    const from = next + (text.charCodeAt(next) === 46 ? 2 : 1);
    if (
      scanNumber(text, from, marks, second) &&
      second.value >= first.value &&
      endsNumber(text.charCodeAt(second.end))
    ) {
      out.kind = 'range';
      out.end = second.end;
      return true;
    }
  } else if (next > first.end) takeOf(text, next, marks, out);
  return takeUnit(text, out);
}

/** `[100/600]`, `[9-10]/60`, `[5e-05]`, `[ 510/2046]`. */
function scanBracket(text: string, at: number, marks: Marks, out: Reading): boolean {
  const from = skipSpaces(text, at + 1);
  const { first, second, of } = out;
  if (!scanNumber(text, from, marks, first)) return false;
  let i = skipSpaces(text, first.end);
  const code = text.charCodeAt(i);
  out.kind = 'number';
  // `[1200|20000]`
  if (code === 47 || code === 124 || code === 45 || code === 0x2013 || (code === 46 && text.charCodeAt(i + 1) === 46)) {
    out.kind = code === 47 || code === 124 ? 'pair' : 'range';
    i = skipSpaces(text, i + (code === 46 ? 2 : 1));
    if (out.kind === 'pair' && isPlaceholder(text, i)) {
      out.open = true;
      i += placeholderLength(text, i);
    } else {
      if (!scanNumber(text, i, marks, second)) return false;
      if (out.kind === 'range' && !(second.value >= first.value)) return false;
      i = skipSpaces(text, second.end);
    }
  } else if (code === 44) {
    // One a parameter group: a value only when all agree.
    const { value } = first;
    while (text.charCodeAt(i) === 44) {
      if (!scanNumber(text, skipSpaces(text, i + 1), marks, second) || !Object.is(second.value, value)) return false;
      i = skipSpaces(text, second.end);
    }
  }
  if (text.charCodeAt(i) !== 93) return false;
  out.end = i + 1;
  if (out.kind !== 'range') return true;
  i = skipSpaces(text, out.end);
  const slash = text.charCodeAt(i) === 47;
  if (!slash && text.slice(i, i + 3) !== 'of ') return true;
  if (scanNumber(text, skipSpaces(text, i + (slash ? 1 : 3)), marks, of)) out.end = of.end;
  else of.value = NaN;
  return true;
}

const ofWords: readonly string[] = ['of ', 'von ', 'sur ', 'de ', 'из ', 'out of '];

/** `7 of 16`, `Schritt 7 von 16`. */
function takeOf(text: string, at: number, marks: Marks, out: Reading): void {
  const code = text.charCodeAt(at);
  if (code !== 111 && code !== 118 && code !== 115 && code !== 100 && code !== 0x438) return;
  for (const word of ofWords) {
    if (!text.startsWith(word, at)) continue;
    const from = skipSpaces(text, at + word.length);
    if (!isDigit(text.charCodeAt(from)) || !scanNumber(text, from, marks, out.second)) return;
    out.kind = 'pair';
    out.end = out.second.end;
  }
}

/** The unit that is glued to the value or follows a blank, of those that are known. False: glued letters that are none. */
function takeUnit(text: string, out: Reading): boolean {
  const { end } = out;
  const code = text.charCodeAt(end);
  if (code === 37 || code === 0xff05) {
    out.unit = unitOf('%');
    out.end = end + 1;
    return true;
  }
  if (isLetter(code) || code === 0xb5) {
    const to = unitEnd(text, end);
    const unit = unitOf(text.slice(end, to));
    if (unit) {
      out.unit = unit;
      out.end = to;
      takeScope(text, text.slice(end, to), out);
      return true;
    }
    // `第10步`, `损失2.31学习率`: words without blanks.
    return isIdeograph(code) || takeIdeographs(text, out);
  }
  if (code === 47) {
    // `tokens=24100/s`: of what its key counts.
    const to = text.startsWith('/sec', end) ? end + 4 : end + 2;
    if (text.charCodeAt(end + 1) !== 115 || !endsNumber(text.charCodeAt(to))) return false;
    out.unit = unitOf('/s');
    out.end = to;
    return true;
  }
  if (!endsNumber(code))
    return (code === 45 || code === 46) && !isWordly(text.charCodeAt(end + 1)) && text.charCodeAt(end + 1) !== 45;
  if (!isSpace(code)) return true;
  const from = skipSpaces(text, end);
  if (from - end > 1 || code === 9) return true;
  const first = text.charCodeAt(from);
  if (first === 37) {
    out.unit = unitOf('%');
    out.end = from + 1;
    return true;
  }
  if (!isLetter(first) && first !== 0xb5) return true;
  const to = unitEnd(text, from);
  let unit = unitOf(text.slice(from, to));
  let last = to;
  // `tokens per second per GPU`.
  for (let k = 0; k < 2; k++) {
    if (!text.startsWith(' per ', last)) break;
    const more = unitEnd(text, last + 5);
    const longer = unitOf(text.slice(from, more));
    if (!longer) break;
    unit = longer;
    last = more;
  }
  if (unit) {
    out.unit = unit;
    out.unitAt = from;
    out.end = last;
    takeScope(text, text.slice(from, last), out);
  }
  return true;
}

/** `790.1 kTok/s (global)`, `12.3K tok/s (per GPU)`: of what. */
const scopeBehind =
  /\s?[([](?:(global|total|all|cluster|aggregate|all (?:gpus|ranks|devices)|sum|overall)|(?:(?:per|each|a)[ -])?(?:gpu|device|rank|chip|npu|card))[)\]]|\s(global|total|aggregate|overall)(?=\s*(?:[,;|)]|$))/iy;

function takeScope(text: string, unit: string, out: Reading): void {
  const { of, scope } = out.unit ?? {};
  if (of !== 'tokens' || scope) return;
  scopeBehind.lastIndex = out.end;
  const match = scopeBehind.exec(text);
  const scoped = match ? unitOf(`${unit}/${(match[1] ?? match[2]) === undefined ? 'gpu' : 'global'}`) : undefined;
  if (!scoped) return;
  out.unit = scoped;
  out.end = scopeBehind.lastIndex;
}

/** Latin units before ideographs: `12ms学习率`. */
function takeIdeographs(text: string, out: Reading): boolean {
  let to = out.end;
  while (isLetter(text.charCodeAt(to)) && !isIdeograph(text.charCodeAt(to))) to++;
  if (!isIdeograph(text.charCodeAt(to))) return false;
  const unit = unitOf(text.slice(out.end, to));
  if (!unit) return false;
  out.unit = unit;
  out.end = to;
  return true;
}

function unitEnd(text: string, at: number): number {
  let i = at;
  for (;;) {
    const code = text.charCodeAt(i);
    if (isLetter(code) || code === 0xb5) i++;
    else if (code === 47 && isLetter(text.charCodeAt(i + 1))) i++;
    else return i;
  }
}

function isRangeMark(text: string, at: number, { fractional }: Scanned): boolean {
  const code = text.charCodeAt(at);
  if (fractional) return false;
  if (code === 46) return text.charCodeAt(at + 1) === 46 && isDigit(text.charCodeAt(at + 2));
  return (code === 45 || code === 0x2013 || code === 126) && isDigit(text.charCodeAt(at + 1));
}

const isPlaceholder = (text: string, at: number) =>
  text.charCodeAt(at) === 63 ||
  ((text.charCodeAt(at) | 32) === 110 && /^(?:None|n\/a|N\/A)/.test(text.slice(at, at + 4)));
const placeholderLength = (text: string, at: number) =>
  /^(?:\?+|None|n\/a|N\/A)/.exec(text.slice(at, at + 5))?.[0].length ?? 1;

/** Where blanks end. */
export function skipSpaces(text: string, at: number): number {
  let i = at;
  while (isSpace(text.charCodeAt(i))) i++;
  return i;
}

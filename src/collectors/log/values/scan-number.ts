import { endsNumber, isDigit, isWordly } from './chars.ts';
import { exact, timesTen } from '../numbers.ts';

/** One number of a text. A scanner fills the same one again and again. */
export interface Scanned {
  value: number;
  /** Where it ends. */
  end: number;
  /** With decimals, or an exponent. */
  fractional: boolean;
  /** A zero that may be one only for want of decimals: `0.000`. */
  rounded: boolean;
  /** Its digits without the point, and the power of ten that they are multiplied by; NaN: unknown. */
  mantissa: number;
  power: number;
  /** `K`, `M`, `G`, `B`, `T` or none that stands behind it and is in the value. */
  suffix: string;
}

/** How the numbers of a line are written: `2,301` and `1.200` mean something else in Berlin. */
export type Marks = 'point' | 'comma';

/** A number yet to be read. */
export const blankNumber = (): Scanned => ({
  value: NaN,
  end: 0,
  fractional: false,
  rounded: false,
  mantissa: NaN,
  power: 0,
  suffix: '',
});

const suffixes = new Map([
  ['k', 3],
  ['K', 3],
  ['M', 6],
  ['G', 9],
  ['B', 9],
  ['T', 12],
  ['千', 3],
  ['万', 4],
  ['萬', 4],
  ['만', 4],
  ['亿', 8],
  ['億', 8],
  ['억', 8],
]);

/**
 * Reads the number that begins at `at`: sign, groups of thousands, decimals, exponent, suffix; `nan` and `inf`. False: none does, or it
 * cannot be told what it says (`1,2,3`, `1.2.3`). What may follow it is not looked at.
 */
export function scanNumber(text: string, at: number, marks: Marks, out: Scanned): boolean {
  let i = at;
  const first = text.charCodeAt(i);
  const negative = first === 45 || first === 0x2212;
  if (negative || first === 43) i++;
  const code = text.charCodeAt(i);
  if (!isDigit(code) && !(code === 46 && isDigit(text.charCodeAt(i + 1)))) return scanWord(text, i, negative, out);
  const comma = marks === 'comma';
  const leadingZero = code === 48;
  const begin = i;
  let mantissa = 0;
  let power = 0;
  let next = code;
  while (next >= 48 && next <= 57) {
    mantissa = mantissa * 10 + next - 48;
    next = text.charCodeAt(++i);
  }
  let groups = 0;
  if (i > begin && i - begin <= 3 && !leadingZero && isGroupMark(next, comma)) {
    const mark = next;
    while (next === mark && isGroup(text, i + 1)) {
      for (let k = i + 1; k < i + 4; k++) mantissa = mantissa * 10 + text.charCodeAt(k) - 48;
      i += 4;
      next = text.charCodeAt(i);
      if (++groups > 6) return false;
    }
  }
  let fraction = -1;
  if (next === 46 ? groups === 0 || !comma : next === 44 && (comma || (groups === 0 && isLoneFraction(text, i + 1)))) {
    const after = text.charCodeAt(i + 1);
    if (isDigit(after) || (next === 46 && after !== 46 && !isWordly(after)) || (after | 32) === 101) {
      const from = ++i;
      next = after;
      while (next >= 48 && next <= 57) {
        mantissa = mantissa * 10 + next - 48;
        next = text.charCodeAt(++i);
      }
      fraction = i - from;
      power = -fraction;
    }
  }
  // `1,2,3`, `1.2.3`, `1:2`: lists, versions, addresses, times.
  if ((next === 44 || next === 46 || next === 58) && isDigit(text.charCodeAt(i + 1))) return false;
  let rounded = mantissa === 0 && fraction > 1;
  if (next === 101 || next === 69) {
    const sign = text.charCodeAt(i + 1);
    const minus = sign === 45 || sign === 0x2212;
    let k = i + (minus || sign === 43 ? 2 : 1);
    next = text.charCodeAt(k);
    if (isDigit(next)) {
      let exponent = 0;
      for (; isDigit(next); next = text.charCodeAt(++k)) exponent = exponent * 10 + next - 48;
      power += minus ? -exponent : exponent;
      fraction = Math.max(fraction, 0);
      i = k;
      rounded = false;
    }
  } else if (next === 0xd7 || next === 0xb7 || next === 42 || next === 120) {
    const ten = powerOfTen(text, i);
    if (ten) {
      power += ten.exponent;
      fraction = Math.max(fraction, 0);
      i = ten.end;
      rounded = false;
    }
  }
  out.suffix = '';
  next = text.charCodeAt(i);
  if (next > 65 && (next <= 107 || next > 0x2e80)) {
    const suffix = suffixes.get(text.charAt(i));
    if (suffix !== undefined && (next > 0x2e80 || !isWordly(text.charCodeAt(i + 1)))) {
      out.suffix = text.charAt(i);
      power += suffix;
      i++;
    }
  }
  // Below 2^53 a double has all digits; then the value is correctly rounded.
  const exactly = mantissa < 9e15;
  out.rounded = rounded;
  out.end = i;
  out.fractional = fraction >= 0;
  out.mantissa = exactly ? (negative ? -mantissa : mantissa) : NaN;
  out.power = power;
  out.value = exactly ? timesTen(out.mantissa, power) : slow(text.slice(at, i), marks, out.suffix);
  if (mantissa === 0) out.value = 0;
  return true;
}

const tenPower = /[×·*x]\s?10(?:\^([-+−]?\d{1,3})|([⁻⁺]?[⁰¹²³⁴-⁹]{1,3}))/y;

/** `×10⁻⁴`, `*10^-4`. */
function powerOfTen(text: string, at: number): { exponent: number; end: number } | undefined {
  tenPower.lastIndex = at;
  const [whole, plain, raised = ''] = tenPower.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = plain ?? raised.normalize('NFKC');
  return { exponent: Number(digits.replace('−', '-')), end: at + whole.length };
}

/** A comma, in Berlin a point or a blank; `_`, `'` and narrow blanks everywhere. */
function isGroupMark(code: number, comma: boolean): boolean {
  if (code === 44) return !comma;
  if (code === 46 || code === 32) return comma;
  return code === 95 || code === 39 || code === 0x202f || code === 0xa0;
}

/** The value of a scanned number times a power of ten, with no other digits than it has. */
export function scaled({ value, mantissa, power }: Scanned, by: number): number {
  if (by === 0) return value;
  return mantissa === mantissa ? timesTen(mantissa, power + by) : exact(value * 10 ** by);
}

/** More digits than a double takes from its mantissa: JavaScript reads them. */
function slow(text: string, marks: Marks, suffix: string): number {
  const plain = (suffix === '' ? text : text.slice(0, -1))
    .replace(marks === 'comma' ? /[._'\u202f\u00a0 ]/g : /[,_'\u202f\u00a0]/g, '')
    .replace(',', '.')
    .replace(/[×·*x]\s?10\^?/, 'e')
    .normalize('NFKC')
    .replaceAll('\u2212', '-');
  return suffix === '' ? Number(plain) : Number(plain) * 10 ** (suffixes.get(suffix) ?? 0);
}

/** Three digits and no more. */
function isGroup(text: string, at: number): boolean {
  return (
    isDigit(text.charCodeAt(at)) &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2)) &&
    !isDigit(text.charCodeAt(at + 3))
  );
}

/** Digits behind a comma that are neither a group of thousands nor the next of a list. */
function isLoneFraction(text: string, at: number): boolean {
  let i = at;
  while (isDigit(text.charCodeAt(i))) i++;
  const next = text.charCodeAt(i);
  if (i === at || (next === 44 && isDigit(text.charCodeAt(i + 1))) || next === 46) return false;
  const before = text.charCodeAt(at - 2);
  const lead = !isDigit(text.charCodeAt(at - 3)) && before === 48;
  return i - at !== 3 || lead;
}

const words: readonly (readonly [string, number])[] = [
  ['infinity', Infinity],
  ['inf', Infinity],
  ['nan', NaN],
];

function scanWord(text: string, at: number, negative: boolean, out: Scanned): boolean {
  const first = text.charCodeAt(at) | 32;
  if (first !== 110 && first !== 105) return false;
  for (const [word, value] of words) {
    if (text.slice(at, at + word.length).toLowerCase() !== word) continue;
    const end = at + word.length;
    // `nanms` and `nan%`: a unit may be glued.
    const next = text.charCodeAt(end);
    if (!endsNumber(next) && !/^(?:[mu]?s|%|it\/s)(?![\w/])|^[.](?!\w)/.test(text.slice(end, end + 5))) continue;
    out.value = negative ? -value : value;
    out.end = end;
    out.fractional = true;
    out.rounded = false;
    out.mantissa = NaN;
    out.power = 0;
    out.suffix = '';
    return true;
  }
  return false;
}

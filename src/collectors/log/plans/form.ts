import { timesTen } from '../numbers.ts';
import { isDigit, isLetter } from '../values/chars.ts';
import { apart } from '../values/remember.ts';

/** Where a number stands in a line, and how it is written there. */
export interface Slot {
  /** What stands between the number before and this one, as it is. */
  readonly before: string;
  /** Its digits before the point, with the commas between thousands: others of the same form have digits and commas at the same places, unless it is free. */
  readonly whole: string;
  /** It may have one to six digits before the point, and where it has decimals any number of them. */
  readonly isFree: boolean;
  /** Behind the point: none, one, two, or three and more. */
  readonly decimals: number;
  /** All of these are zeros. */
  readonly isEven: boolean;
  readonly beginsWithZero: boolean;
  /** Minutes or seconds behind a colon, below 60. */
  readonly isSixtieth: boolean;
  /** Part of a time: it may be zero, and begin with one. */
  readonly ofTime: boolean;
  /** Of `7/16`, `9-60`, `7 of 16`: whether the first is less (-1), equal (0), or more than the second, which is this. */
  readonly order: number | undefined;
  /** The power of ten that is written behind it. */
  readonly exponent: number;
}

/** What lines have in common that say the same of other numbers: their text, and how each number is written. */
export interface Form {
  readonly slots: readonly Slot[];
  /** Behind the last number. */
  readonly tail: string;
}

const mostSlots = 64;

/** The numbers of the line that was matched last. One is filled again and again. */
export const newest = {
  /** Their digits without the point, and how many of these are decimals. */
  digits: new Float64Array(mostSlots),
  decimals: new Uint8Array(mostSlots),
  /** Where they stand. */
  begins: new Uint16Array(mostSlots),
  ends: new Uint16Array(mostSlots),
  text: '',
  form: undefined as Form | undefined,
};

const number = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?/y;
const joins = /^(?:\/| \/ |-|\.\.| of )$/;

/** As long as a logger's head has it, or not: a line has no head where its date is written in another way. */
const date = /\d+(?:[-/.]\d+){2,}|\d+[-/]\d+(?=[T ,]+\d+:\d)/g;
const mostFree = 6;

/** The form of a line; `free`: of numbers that may be longer and shorter. Behind many numbers all that follows is text. */
export function formOf(text: string, free: boolean): Form {
  const dates = Array.from(text.matchAll(date), ({ 0: { length }, index }) => ({ from: index, to: index + length }));
  const slots: Slot[] = [];
  let end = 0;
  for (let at = 0; at < text.length;) {
    if (!isDigit(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const written = writtenAt(text, at, end);
    const to = at + written.length;
    const [whole = '', decimals = ''] = written.split('.');
    const before = text.slice(end, at);
    const isSixtieth = before === ':' && whole.length === 2 && whole < '60';
    const ofTime = isSixtieth || (text.charCodeAt(to) === 58 && isDigit(text.charCodeAt(to + 1)));
    if (isFixed(text, at) || (!ofTime && /^[0,.]*$/.test(written))) {
      at = to;
      continue;
    }
    if (slots.length === mostSlots) break;
    slots.push({
      before: apart(before),
      whole: apart(whole),
      isFree:
        free &&
        !ofTime &&
        /^(?:0|[1-9]\d{0,5})$/.test(whole) &&
        !(before === ',' || before === ':') &&
        !dates.some((one) => at >= one.from && at < one.to),
      decimals: Math.min(decimals.length, 3),
      isEven: /^0*$/.test(decimals),
      beginsWithZero: whole.startsWith('0'),
      isSixtieth,
      ofTime,
      order: orderOf(text.slice(0, end), before, written),
      exponent: Number(/^e([-+]?\d{1,3})/i.exec(text.slice(to, to + 5))?.[1] ?? 0),
    });
    at = end = to;
  }
  return { slots, tail: apart(text.slice(end)) };
}

/** A comma behind minutes and seconds stands before their thousandths. */
function writtenAt(text: string, at: number, end: number): string {
  number.lastIndex = at;
  const written = number.exec(text)?.[0] ?? '';
  return at === end + 1 && text.charCodeAt(end) === 58 ? (/^\d+(?:\.\d+)?/.exec(written)?.[0] ?? '') : written;
}

/** Digits of names (`q1`, `fp16`, `loss_2`), of exponents and of levels: they say what a line is of, and are part of its text. `T` stands before times. */
function isFixed(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 84 && isDigit(text.charCodeAt(at - 2))) return false;
  if (isLetter(before) || before === 95 || namesLevel.test(text.slice(Math.max(0, at - 20), at))) return true;
  return (before === 45 || before === 43) && (text.charCodeAt(at - 2) | 32) === 101 && isDigit(text.charCodeAt(at - 3));
}

/** Before the number of a level (pino, bunyan): some are errors. */
const namesLevel = /(?:level(?:_?name)?|lvl|severity)"?\s?[:=]\s?"?$/i;

/** Of the elements of a list only that they are the same. */
function orderOf(text: string, before: string, written: string): number | undefined {
  const isList = before === ', ' || before === ',';
  if (!isList && !joins.test(before)) return undefined;
  const [first = ''] = /[\d,]+(?:\.\d+)?$/.exec(text) ?? [];
  if (isList) return first === written ? 0 : undefined;
  return Math.sign(Number(first.replaceAll(',', '')) - Number(written.replaceAll(',', '')));
}

/** Whether a line has this form; then `newest` has its numbers. */
export function matches(form: Form, text: string): boolean {
  const { slots, tail } = form;
  newest.text = text;
  newest.form = undefined;
  let at = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as Slot;
    if (!text.startsWith(slot.before, at)) return false;
    at = readNumber(slot, i, text, at + slot.before.length);
    if (at < 0) return false;
  }
  if (text.length !== at + tail.length || !text.endsWith(tail)) return false;
  newest.form = form;
  return true;
}

/** Whether `matches` was asked this last, and it has. */
export const isNewest = (form: Form, text: string): boolean => newest.form === form && newest.text === text;

/** Where it ends; -1: it is written in another way. */
function readNumber(slot: Slot, i: number, text: string, begin: number): number {
  const { whole, isFree } = slot;
  let at = begin;
  let code = text.charCodeAt(at);
  if (!isFree && !slot.ofTime && (code === 48) !== slot.beginsWithZero) return -1;
  let digits = 0;
  const end = begin + (isFree ? mostFree : whole.length);
  for (; at < end; code = text.charCodeAt(++at)) {
    if (code >= 48 && code <= 57) digits = digits * 10 + code - 48;
    else if (isFree) break;
    else if (code !== 44) return -1;
    if (!isFree && (code === 44) !== (whole.charCodeAt(at - begin) === 44)) return -1;
  }
  // No other number is written with a zero before it.
  if (isFree && (at === begin || (at > begin + 1 && text.charCodeAt(begin) === 48))) return -1;
  if (slot.isSixtieth && digits >= 60) return -1;
  let decimals = 0;
  if (slot.decimals > 0) {
    if (code !== 46) return -1;
    let isEven = true;
    for (code = text.charCodeAt(++at); code >= 48 && code <= 57; code = text.charCodeAt(++at)) {
      digits = digits * 10 + code - 48;
      isEven &&= code === 48;
      decimals++;
    }
    if (decimals === 0 || decimals > mostDecimals) return -1;
    if (!isFree && ((decimals < 3 ? decimals : 3) !== slot.decimals || isEven !== slot.isEven)) return -1;
  }
  if (digits === 0 && !slot.ofTime) return -1;
  newest.digits[i] = digits;
  newest.decimals[i] = decimals;
  newest.begins[i] = begin;
  newest.ends[i] = at;
  return slot.order === undefined || Math.sign(numberAt(i - 1) - numberAt(i)) === slot.order ? at : -1;
}
const mostDecimals = 20;
/** Below it a double has all digits. */
const mostDigits = 1e15;

/** Of the line that was matched last: its number at this place, `power` places of ten higher. */
export function numberAt(slot: number, power = 0): number {
  const digits = newest.digits[slot] ?? NaN;
  if (digits < mostDigits) return timesTen(digits, power - (newest.decimals[slot] ?? 0));
  return Number(`${newest.text.slice(newest.begins[slot], newest.ends[slot]).replaceAll(',', '')}e${power}`);
}

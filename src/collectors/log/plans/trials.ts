import { matches, type Form, type Slot } from './form.ts';

/** How the numbers of one trial are written. */
interface Way {
  /** The next digit of the number at this place; `first`: the one that says how great it is. */
  digit(slot: number, first: boolean): number;
  /** How many digits a free one has before its point. */
  length(slot: number): number;
  /** How many decimals a free one has; others, where they may have more than three, have three and so many. */
  readonly decimals: number;
  /** The decimals of free ones are zeros. */
  readonly isWhole?: boolean;
}

/**
 * Lines of the same form with other numbers: the least, the greatest, such that rise from one number to the next, such that fall, some at
 * random and some whole, always the same ones. What hangs on how great a number is shows itself in one of them. Undefined: not all of them can be made.
 */
export function trialsOf(form: Form): readonly string[] | undefined {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) >>> 8;
  const atRandom = {
    digit: (_: number, first: boolean) => (first ? 1 + (random() % 9) : random() % 10),
    length: () => random() % 7,
  };
  const ways: readonly Way[] = [
    { digit: (_, first) => (first ? 1 : 0), length: () => 0, decimals: 1 },
    { digit: () => 9, length: () => 6, decimals: 3 },
    { digit: (slot, first) => (first ? 1 + (slot % 9) : random() % 10), length: (slot) => slot % 7, decimals: 2 },
    { digit: (slot, first) => (first ? 9 - (slot % 9) : random() % 10), length: (slot) => 6 - (slot % 7), decimals: 4 },
    { ...atRandom, decimals: 5 },
    { ...atRandom, decimals: 8 },
    { ...atRandom, length: (slot) => 1 + (slot % 6), decimals: 1, isWhole: true },
  ];
  const trials = ways.map((way) => trial(form, way));
  return trials.every((text) => matches(form, text)) ? trials : undefined;
}

function trial({ slots, tail }: Form, way: Way): string {
  let text = '';
  let before = '';
  slots.forEach((slot, i) => {
    const written = write(slot, i, way);
    const [one, other] = slot.order === undefined ? [before, written] : ordered(before, written, slot.order);
    text = `${text.slice(0, text.length - before.length)}${one}${slot.before}${other}`;
    before = other;
  });
  return text + tail;
}

function write(slot: Slot, i: number, way: Way): string {
  let first = !slot.ofTime;
  const digits = (count: number): string => {
    let written = '';
    for (; written.length < count; first = false) written += String(way.digit(i, first));
    return written;
  };
  const whole = wholeOf(slot, digits, way.length(i));
  if (slot.decimals === 0) return whole;
  const isEven = slot.isFree ? way.isWhole === true : slot.isEven;
  const count = slot.isFree ? way.decimals : slot.decimals < 3 ? slot.decimals : 3 + way.decimals;
  const decimals = isEven ? '0'.repeat(count) : digits(count);
  return `${whole}.${isEven || /[1-9]/.test(decimals) ? decimals : `${decimals.slice(0, -1)}1`}`;
}

function wholeOf(slot: Slot, digits: (count: number) => string, length: number): string {
  if (slot.isSixtieth) return digits(2).replace(/^[6-9]/, '5');
  if (slot.isFree) return length === 0 && slot.decimals > 0 ? '0' : digits(length || 1);
  const zero = slot.beginsWithZero && !slot.ofTime ? '0' : '';
  const all = zero + digits(slot.whole.replaceAll(',', '').length - zero.length);
  let at = 0;
  return slot.whole.replace(/\d/g, () => all.charAt(at++));
}

/** Both in this order: exchanged, or with another last digit. */
function ordered(first: string, second: string, order: number): readonly [string, string] {
  const is = Math.sign(Number(first.replaceAll(',', '')) - Number(second.replaceAll(',', '')));
  if (is === order) return [first, second];
  if (order === 0) return [first, first];
  if (is !== 0) return [second, first];
  const last = Number(second.at(-1));
  const [less, more] = last === 9 ? [8, 9] : [last, last + 1];
  const begin = second.slice(0, -1);
  return order < 0 ? [`${begin}${less}`, `${begin}${more}`] : [`${begin}${more}`, `${begin}${less}`];
}

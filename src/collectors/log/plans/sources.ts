import { exact } from '../numbers.ts';
import { newest, numberAt, type Form } from './form.ts';

/** Where one value of a record comes from: a number of its line. */
export type Source =
  /** The number itself, so many places of ten higher (`ms` are three lower); where that is not as it is written, of so many digits at most. */
  | {
      readonly is: 'number';
      readonly slot: number;
      readonly power: number;
      readonly sign: 1 | -1;
      readonly most: number;
    }
  /** Times a power of two, in whole bytes. */
  | { readonly is: 'bytes'; readonly slot: number; readonly factor: number }
  /** Hours, minutes and seconds, or the last two of them: the first of so many. */
  | { readonly is: 'time'; readonly slot: number; readonly parts: 2 | 3 };

/** More are rounded where a value is moved by places of ten. */
const mostMoved = 1e12;

/** The value in the line that was matched last; NaN: it cannot be told so. */
export function valueOf(source: Source): number {
  const { slot } = source;
  if (source.is === 'number')
    return (newest.digits[slot] ?? 0) < source.most ? source.sign * numberAt(slot, source.power) : NaN;
  if (source.is === 'bytes') {
    // Some of those who read it round it before: where that makes another number it is not told here.
    const [size, other] = bytesOf(slot, source.factor);
    return size === other ? size : NaN;
  }
  let seconds = 0;
  for (let part = 0; part < source.parts; part++) seconds = seconds * 60 + numberAt(slot + part);
  // The same of those who round it.
  return seconds === rounded(seconds) ? seconds : NaN;
}

const rounded = (seconds: number) => (Number.isInteger(seconds) ? seconds : Number(seconds.toFixed(6)));

function bytesOf(slot: number, factor: number): readonly [number, number] {
  const size = numberAt(slot) * factor;
  return [Math.round(size), Math.round(exact(size))];
}

/** Whether it may be the source of this value of the line that was matched last. */
export const mayGive = (source: Source, value: number): boolean =>
  source.is === 'bytes' ? bytesOf(source.slot, source.factor).includes(value) : Object.is(valueOf(source), value);

const factors = [2 ** 10, 2 ** 20, 2 ** 30, 2 ** 40];

/** All that may be the source of a value of the line that was matched last. */
export function sourcesOf(value: number, { slots }: Form): readonly Source[] {
  if (!Number.isFinite(value) || value === 0) return [];
  const sign = value < 0 ? -1 : 1;
  const found = slots.flatMap(({ exponent }, slot): readonly Source[] => {
    const power = Math.round(Math.log10(Math.abs(value) / numberAt(slot)));
    const isTime = slots[slot + 1]?.before === ':';
    return [
      { is: 'number', slot, power, sign, most: power === exponent ? Infinity : mostMoved },
      ...factors.map((factor) => ({ is: 'bytes', slot, factor }) as const),
      ...(isTime ? [{ is: 'time', slot, parts: 2 } as const] : []),
      ...(isTime && slots[slot + 2]?.before === ':' ? [{ is: 'time', slot, parts: 3 } as const] : []),
    ];
  });
  return found.filter((source) => mayGive(source, value));
}

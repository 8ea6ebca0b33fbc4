import { exact } from '../numbers.ts';
import type { KeyUnit, Meaning } from './names.ts';
import { scaled, type Scanned } from './scan-number.ts';
import type { Reading } from './scan-value.ts';
import type { Unit } from './units.ts';

/** Of memory in any form; undefined: it has no unit, and its key neither. */
export function bytesOf({ kind, first, second, unit }: Reading, { unit: own }: Meaning): number | undefined {
  if (kind !== 'number' && kind !== 'pair') return undefined;
  const each = kind === 'pair' && first.suffix === '' ? second.suffix : first.suffix;
  if (unit?.of === 'bytes') return Math.round(exact(first.value * unit.factor));
  if (unit) return undefined;
  if (first.suffix !== '') return first.value;
  if (each !== '') return undefined;
  if (own) return Math.round(exact(first.value * own.factor));
  return undefined;
}

/** Of a time in any form; undefined: it has no unit, and its key neither. */
export function secondsOf(
  { kind, first, unit, seconds: parts }: Reading,
  own: KeyUnit | undefined,
): number | undefined {
  if (kind === 'time') return parts;
  if (kind !== 'number' || (unit && unit.of !== 'time' && unit.of !== 'steptime')) return undefined;
  const by = unit ?? own;
  const value = by && amount(first, by);
  return value !== undefined && isMoment(value) ? undefined : value;
}

/** `time_ms: 1592934000123`, `createTime: 1602084052`: seconds since 1970, and no span of time. */
export const isMoment = (seconds: number) => seconds > 9e8;

/** In the base of its unit, with no other digits than are printed. */
export function amount(number: Scanned, unit: Unit | KeyUnit | undefined): number {
  if (!unit) return number.value;
  return unit.power === undefined ? exact(number.value * unit.factor) : scaled(number, unit.power);
}

/** As `amount`, of a time. */
export const milliseconds = (number: Scanned, { factor, power }: Unit | KeyUnit) =>
  power === undefined ? exact(number.value * factor * 1000) : scaled(number, power + 3);

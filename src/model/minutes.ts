import type { Slot } from './tier.ts';

/**
 * What the long-kept series came to in one minute of the 60 s tier, so that a recording that is opened in its middle has the hours
 * before. Plain data, JSON-safe: all numbers are finite. `History.takeMinutes` gives them, `History.addMinutes` takes them back.
 */
export interface Minute {
  /** `receivedAt` of what was pushed when it was taken: where its line stands on a recording's axis. */
  readonly takenAt: number;
  /** The minute is (end - 60,000, end], epoch ms, on the axis of Sample.time: a whole number of minutes. */
  readonly end: number;
  /** How many runs had been forgotten before (`History.forgetRun`): of which run the values of logs and threads are. */
  readonly run: number;
  /** By name of the series (`seriesName`); one without a value in this minute is not here: a gap. */
  readonly series: Readonly<Record<string, MinuteValues>>;
}

/**
 * Minimum, mean, maximum and count of the finite values; then how many were not finite, where there were any. Of none but such
 * the first three are null. Values are float32, written as short as reads back the same.
 */
export type MinuteValues = readonly [
  minimum: number | null,
  mean: number | null,
  maximum: number | null,
  count: number,
  nonFinite?: number,
];

/** A slot as a minute has it. */
export function valuesOf({ minimum, mean, maximum, count, nonFinite }: Slot): MinuteValues {
  const stats = count === 0 ? ([null, null, null] as const) : ([short(minimum), short(mean), short(maximum)] as const);
  return nonFinite > 0 ? [...stats, count, nonFinite] : [...stats, count];
}

/** The same slot again. */
export function slotOf([minimum, mean, maximum, count, nonFinite = 0]: MinuteValues): Slot {
  return { minimum: minimum ?? NaN, mean: mean ?? NaN, maximum: maximum ?? NaN, count, nonFinite };
}

/** The fewest digits that read back as the same float32. */
export function short(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return Number(value.toPrecision(9));
}

import type { Readings } from './signals.ts';

/** What GPUs draw: the least and the most of them, W. */
export interface Watts {
  readonly low: number;
  readonly high: number;
  /** Absent: nobody told, or they differ. */
  readonly limit?: number;
}

/** Of some GPUs, over the window or since the last progress of the log; undefined: nobody told. */
export function wattsOf(gpus: readonly Readings[], part: 'window' | 'late'): Watts | undefined {
  const told = gpus.flatMap((readings) => {
    const [power, share] =
      part === 'late'
        ? [readings.latePower?.value, readings.latePowerShare?.value]
        : [readings.power?.value, readings.powerShare?.value];
    return power === undefined ? [] : [{ power, limit: share ? Math.round((100 * power) / share) : undefined }];
  });
  if (told.length === 0) return undefined;
  const powers = told.map(({ power }) => power);
  const [limit] = told.map((each) => each.limit);
  const isOne = limit !== undefined && told.every((each) => each.limit === limit);
  return { low: Math.min(...powers), high: Math.max(...powers), ...(isOne && { limit }) };
}

/** `121 of 700 W`, `480 to 660 of 700 W`. */
export function wattsText({ low, high, limit }: Watts): string {
  const [least, most] = [Math.round(low), Math.round(high)];
  const drawn = high - low <= near * high ? `${Math.round((low + high) / 2)}` : `${least} to ${most}`;
  return limit === undefined ? `${drawn} W` : `${drawn} of ${limit} W`;
}

/** As of all figures of several GPUs: nearer together they are one. */
const near = 0.1;

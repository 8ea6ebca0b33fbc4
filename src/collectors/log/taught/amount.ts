import type { LogUnit } from '../../../model/log-patterns.ts';
import { lookup } from '../lookup.ts';
import { readDuration, readNumber } from '../numbers.ts';
import type { GroupMeaning } from './groups.ts';

const factors: Readonly<Record<LogUnit, number>> = {
  ...{ us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, fraction: 100, percent: 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 },
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, KB: 1e3, MB: 1e6, GB: 1e9 },
};

/** Units that may be in the text of a group, as trainers write them. */
const written = lookup<LogUnit>({
  ...({ us: 'us', µs: 'us', ms: 'ms', s: 's', sec: 's', secs: 's', seconds: 's', min: 'min', h: 'h' } as const),
  ...({ kib: 'KiB', mib: 'MiB', gib: 'GiB', kb: 'KB', mb: 'MB', gb: 'GB', '%': 'percent' } as const),
});

const form =
  /^([-+]?(?:[\d.,]+(?:[eE][-+]?\d+)?|[nN]a[nN]|NAN|[iI]nf(?:inity)?|INF)(?:[kKMGBT](?![a-zA-Z]))?)\s*([a-zA-Zµ%]+)?(?:\/\w+)?$/;

/** The number that stands in a group, in the unit of what the group means; undefined: it is none. */
export function amountOf(text: string, { meaning, unit }: { meaning: GroupMeaning; unit: LogUnit | undefined }) {
  const trimmed = text.trim();
  if (/\d[:hm]/.test(trimmed)) {
    const seconds = readDuration(trimmed);
    if (seconds !== undefined) return inUnitOf(meaning, seconds);
  }
  const [, number, own] = form.exec(trimmed) ?? [];
  if (number === undefined) return undefined;
  const value = readNumber(number);
  if (Number.isNaN(value) && !/nan/i.test(number)) return undefined;
  const told = (own === undefined ? undefined : written[own.toLowerCase()]) ?? unit ?? meaning.unit;
  if (meaning.as === 'metric') return value;
  // Milliseconds are a stage's own unit: 88 ms are not 0.088 * 1000 = 88.00000000000001.
  if (told === 'ms' && isInMs(meaning)) return value;
  return inUnitOf(meaning, told === undefined ? value : exact(value * factors[told]));
}

const isInMs = (meaning: GroupMeaning) => meaning.as === 'stage' && meaning.part !== 'count';
const inUnitOf = (meaning: GroupMeaning, value: number) => (isInMs(meaning) ? exact(value * 1000) : value);
/** 1099.35 ms are 1.09935 s. */
const exact = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(12)) : value);

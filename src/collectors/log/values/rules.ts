import type { FieldRule, LogFormat, Unit } from '../formats/format.ts';
import type { KeyUnit, Meaning } from './names.ts';

/** What a format says of its keys. */
export type KeyRules = Pick<LogFormat, 'fields' | 'scope'>;

const units: Readonly<Record<Unit, KeyUnit>> = {
  us: { factor: 1e-6, power: -6 },
  ms: { factor: 1e-3, power: -3 },
  s: { factor: 1, power: 0 },
  min: { factor: 60 },
  h: { factor: 3600 },
  fraction: { factor: 100, power: 2 },
  KiB: { factor: 2 ** 10 },
  MiB: { factor: 2 ** 20 },
  GiB: { factor: 2 ** 30 },
  KB: { factor: 1e3, power: 3 },
  MB: { factor: 1e6, power: 6 },
  GB: { factor: 1e9, power: 9 },
  k: { factor: 1e3, power: 3 },
  M: { factor: 1e6, power: 6 },
  G: { factor: 1e9, power: 9 },
  T: { factor: 1e12, power: 12 },
};

/** What a format knows goes before what its keys are taken for in general. */
const formatRank = 1000;
const made = new WeakMap<object, ReadonlyMap<string, Meaning>>();

/** The meanings of a format's keys; made once a format. */
export function meaningsOf({ fields }: KeyRules): ReadonlyMap<string, Meaning> | undefined {
  if (!fields) return undefined;
  let meanings = made.get(fields);
  if (!meanings) {
    meanings = new Map(Object.entries(fields).map(([key, rule]) => [key, meaningOfRule(key, rule)]));
    made.set(fields, meanings);
  }
  return meanings;
}

function meaningOfRule(key: string, { as, unit, scope }: FieldRule): Meaning {
  const own = unit ? units[unit] : as === 'stage' ? units.s : undefined;
  return {
    as,
    rank: formatRank,
    ...(own && { unit: own }),
    ...(scope && { scope }),
    ...(as === 'queue' && { part: 'depth' as const, name: key }),
    ...(as === 'stage' && { part: 'average' as const, name: key }),
  };
}

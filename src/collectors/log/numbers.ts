/**
 * What stands after a key in a log line. Numbers are as written: `unit` is not applied yet. `rounded`: a zero that is one only
 * for want of decimals (verl prints a learning rate as 0.000).
 */
export type Value =
  | { readonly kind: 'number'; readonly value: number; readonly unit?: string; readonly rounded?: true }
  /** `3/64`, `88/121ms`. */
  | { readonly kind: 'pair'; readonly first: number; readonly second: number | undefined; readonly unit?: string }
  /** `[9-10]`, `[9-10]/60`, `[9-10] of 60`. */
  | { readonly kind: 'range'; readonly low: number; readonly high: number; readonly of?: number };

/** Six groups of thousands: in a list without end (`123,456,...`) each would be read to the end. */
const digits = String.raw`(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`;
const special = String.raw`(?:nan|NaN|NAN|inf|Inf|INF|Infinity)(?![a-rt-z])`;

/** Source of a pattern for one number: thousands commas, exponents, nan and inf, a K, M, G, B or T for a power of 1000. */
export const numberPattern = String.raw`[-+]?(?:${digits}|${special})(?:[kKMGBT](?![\w.]))?`;

/** Source of a pattern for the units that are told apart; any other unit is left alone. */
const unitPattern = String.raw`(?:(?:tok|tokens?|samples?|seqs?|imgs?|images?|it|iter|steps?|batch(?:es)?)/s(?:ec(?:ond)?)?|s(?:ec)?/(?:it|iter|step|batch)|[mu]s/(?:it|iter|step|batch)|ms|us|µs|secs?|seconds|s|%|[KMGT]i?B|[KMGT]|TFLOPS|reqs)`;

const end = String.raw`(?=$|[\s,;|)\]}"'(<:*]|\.(?:\s|$)|-\s)`;
const slashEnd = String.raw`(?=$|[\s,;|)\]}"'(<:/]|\.(?:\s|$))`;

/** Source of a pattern for a Value; `readValue` reads what it matched. */
export const valuePattern =
  String.raw`(?:\[\s*${numberPattern}\s*/\s*${numberPattern}\s*\]` +
  String.raw`|\[${numberPattern}-${numberPattern}\](?:\s?(?:/|of)\s?${numberPattern})?${end}` +
  String.raw`|\[\s*${numberPattern}(?:,\s*${numberPattern})*\s*\]${end}` +
  String.raw`|${numberPattern}\s*/\s*(?:${numberPattern}|\?{3})\s?(?:${unitPattern})?${end}` +
  String.raw`|${numberPattern}\s?(?:${unitPattern})?${slashEnd})`;

const rangeForm = new RegExp(`^\\[(${numberPattern})-(${numberPattern})\\](?:\\s?(?:/|of)\\s?(${numberPattern}))?$`);
const pairForm = new RegExp(
  `^\\[?\\s*(${numberPattern})\\s*/\\s*(${numberPattern}|\\?{3})\\s?(${unitPattern})?\\s*\\]?$`,
);
const numberForm = new RegExp(`^(${numberPattern})\\s?(${unitPattern})?$`);

/** Reads what `valuePattern` matched. */
export function readValue(text: string): Value | undefined {
  const range = rangeForm.exec(text);
  if (range) {
    const of = range[3] === undefined ? undefined : readNumber(range[3]);
    return { kind: 'range', low: readNumber(range[1]), high: readNumber(range[2]), ...(of !== undefined && { of }) };
  }
  const pair = pairForm.exec(text);
  if (pair) {
    const second = pair[2] === '???' ? undefined : readNumber(pair[2]);
    return { kind: 'pair', first: readNumber(pair[1]), second, ...(pair[3] !== undefined && { unit: pair[3] }) };
  }
  if (text.startsWith('[')) {
    // `lr=[5e-05]`, one a parameter group: a value only when all agree.
    const items = text.slice(1, -1).split(/,\s*(?=\S)/);
    const first = readNumber(items[0]?.trim());
    return items.every((item) => Object.is(readNumber(item.trim()), first)) && !Number.isNaN(first)
      ? { kind: 'number', value: first }
      : undefined;
  }
  const number = numberForm.exec(text);
  if (!number) return undefined;
  return {
    kind: 'number',
    value: readNumber(number[1]),
    ...(number[2] !== undefined && { unit: number[2] }),
    ...(/^0\.0+$/.test(number[1] ?? '') && { rounded: true as const }),
  };
}

const powers: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };

/** One number that `numberPattern` matched; NaN and the infinities stay what they are. */
export function readNumber(text: string | undefined): number {
  if (text === undefined) return NaN;
  const special = /^([-+]?)(nan|inf(?:inity)?)$/i.exec(text);
  if (special) return special[2]?.toLowerCase() === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const plain = text.replaceAll(',', '');
  const power = powers[plain.at(-1) ?? ''];
  if (power === undefined) return Number(plain);
  // 24.1k is 24100 and not 24100.000000000004.
  return Number(
    `${plain.slice(0, -1)}e${Math.log10(power)}`.replace(
      /e([-+]?\d+)e(\d+)$/,
      (_, a, b) => `e${Number(a) + Number(b)}`,
    ),
  );
}

/** 1099.35 ms are 1.09935 s and not 1.0993499999999998. */
export const exact = (value: number) => Number(value.toPrecision(12));

/** `8:05:12`, `49:12`, `1 day, 2:03:04`, `2h 3m`, `18m 26s`, `878:01:48` in seconds. */
export function readDuration(text: string): number | undefined {
  const clock = /^(?:(\d+) days?, )?(?:(\d+):)?(\d{1,3}):(\d{2}(?:\.\d+)?)$/.exec(text.trim());
  if (clock) {
    const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = clock;
    return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  }
  const words = /^(?=\d)(?:(\d+)d\s*)?(?:(\d+)h\s*)?(?:(\d+)m\s*)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text.trim());
  if (!words) return undefined;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = words;
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

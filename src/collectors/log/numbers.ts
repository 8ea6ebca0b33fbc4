/** Six groups of thousands: in a list without end (`123,456,...`) each would be read to the end. */
const digits = String.raw`(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`;
const special = String.raw`(?:nan|NaN|NAN|inf|Inf|INF|Infinity)(?![a-rt-z])`;

/** Source of a pattern for one number: thousands commas, exponents, nan and inf, a K, M, G, B or T for a power of 1000. */
export const numberPattern = String.raw`[-+]?(?:${digits}|${special})(?:[kKMGBT](?![\w.]))?`;

const powers: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };

/** One number that `numberPattern` matched; NaN and the infinities stay what they are. */
export function readNumber(text: string | undefined): number {
  if (text === undefined) return NaN;
  const plain = isPlain(text) ? Number(text) : NaN;
  if (plain === plain) return plain;
  const special = /^([-+]?)(nan|inf(?:inity)?)$/i.exec(text);
  if (special) return special[2]?.toLowerCase() === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const digits = text.replaceAll(',', '');
  const power = powers[digits.at(-1) ?? ''];
  if (power === undefined) return Number(digits);
  // 24.1k is 24100 and not 24100.000000000004.
  return Number(
    `${digits.slice(0, -1)}e${Math.log10(power)}`.replace(
      /e([-+]?\d+)e(\d+)$/,
      (_, a, b) => `e${Number(a) + Number(b)}`,
    ),
  );
}

/** Digits and what belongs to a number: most values are no more than that. */
export function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // 0-9 + - . e E and the blank that pads it
    if (code > 57 ? code !== 101 && code !== 69 : code < 48 && code !== 46 && code !== 45 && code !== 43 && code !== 32)
      return false;
  }
  return text !== '' && text !== ' ' && text.length < 40;
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
  const words =
    /^(?=\d)(?:(\d+)\s?d(?:ays?)?,?\s*)?(?:(\d+)\s?h(?:(?:ou)?rs?)?,?\s*)?(?:(\d+)\s?m(?:in(?:ute)?s?)?,?\s*)?(?:(\d+(?:\.\d+)?)\s?s(?:ec(?:ond)?s?)?)?$/.exec(
      text.trim(),
    );
  if (!words) return undefined;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = words;
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Six groups of thousands: in a list without end (`123,456,...`) each would be read to the end. */
const digits = String.raw`(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`;
const special = String.raw`(?:nan|NaN|NAN|inf|Inf|INF|Infinity)(?![a-rt-z])`;

/** Source of a pattern for one number: thousands commas, exponents, nan and inf, a K, M, G, B or T for a power of 1000. */
export const numberPattern = String.raw`[-+]?(?:${digits}|${special})(?:[kKMGBT](?![\w.]))?`;

const powers: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };

/** One number that `numberPattern` matched; NaN and the infinities stay what they are. */
export function readNumber(text: string | undefined): number {
  if (text === undefined) return NaN;
  const plain = readPlain(text);
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

/** A text of more characters is no number. */
const longest = 40;

/** A number of digits and what belongs to one, which most values are no more than; NaN: it is something else. */
export function readPlain(text: string): number {
  const { length } = text;
  let at = 0;
  while (at < length && text.charCodeAt(at) === 32) at++;
  const sign = text.charCodeAt(at);
  if (sign === 45 || sign === 43) at++;
  let digits = 0;
  let count = 0;
  let point = -1;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      digits = digits * 10 + code - 48;
      count++;
    } else if (code === 46 && point < 0) point = count;
    else break;
  }
  if (count === 0 || length >= longest) return NaN;
  const next = text.charCodeAt(at) | 32;
  // e and E
  if (next === 101) return Number(text);
  while (at < length && text.charCodeAt(at) === 32) at++;
  if (at < length) return NaN;
  if (count > 15) return Number(text);
  const value = point < 0 ? digits : timesTen(digits, point - count);
  return sign === 45 ? -value : value;
}

/** Those that a double has exactly. */
const tens = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** `digits` times a power of ten: correctly rounded where both are exact doubles, as they mostly are. */
export function timesTen(digits: number, power: number): number {
  if (power === 0) return digits;
  const by = tens[Math.abs(power)];
  if (by === undefined) return Number(`${digits}e${power}`);
  return power < 0 ? digits / by : digits * by;
}

/** Moves the decimal point: 1099.35 ms are 1.09935 s and not 1.0993499999999998. */
export function shift(value: number, places: number): number {
  if (places === 0 || !Number.isFinite(value)) return value;
  for (let decimals = 0; decimals < 9; decimals++) {
    const power = tens[decimals] ?? 1;
    const digits = Math.round(value * power);
    if (Math.abs(digits) >= 1e15) break;
    // Of 15 digits and fewer no others give this number.
    if (digits / power === value) return timesTen(digits, places - decimals);
  }
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
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

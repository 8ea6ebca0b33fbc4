/** What stands for a value that is not known. */
export const absent = '–';

/** Tells times in one zone. */
export interface Times {
  readonly zoneMinutes: number;
  /** `03:12`, with the day before it where the report has several. */
  clock(time: number): string;
  /** `03:12:45`. */
  exact(time: number): string;
  /** `2026-06-12 03:12`. */
  date(time: number): string;
  /** `UTC`, `UTC+2`. */
  readonly zone: string;
}

/** The times of a span. */
export function timesIn({ from, to }: { readonly from: number; readonly to: number }, zoneMinutes: number): Times {
  const iso = (time: number) =>
    Number.isFinite(time) && Math.abs(time) < 8e15
      ? new Date(time + zoneMinutes * 60_000).toISOString()
      : '0000-00-00T00:00:00';
  const hasDays = to - from > 86_400_000;
  const hours = zoneMinutes / 60;
  return {
    zoneMinutes,
    clock: (time) => (hasDays ? `${iso(time).slice(5, 10)} ` : '') + iso(time).slice(11, 16),
    exact: (time) => (hasDays ? `${iso(time).slice(5, 10)} ` : '') + iso(time).slice(11, 19),
    date: (time) => iso(time).slice(0, 16).replace('T', ' '),
    zone: zoneMinutes === 0 ? 'UTC' : `UTC${hours > 0 ? '+' : '-'}${Number(Math.abs(hours).toFixed(2))}`,
  };
}

/** `12 h 04 min`, `14 min`, `42 s`. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), String(minutes % 60).padStart(2, '0')];
  if (hours < 48) return `${hours} h ${rest} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

/** `38,412`. */
export function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Three significant digits with a prefix: `142`, `14.5K`, `9.4 G` is `9.40G`. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  if (!Number.isFinite(value)) return String(value);
  let rest = value;
  let unit = 0;
  while (Math.abs(rest) >= 999.5 && unit < 5) {
    rest /= 1000;
    unit++;
  }
  if (unit === 0 && Number.isInteger(rest)) return String(rest);
  return `${plain(rest, 3)}${['', 'K', 'M', 'G', 'T', 'P'][unit]}`;
}

/** Significant digits; what is very small or very large with an exponent. */
export function plain(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined) return absent;
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
  const before = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
  return value.toFixed(Math.max(0, digits - before));
}

/** GPU-hours: `63.9`, `0.42`. */
export function hours(value: number): string {
  return value === 0 ? '0' : value < 0.005 ? '< 0.01' : value < 1 ? value.toFixed(2) : value.toFixed(1);
}

/** `37 %`; what is there is never 0. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  return `${value < 9.95 && value > 0 ? value.toFixed(1) : Math.round(value)} %`;
}

/** `+3.2 %`, `-12 %`. */
export function difference(before: number | undefined, now: number | undefined): string {
  if (before === undefined || now === undefined || before === 0 || !Number.isFinite(now / before)) return absent;
  const value = (now / before - 1) * 100;
  const text = Math.abs(value) < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return Number(text) === 0 ? 'the same' : `${value > 0 ? '+' : ''}${text} %`;
}

/** The middle value; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}

/** The value below which that part of them is. */
export function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

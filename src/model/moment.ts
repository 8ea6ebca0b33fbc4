/** What Date can have, epoch ms: 275,760 years. */
export const mostTime = 8.64e15;

/** Between what a moment is sought. Times are epoch ms. */
export interface MomentContext {
  readonly from: number;
  readonly to: number;
  /** Where the tape stands. Absent on a command line: `-2h` is counted from the end then, `+10m` from the start. */
  readonly position?: number;
}

/** A moment of a recording, or one sentence that says why it is none. */
export type Moment = { readonly time: number } | { readonly fault: string };

/** What `readMoment` reads, for help. */
export const momentForms =
  '03:12, 03:12:45, 2026-06-12 03:12, -2h, +10m, 2h30m (from the start), 50%, start or end; times are local';

/**
 * Reads what a user writes for a moment. A time of day that occurs more than once (in a long recording, or when the clocks are set
 * back) is the one nearest to where the tape stands, else to the end. What is counted beyond an end is that end; a date or a
 * time of day outside is refused, for it is a mistake.
 */
export function readMoment(written: string, context: MomentContext): Moment {
  const { from, to, position } = context;
  const text = written.trim().toLowerCase();
  if (text === 'start') return { time: from };
  if (text === 'end') return { time: to };
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (percent) return clamped(from + ((to - from) * Number(percent[1])) / 100, context);
  const duration = readDuration(text.replace(/^[+\u2212-]/, ''));
  if (duration !== undefined) {
    if (/^[\u2212-]/.test(text)) return clamped((position ?? to) - duration, context);
    return clamped((text.startsWith('+') ? (position ?? from) : from) + duration, context);
  }
  const zoned = readZoned(text);
  if (zoned !== undefined) return within([zoned], written, context);
  const local = readLocal(text);
  if (local) return within(timesOf(local, context), written, context);
  return { fault: `${quote(written)} is no time: write ${momentForms}.` };
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** `2h30m`, `90s`, `1.5 h`; undefined for anything else. */
function readDuration(text: string): number | undefined {
  if (!/^(?:\s*\d+(?:\.\d+)?\s*[dhms])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs], 0);
}

/** A stretch of time as long as what was not written: a minute where there are no seconds. */
interface Stretch {
  readonly time: number;
  readonly lengthMs: number;
}

/** A date and time with its zone: `2026-06-12T01:12Z`. */
function readZoned(text: string): Stretch | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?\s*(z|[+-]\d\d:\d\d)$/.exec(text);
  if (!match) return undefined;
  const [, date, minutes, seconds, zone = ''] = match;
  const time = Date.parse(`${date}T${minutes}${seconds ?? ':00'}${zone.toUpperCase()}`);
  return Number.isNaN(time) ? undefined : { time, lengthMs: seconds === undefined ? unitMs.m : 0 };
}

/** What a wall clock and a calendar show; parts that are not written are absent. */
interface Local {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/** `2026-06-12`, `06-12 03:12`, `2026-06-12T03:12:45`, `3:12`; undefined where it is none, or none that there is. */
function readLocal(text: string): Local | undefined {
  const match =
    /^(?:(?:(?<year>\d{4})-)?(?<month>\d\d)-(?<day>\d\d))?(?:(?:^|[t ]\s*)(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d(?:\.\d{1,3})?))?)?$/.exec(
      text,
    );
  if (!match || text === '') return undefined;
  const fields = Object.entries(match.groups ?? {}).filter(([, digits]) => digits !== undefined);
  const local: Local = Object.fromEntries(fields.map(([name, digits]) => [name, Number(digits)]));
  const { month = 1, day = 1, hour = 0, minute = 0, second = 0 } = local;
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second < 60;
  return exists ? local : undefined;
}

/** By how much clocks are set: an hour, on Lord Howe Island half of one. */
const setMs = [0, unitMs.h, -unitMs.h, unitMs.h / 2, -unitMs.h / 2];

/**
 * Of the calendar, the days that it can be; of those without a date, or a year, the ones about a time. A file may claim any span of time:
 * it is not walked through.
 */
function daysNear({ year, month = 1, day }: Local, time: number): readonly Date[] {
  const at = new Date(time);
  // The clocks do not show each time of day on each day.
  if (day === undefined) return about(at.getDate(), 3).map((d) => new Date(at.getFullYear(), at.getMonth(), d));
  // There are eight years between two 29ths of February, at most.
  const years = year === undefined ? about(at.getFullYear(), 8) : [year];
  return years
    .map((y) => new Date(y, month - 1, day))
    .filter((date) => date.getMonth() === month - 1 && date.getFullYear() === (year ?? date.getFullYear()));
}

const about = (middle: number, most: number) => Array.from({ length: 2 * most + 1 }, (_, n) => middle - most + n);

/** When the clocks of this machine's zone show that, about where the tape stands. */
function timesOf(local: Local, { from, to, position = to }: MomentContext): readonly Stretch[] {
  const { hour, minute = 0, second } = local;
  const lengthMs = hour === undefined ? unitMs.d : second === undefined ? unitMs.m : 0;
  const times = new Set<number>();
  for (const date of daysNear(local, Math.min(to, Math.max(from, position)))) {
    const [y, m, d] = [date.getFullYear(), date.getMonth(), date.getDate()];
    const guess = new Date(y, m, d, hour ?? 0, minute, 0, Math.round((second ?? 0) * 1000)).getTime();
    // What the clocks show twice, or (in spring) not at all.
    for (const time of setMs.map((ms) => guess + ms)) {
      const shown = new Date(time);
      const isIt = shown.getDate() === d && shown.getHours() === (hour ?? 0) && shown.getMinutes() === minute;
      if (isIt || (hour === undefined && time === guess)) times.add(time);
    }
  }
  return [...times].map((time) => ({ time, lengthMs }));
}

/** The nearest of those that the recording has something of. */
function within(stretches: readonly Stretch[], written: string, context: MomentContext): Moment {
  const { from, to, position = to } = context;
  const inside = stretches
    .filter(({ time, lengthMs }) => time + lengthMs >= from && time <= to)
    .map(({ time }) => Math.max(from, time));
  if (inside.length === 0) {
    return { fault: `${quote(written)} is not in the recording, which is from ${day(from)} to ${day(to)}.` };
  }
  return { time: inside.reduce((best, time) => (apart(time, position) < apart(best, position) ? time : best)) };
}

const apart = (a: number, b: number) => Math.abs(a - b);

function clamped(time: number, { from, to }: MomentContext): Moment {
  return { time: Math.min(to, Math.max(from, Math.round(time))) };
}

/** On the user's clock: `2026-06-12 03:12:45`. */
function day(time: number): string {
  const date = new Date(time);
  const two = (n: number) => String(n).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

const quote = (text: string) => JSON.stringify(text.slice(0, 60));

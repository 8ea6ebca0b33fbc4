/** The user's wall clock: `03:12:07`. */
export function timeOfDay(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

/** The user's day: `2026-11-30`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
}

/** As an hour counter says it, with no more places than `longest` takes: `0:42`, `2:41:07`. */
export function counter(ms: number, longest = ms): string {
  const [seconds, most] = [ms, longest].map((each) => Math.floor(Math.max(0, each) / 1000)) as [number, number];
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
  const text = most < 3600 ? clock.replace(/^0(?=\d:)/, '') : `${Math.floor(seconds / 3600)}:${clock}`;
  return longest === ms ? text : text.padStart(counter(longest).length);
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

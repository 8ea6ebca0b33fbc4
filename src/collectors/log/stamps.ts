/** Where a host's wall clock stands on our time axis. */
export interface HostClock {
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number;
  /** Host minus ours. */
  readonly clockOffsetMs: number;
}

const date = /(?:^|[\s[(])(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?/;
const clock = /^\s*\[?(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\]?(?=[\s|:-]|$)/;

const dayMs = 86_400_000;
/** Two clocks agree no better than this; what is later still has not been printed yet. */
const futureMs = 5000;

/**
 * The time that a line carries: a date near its beginning, or `[HH:MM:SS]` as its first thing, which is taken for the last
 * such time before `arrival` (so a line older than a day comes out too young). Undefined when there is none or it lies in the
 * future, as it does when the run keeps another zone than the host's.
 */
export function readStamp(text: string, arrival: number, host: HostClock): number | undefined {
  const head = text.slice(0, 80);
  const full = date.exec(head);
  if (full) {
    const [, year, month, day, hours, minutes, seconds, fraction, zone] = full;
    const wall = Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hours),
      Number(minutes),
      Number(seconds),
    );
    const offset = zone === undefined ? host.utcOffsetMinutes : zoneMinutes(zone);
    const time = wall + toMs(fraction) - offset * 60_000 - host.clockOffsetMs;
    return time > arrival + futureMs ? undefined : time;
  }
  const part = clock.exec(head);
  if (!part) return undefined;
  const [, hours, minutes, seconds, fraction] = part;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const shift = host.utcOffsetMinutes * 60_000 + host.clockOffsetMs;
  const midnight = Math.floor((arrival + shift) / dayMs) * dayMs;
  const inDay = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + toMs(fraction);
  const time = midnight + inDay - shift;
  return time > arrival + futureMs ? time - dayMs : time;
}

function toMs(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Math.round(Number(`0.${fraction}`) * 1000);
}

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

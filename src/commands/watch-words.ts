import type { WatchFile } from '../attach/watch-lock.ts';
import { dayOf, timeOfDay } from '../ui/parts/times.ts';

/** Who watches already, and what to do: `what` is the run, or the target. */
export function watchedAlready(what: string, by: WatchFile | undefined): string {
  if (!by) return `${what} is watched already: traintop attach opens the screen on it.`;
  const since = `${dayOf(by.startedAt)} ${timeOfDay(by.startedAt)}`;
  return `${what} is watched already by traintop --headless (PID ${by.pid} on ${by.machine}, since ${since}): traintop attach --watch ${by.name} opens the screen on it.`;
}

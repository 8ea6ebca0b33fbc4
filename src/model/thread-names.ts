import type { StacksSample } from './samples.ts';

/** A run that makes threads all the time, dumped every few minutes for weeks: the oldest names go. */
const mostNames = 4096;

/**
 * Python's names for threads, joined to the kernel's TIDs by a dump: comm is no name, because threads inherit it (with
 * PyTorch's rename every Python thread before 3.14 is called `pt_main_thread`).
 */
export function threadNames(known: ReadonlyMap<string, string>, dump: StacksSample): ReadonlyMap<string, string> {
  const names = new Map(known);
  for (const { tid, name } of dump.threads) {
    if (tid === undefined || !name) continue;
    const key = `${dump.pid}:${tid}`;
    names.delete(key); // what was seen last stands last
    names.set(key, name);
  }
  for (const oldest of names.keys()) {
    if (names.size <= mostNames) break;
    names.delete(oldest);
  }
  return names;
}

import type { StacksSample } from './samples.ts';

/**
 * Python's names for threads, joined to the kernel's TIDs by a dump: comm is no name, because threads inherit it (with
 * PyTorch's rename every Python thread before 3.14 is called `pt_main_thread`).
 */
export function threadNames(known: ReadonlyMap<string, string>, dump: StacksSample): ReadonlyMap<string, string> {
  const names = new Map(known);
  for (const { tid, name } of dump.threads) if (tid !== undefined && name) names.set(`${dump.pid}:${tid}`, name);
  return names;
}

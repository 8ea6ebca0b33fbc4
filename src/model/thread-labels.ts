import type { LearntRole } from './roles/role-of.ts';
import { notPython } from './roles/role-of.ts';
import { roleOfStack } from './roles/stack-roles.ts';
import type { LabelsSample, StacksSample, ThreadsSample } from './samples.ts';

/** A run that makes threads all the time, dumped every few minutes for weeks: the oldest labels go. */
const mostLabels = 4096;

/** Names and roles of threads, by `PID:TID`. */
export interface ThreadLabels {
  /** Python's. */
  readonly threadNames: ReadonlyMap<string, string>;
  readonly threadRoles: ReadonlyMap<string, LearntRole>;
}

/**
 * With what a dump says: Python's names, joined to the kernel's TIDs (comm is no name, because threads inherit it: with PyTorch's
 * rename every Python thread before 3.14 is called `pt_main_thread`), and roles from stacks. A thread of the process that a dump of
 * all its Python threads does not list is none.
 */
export function withDump(known: ThreadLabels & Frame, dump: StacksSample): ThreadLabels {
  const names = new Map(known.threadNames);
  const roles = new Map(known.threadRoles);
  const listed = new Set<number>();
  for (const { tid, name, frames } of dump.threads) {
    if (tid === undefined) continue;
    listed.add(tid);
    const key = `${dump.pid}:${tid}`;
    if (name) putLast(names, key, name);
    const { stack: before, ...rest } = roles.get(key) ?? {};
    // What a thread does now may be work in passing: what was learnt of it stays until a stack says more.
    const stack = roleOfStack(frames, tid === dump.pid) ?? (before === notPython ? undefined : before);
    if (stack !== undefined || before !== undefined)
      putLast(roles, key, { ...rest, ...(stack !== undefined && { stack }) });
  }
  const { threads } = known;
  if (threads && listed.has(dump.pid) && listed.size === dump.threads.length)
    threads.tid.forEach((tid, i) => {
      if (threads.pid[i] !== dump.pid || listed.has(tid)) return;
      const key = `${dump.pid}:${tid}`;
      const before = roles.get(key);
      if (before?.stack === undefined) putLast(roles, key, { ...before, stack: notPython });
    });
  return { threadNames: bounded(names), threadRoles: bounded(roles) };
}

/** With what comes from elsewhere: the newest counts. */
export function withLabels(known: ThreadLabels, labels: LabelsSample): ThreadLabels {
  const names = new Map(known.threadNames);
  const roles = new Map(known.threadRoles);
  labels.tid.forEach((tid, i) => {
    const key = `${labels.pid[i]}:${tid}`;
    const [name, rule, stack] = [labels.name[i], labels.rule[i], labels.stack[i]];
    if (name) putLast(names, key, name);
    if (rule || stack) putLast(roles, key, { ...roles.get(key), ...(rule && { rule }), ...(stack && { stack }) });
  });
  return { threadNames: bounded(names), threadRoles: bounded(roles) };
}

/** Without those of threads that have ended: their TIDs may come again for others. */
export function withoutLabels(known: ThreadLabels, keys: readonly string[]): ThreadLabels {
  if (!keys.some((key) => known.threadNames.has(key) || known.threadRoles.has(key))) return known;
  const without = <T>(map: ReadonlyMap<string, T>) => {
    const rest = new Map(map);
    for (const key of keys) rest.delete(key);
    return rest;
  };
  return { threadNames: without(known.threadNames), threadRoles: without(known.threadRoles) };
}

interface Frame {
  readonly threads?: ThreadsSample;
}

/** What was seen last stands last. */
function putLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

function bounded<T>(map: Map<string, T>): ReadonlyMap<string, T> {
  for (const oldest of map.keys()) {
    if (map.size <= mostLabels) break;
    map.delete(oldest);
  }
  return map;
}

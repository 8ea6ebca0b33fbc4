import type { LearntRole } from './roles/role-of.ts';
import { withoutLabels, type ThreadLabels } from './thread-labels.ts';
import type { ThreadsSample } from './samples.ts';

/** Threads that came and went a moment ago. */
export interface ThreadLives {
  /** When a thread was first seen, by `PID:TID`. */
  readonly born: ReadonlyMap<string, number>;
  /** The newest last. */
  readonly gone: readonly GoneThread[];
}

/** A thread that is no more. */
export interface GoneThread {
  readonly pid: number;
  readonly tid: number;
  readonly comm: string;
  readonly name?: string;
  readonly learnt?: LearntRole;
  /** Of its last frame. */
  readonly cpuPercent?: number;
  /** Of the first frame without it. */
  readonly at: number;
}

/** So long a thread is marked as new, and one that is gone stays on the screen. */
export const lifeMarkMs = 5000;
/** A worker's end takes its threads with it: these are shown. */
const mostGone = 64;

/** None yet. */
export const noLives: ThreadLives = { born: new Map(), gone: [] };

interface Known extends ThreadLabels {
  readonly threads?: ThreadsSample;
  readonly threadLives: ThreadLives;
}

/**
 * Who came and who went since the frame before, and the labels without those of who went. Same objects where nothing changed. A
 * first frame has no new threads, nor has one after a hole: nobody knows when they came.
 */
export function followLives(known: Known, now: ThreadsSample): Omit<Known, 'threads'> {
  const { threads: before, threadLives, threadNames, threadRoles } = known;
  const lives = current(threadLives, now.time);
  if (!before || sameThreads(before, now)) return { threadLives: lives, threadNames, threadRoles };
  const [old, fresh] = [keysOf(before), keysOf(now)];
  const follows = now.time - before.time <= Math.max(10_000, (now.intervalSeconds ?? 0) * 2000);
  const born = new Map(lives.born);
  // A frame may lack a thread that the next one has.
  const back = lives.gone.filter((each) => fresh.has(`${each.pid}:${each.tid}`));
  const backKeys = new Set(back.map(({ pid, tid }) => `${pid}:${tid}`));
  if (follows) for (const key of fresh.keys()) if (!old.has(key) && !backKeys.has(key)) born.set(key, now.time);
  const ended = [...old].filter(([key]) => !fresh.has(key));
  for (const [key] of ended) born.delete(key);
  const gone = ended.map(([key, i]): GoneThread => {
    const [name, learnt] = [threadNames.get(key), threadRoles.get(key)];
    const { pid, tid, comm } = before;
    const cpuPercent = before.cpuPercent[i];
    return {
      ...{ pid: pid[i] ?? 0, tid: tid[i] ?? 0, comm: comm[i] ?? '', at: now.time },
      ...(name !== undefined && { name }),
      ...(learnt && { learnt }),
      ...(typeof cpuPercent === 'number' && { cpuPercent }),
    };
  });
  const labels = withoutLabels(
    known,
    ended.map(([key]) => key),
  );
  return {
    threadLives: {
      born,
      gone: [...lives.gone.filter((each) => !back.includes(each)), ...(follows ? gone : [])].slice(-mostGone),
    },
    ...restored(labels, back),
  };
}

/** Without what is over. */
function current(lives: ThreadLives, now: number): ThreadLives {
  const isOver = (at: number) => now - at >= lifeMarkMs || now < at;
  const old = [...lives.born].some(([, at]) => isOver(at)) || lives.gone.some(({ at }) => isOver(at));
  if (!old) return lives;
  return {
    born: new Map([...lives.born].filter(([, at]) => !isOver(at))),
    gone: lives.gone.filter(({ at }) => !isOver(at)),
  };
}

function sameThreads(a: ThreadsSample, b: ThreadsSample): boolean {
  return a.tid.length === b.tid.length && a.tid.every((tid, i) => tid === b.tid[i] && a.pid[i] === b.pid[i]);
}

function keysOf({ pid, tid }: ThreadsSample): ReadonlyMap<string, number> {
  return new Map(tid.map((each, i) => [`${pid[i]}:${each}`, i]));
}

function restored({ threadNames, threadRoles }: ThreadLabels, back: readonly GoneThread[]): ThreadLabels {
  if (back.length === 0) return { threadNames, threadRoles };
  const [names, roles] = [new Map(threadNames), new Map(threadRoles)];
  for (const { pid, tid, name, learnt } of back) {
    if (name !== undefined) names.set(`${pid}:${tid}`, name);
    if (learnt) roles.set(`${pid}:${tid}`, learnt);
  }
  return { threadNames: names, threadRoles: roles };
}

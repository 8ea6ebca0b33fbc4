import type { History } from './history.ts';
import { seriesName } from './history.ts';
import type { Run } from './run.ts';
import type { ThreadsSample } from './samples.ts';

/** One thread of the run as the screen and the snapshot tell it. */
export interface ThreadRow {
  readonly pid: number;
  readonly tid: number;
  /** Python's name, once a dump gave it. */
  readonly name?: string;
  readonly comm: string;
  readonly rank?: number;
  readonly state?: string;
  readonly core?: number;
  readonly cpuPercent?: number;
  readonly userPercent?: number;
  readonly systemPercent?: number;
  readonly runQueuePercent?: number;
}

/** The sort orders, the default first. */
export const threadSorts = ['cpu', 'name', 'tid', 'wait', 'rank'] as const;
export type ThreadSort = (typeof threadSorts)[number];

export interface ThreadQuery {
  readonly threads: ThreadsSample | undefined;
  readonly names: ReadonlyMap<string, string>;
  readonly run: Run | undefined;
  readonly history: Pick<History, 'get'>;
  /** Plain text, case ignored, in name, comm or TID; `!text` keeps the others. */
  readonly filter: string;
  readonly sort: string | undefined;
  readonly showIdle: boolean;
}

export interface ThreadRows {
  readonly rows: readonly ThreadRow[];
  /** Threads that pass the filter and are folded away because they did nothing for a minute. */
  readonly idle: number;
  /** All threads of the frame. */
  readonly total: number;
  /** Of all threads, percent of one core. */
  readonly cpuPercent: number;
}

/** Joins a frame with names and ranks, filters, folds idle threads and sorts. Equal values keep the order of PID and TID. */
export function threadRows(query: ThreadQuery): ThreadRows {
  const { threads, filter, showIdle } = query;
  if (!threads) return { rows: [], idle: 0, total: 0, cpuPercent: 0 };
  const ranks = new Map(query.run?.processes.map(({ pid, rank }) => [pid, rank]));
  const accepts = filterOf(filter);
  const rows: ThreadRow[] = [];
  let idle = 0;
  let cpuPercent = 0;
  for (let i = 0; i < threads.tid.length; i++) {
    cpuPercent += threads.cpuPercent[i] ?? 0;
    if (accepts && !accepts(threadName(query, i), threads.comm[i] ?? '', threads.tid[i] ?? 0)) continue;
    if (!showIdle && isIdle(query, i)) idle++;
    else rows.push(rowOf(query, i, ranks));
  }
  rows.sort(orders[isSort(query.sort) ? query.sort : 'cpu']);
  return { rows, idle, total: threads.tid.length, cpuPercent };
}

/** Below this a thread does nothing; a tick of 10 ms in a second is 1 %. */
const idlePercent = 0.5;
/** A thread is idle when it did nothing for this long: one that works now and then stays in its row. */
const idleMs = 60_000;

function isIdle({ threads, history }: ThreadQuery, i: number): boolean {
  if (!threads) return true;
  const state = threads.state[i];
  if (state === 'R' || state === 'D' || (threads.cpuPercent[i] ?? 0) >= idlePercent) return false;
  const series = history.get(seriesName.thread(threads.pid[i] ?? 0, threads.tid[i] ?? 0));
  if (!series) return true;
  return (series.summary(threads.time - idleMs)?.maximum ?? 0) < idlePercent;
}

function threadName({ threads, names }: ThreadQuery, i: number): string | undefined {
  return names.size === 0 ? undefined : names.get(`${threads?.pid[i]}:${threads?.tid[i]}`);
}

function rowOf(query: ThreadQuery, i: number, ranks: ReadonlyMap<number, number | undefined>): ThreadRow {
  const { threads } = query;
  const pid = threads?.pid[i] ?? 0;
  const row: Mutable<ThreadRow> = { pid, tid: threads?.tid[i] ?? 0, comm: threads?.comm[i] ?? '' };
  const name = threadName(query, i);
  const rank = ranks.get(pid);
  if (name !== undefined) row.name = name;
  if (rank !== undefined) row.rank = rank;
  for (const key of ['state', 'core', 'cpuPercent', 'userPercent', 'systemPercent', 'runQueuePercent'] as const) {
    const value = threads?.[key][i];
    if (value !== null && value !== undefined) Object.assign(row, { [key]: value });
  }
  return row;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function filterOf(filter: string): ((name: string | undefined, comm: string, tid: number) => boolean) | undefined {
  const negated = filter.startsWith('!');
  const wanted = (negated ? filter.slice(1) : filter).toLowerCase();
  if (wanted === '') return undefined;
  return (name, comm, tid) =>
    (comm.toLowerCase().includes(wanted) ||
      (name?.toLowerCase().includes(wanted) ?? false) ||
      String(tid).includes(wanted)) !== negated;
}

function isSort(sort: string | undefined): sort is ThreadSort {
  return (threadSorts as readonly string[]).includes(sort ?? '');
}

const collator = new Intl.Collator('en', { numeric: true });
const byId = (a: ThreadRow, b: ThreadRow) => a.pid - b.pid || a.tid - b.tid;
/** Whole percents: what differs by less is equal, so that rows do not jump. Absent comes last. */
const whole = (value: number | undefined) => (value === undefined ? -1 : Math.round(value));

const orders: Record<ThreadSort, (a: ThreadRow, b: ThreadRow) => number> = {
  cpu: (a, b) => whole(b.cpuPercent) - whole(a.cpuPercent) || byId(a, b),
  wait: (a, b) => whole(b.runQueuePercent) - whole(a.runQueuePercent) || byId(a, b),
  name: (a, b) => collator.compare(a.name ?? a.comm, b.name ?? b.comm) || byId(a, b),
  tid: (a, b) => a.tid - b.tid || byId(a, b),
  rank: (a, b) => (a.rank ?? 1e9) - (b.rank ?? 1e9) || orders.cpu(a, b),
};

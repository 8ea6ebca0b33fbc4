import type { History } from './history.ts';
import { activePercent, seriesName } from './history.ts';
import type { RoleOf } from './roles/finder.ts';
import type { Run } from './run.ts';
import type { ThreadsSample } from './samples.ts';
import { textFilter } from './text-filter.ts';

/** One thread of the run as the screen and the snapshot tell it. */
export interface ThreadRow {
  readonly pid: number;
  readonly tid: number;
  /** Python's name, once a dump gave it. */
  readonly name?: string;
  readonly comm: string;
  /** What it is for, where something tells. */
  readonly role?: string;
  readonly rank?: number;
  readonly state?: string;
  readonly core?: number;
  readonly cpuPercent?: number;
  readonly userPercent?: number;
  readonly systemPercent?: number;
  readonly runQueuePercent?: number;
}

/** A frame, and what tells more of its threads. */
interface Joined {
  readonly threads: ThreadsSample | undefined;
  /** Python's, by `PID:TID`. */
  readonly names: ReadonlyMap<string, string>;
  /** Tells the ranks of processes. */
  readonly run: Run | undefined;
  readonly roleOf?: RoleOf;
}

/** Every thread of a frame, in its order. */
export function joinThreads(joined: Joined): readonly ThreadRow[] {
  const ranks = ranksOf(joined);
  return (joined.threads?.tid ?? []).map((_, i) => rowOf(joined, i, ranks));
}

/** The sort orders, the default first. */
export const threadSorts = ['cpu', 'name', 'tid', 'wait', 'rank'] as const;
/** One of them. */
export type ThreadSort = (typeof threadSorts)[number];

/** A frame with what is joined to it, and which rows are wanted in which order. */
export interface ThreadQuery extends Joined {
  readonly history: Pick<History, 'get'>;
  /** In name, comm or TID (text-filter.ts). */
  readonly filter: string;
  readonly sort: string | undefined;
  readonly showIdle: boolean;
}

/** The rows that are shown, and how many there are besides. */
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
  const ranks = ranksOf(query);
  const accepts = textFilter(filter);
  const rows: ThreadRow[] = [];
  let idle = 0;
  let cpuPercent = 0;
  for (let i = 0; i < threads.tid.length; i++) {
    cpuPercent += threads.cpuPercent[i] ?? 0;
    if (accepts && !accepts(threadName(query, i) ?? '', threads.comm[i] ?? '', String(threads.tid[i]))) continue;
    if (!showIdle && isIdle(query, i)) idle++;
    else rows.push(rowOf(query, i, ranks));
  }
  rows.sort(orders[isSort(query.sort) ? query.sort : 'cpu']);
  return { rows, idle, total: threads.tid.length, cpuPercent };
}

/** A thread is idle when it did nothing for this long: one that works now and then stays in its row. */
const idleMs = 60_000;

function isIdle({ threads, history }: ThreadQuery, i: number): boolean {
  if (!threads) return true;
  const state = threads.state[i];
  if (state === 'R' || state === 'D' || (threads.cpuPercent[i] ?? 0) >= activePercent) return false;
  const series = history.get(seriesName.thread(threads.pid[i] ?? 0, threads.tid[i] ?? 0));
  if (!series) return true;
  return (series.summary(threads.time - idleMs)?.maximum ?? 0) < activePercent;
}

function ranksOf({ run }: Joined): ReadonlyMap<number, number | undefined> {
  return new Map(run?.processes.map(({ pid, rank }) => [pid, rank]));
}

function threadName({ threads, names }: Joined, i: number): string | undefined {
  return names.size === 0 ? undefined : names.get(`${threads?.pid[i]}:${threads?.tid[i]}`);
}

function rowOf(query: Joined, i: number, ranks: ReadonlyMap<number, number | undefined>): ThreadRow {
  const { threads } = query;
  const pid = threads?.pid[i] ?? 0;
  const row: Mutable<ThreadRow> = { pid, tid: threads?.tid[i] ?? 0, comm: threads?.comm[i] ?? '' };
  const name = threadName(query, i);
  const rank = ranks.get(pid);
  if (name !== undefined) row.name = name;
  const role = query.roleOf?.(row);
  if (role !== undefined) row.role = role;
  if (rank !== undefined) row.rank = rank;
  for (const key of ['state', 'core', 'cpuPercent', 'userPercent', 'systemPercent', 'runQueuePercent'] as const) {
    const value = threads?.[key][i];
    if (value !== null && value !== undefined) Object.assign(row, { [key]: value });
  }
  return row;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function isSort(sort: string | undefined): sort is ThreadSort {
  return (threadSorts as readonly string[]).includes(sort ?? '');
}

const collator = new Intl.Collator('en', { numeric: true });
const byId = (a: ThreadRow, b: ThreadRow) => a.pid - b.pid || a.tid - b.tid;
/** What differs by less than a step is equal, so that rows do not jump. Absent comes last. */
const inSteps = (value: number | undefined, step: number) => (value === undefined ? -1 : Math.round(value / step));
/** Waits are small: what tells a starved thread from the others is a tenth. */
const waitStep = 0.1;

const orders: Record<ThreadSort, (a: ThreadRow, b: ThreadRow) => number> = {
  cpu: (a, b) => inSteps(b.cpuPercent, 1) - inSteps(a.cpuPercent, 1) || byId(a, b),
  wait: (a, b) => inSteps(b.runQueuePercent, waitStep) - inSteps(a.runQueuePercent, waitStep) || byId(a, b),
  name: (a, b) => collator.compare(a.name ?? a.comm, b.name ?? b.comm) || byId(a, b),
  tid: (a, b) => a.tid - b.tid || byId(a, b),
  rank: (a, b) => (a.rank ?? 1e9) - (b.rank ?? 1e9) || orders.cpu(a, b),
};

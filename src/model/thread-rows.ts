import type { History } from './history.ts';
import { activePercent, seriesName } from './history.ts';
import type { RoleOf } from './roles/finder.ts';
import type { Run } from './run.ts';
import type { ThreadsSample } from './samples.ts';
import { textFilter } from './text-filter.ts';
import { groupRows, type ThreadGroup } from './thread-groups.ts';
import type { GoneThread, ThreadLives } from './thread-lives.ts';

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
  /** It came, or went, a moment ago; of one that went there are no figures. */
  readonly life?: 'new' | 'gone';
  /** CPU of its last frame, for its place among the others. */
  readonly lastCpuPercent?: number;
  /** How far it stands to the right, in a list with groups. */
  readonly depth?: number;
  /** This row is one of a group: its figures are sums, WAIT% is the highest. PID and TID are those of its busiest thread. */
  readonly group?: ThreadGroup;
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
  readonly lives?: ThreadLives;
  /** Absent: none. */
  readonly grouping?: ThreadGrouping | undefined;
  /** Keys of groups that are opened, or closed where they are open by themselves. */
  readonly toggled?: ReadonlySet<string> | undefined;
}

/** What the threads are grouped by. */
export type ThreadGrouping = 'role' | 'process';

/** The rows that are shown, and how many there are besides. */
export interface ThreadRows {
  /** Groups, and threads that are no idle ones. */
  readonly rows: readonly ThreadRow[];
  /** Threads that pass the filter and are folded away because they did nothing for a minute. */
  readonly idle: number;
  /** All threads of the frame. */
  readonly total: number;
  /** Of all threads, percent of one core. */
  readonly cpuPercent: number;
  /** How many groups stand at the left edge. */
  readonly groups?: number;
}

/** Joins a frame with names and ranks, filters, groups, folds idle threads and sorts. Equal values keep the order of PID and TID. */
export function threadRows(query: ThreadQuery): ThreadRows {
  const { threads, lives, grouping, showIdle } = query;
  if (!threads) return { rows: [], idle: 0, total: 0, cpuPercent: 0 };
  const ranks = ranksOf(query);
  const accepts = filterOf(query);
  const members: Member[] = [];
  let idle = 0;
  let cpuPercent = 0;
  for (let i = 0; i < threads.tid.length; i++) {
    cpuPercent += threads.cpuPercent[i] ?? 0;
    if (accepts && !accepts(rowOf(query, i, ranks))) continue;
    const isNew = (lives?.born.size ?? 0) > 0 && lives?.born.has(`${threads.pid[i]}:${threads.tid[i]}`);
    const folds = !showIdle && !isNew && isIdle(query, i);
    if (folds && !grouping) idle++;
    else members.push({ row: { ...rowOf(query, i, ranks), ...(isNew && { life: 'new' }) }, idle: folds });
  }
  for (const gone of lives?.gone ?? []) {
    const row = goneRow(query, gone, ranks);
    if (!accepts || accepts(row)) members.push({ row, idle: false });
  }
  const order = orders[isSort(query.sort) ? query.sort : 'cpu'];
  const counts = { total: threads.tid.length, cpuPercent };
  if (grouping) return { ...counts, ...groupRows(members, { ...query, grouping, order }) };
  return { ...counts, rows: members.map(({ row }) => row).sort(order), idle };
}

/** A thread that passes the filter. */
export interface Member {
  readonly row: ThreadRow;
  readonly idle: boolean;
}

function filterOf({ filter }: ThreadQuery): ((row: ThreadRow) => boolean) | undefined {
  const accepts = textFilter(filter);
  return accepts && (({ name, comm, role, tid }) => accepts(name ?? '', comm, role ?? '', String(tid)));
}

function goneRow({ roleOf }: ThreadQuery, gone: GoneThread, ranks: Ranks): ThreadRow {
  const { pid, tid, comm, name, learnt, cpuPercent } = gone;
  const role = learnt?.rule ?? roleOf?.({ pid, tid, comm, name }) ?? learnt?.stack;
  const rank = ranks.get(pid);
  return {
    ...{ pid, tid, comm, life: 'gone' },
    ...(name !== undefined && { name }),
    ...(role !== undefined && { role }),
    ...(rank !== undefined && { rank }),
    ...(cpuPercent !== undefined && { lastCpuPercent: cpuPercent }),
  };
}

type Ranks = ReadonlyMap<number, number | undefined>;

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

function ranksOf({ run }: Joined): Ranks {
  return new Map(run?.processes.map(({ pid, rank }) => [pid, rank]));
}

function threadName({ threads, names }: Joined, i: number): string | undefined {
  return names.size === 0 ? undefined : names.get(`${threads?.pid[i]}:${threads?.tid[i]}`);
}

function rowOf(query: Joined, i: number, ranks: Ranks): ThreadRow {
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
const cpuOf = (row: ThreadRow) => inSteps(row.cpuPercent ?? row.lastCpuPercent, 1);
const titleOf = (row: ThreadRow) => row.group?.title ?? row.name ?? row.comm;
/** Waits are small: what tells a starved thread from the others is a tenth. */
const waitStep = 0.1;

const orders: Record<ThreadSort, (a: ThreadRow, b: ThreadRow) => number> = {
  cpu: (a, b) => cpuOf(b) - cpuOf(a) || byId(a, b),
  wait: (a, b) => inSteps(b.runQueuePercent, waitStep) - inSteps(a.runQueuePercent, waitStep) || byId(a, b),
  name: (a, b) => collator.compare(titleOf(a), titleOf(b)) || byId(a, b),
  tid: (a, b) => a.tid - b.tid || byId(a, b),
  rank: (a, b) => (a.rank ?? 1e9) - (b.rank ?? 1e9) || orders.cpu(a, b),
};

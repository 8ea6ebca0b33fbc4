import type { Cast, DemoProcess } from './cast.ts';

/** A worker of a loader is there some time after the one before it has ended, s. */
const startSeconds = 1.5;

/** A cast whose loader workers end at these times (demo seconds), one epoch's after the other's; as many others begin. */
export function withEpochs({ processes, threads }: Cast, epochs: readonly number[] = []): Cast {
  if (epochs.length === 0) return { processes, threads };
  const spans = [undefined, ...epochs].map((from, i) => ({ from, until: epochs[i] }));
  const isWorker = ({ comm }: Pick<DemoProcess, 'comm'>) => comm === 'pt_data_worker';
  const shift = (pid: number, n: number) => pid + 150 * n;
  return {
    processes: processes.flatMap((process) =>
      !isWorker(process)
        ? process
        : spans.map(({ from, until }, n) => ({
            ...{ ...process, pid: shift(process.pid, n) },
            ...(from !== undefined && { from: from + startSeconds }),
            ...(until !== undefined && { until }),
          })),
    ),
    threads: threads.flatMap((thread) =>
      !isWorker(thread)
        ? thread
        : spans.map((_, n) => ({ ...thread, pid: shift(thread.pid, n), tid: shift(thread.tid, n) })),
    ),
  };
}

/** Which processes are there for a part of their run. */
export interface Passing {
  /** Those of the rows that are there. The same array, as long as nothing changes. */
  there<Row extends { readonly pid: number }>(rows: readonly Row[], up: number): readonly Row[];
  /** When such a process began. */
  start(pid: number): number | undefined;
  /** The time, as far as a process lived to see it. */
  within(pid: number, up: number): number;
}

/** Of all runs; times are seconds of uptime. */
export function passingOf(runs: readonly Cast[], startUp: number): Passing {
  const spans = new Map(
    runs
      .flatMap(({ processes }) => processes)
      .filter(({ from, until }) => from !== undefined || until !== undefined)
      .map(({ pid, from = -Infinity, until = Infinity }) => [pid, { from: startUp + from, until: startUp + until }]),
  );
  const edges = [...new Set([...spans.values()].flatMap(({ from, until }) => [from, until]))];
  const known = new Map<readonly unknown[], { readonly passed: number; readonly rows: readonly unknown[] }>();
  const isThere = (pid: number, up: number) => {
    const span = spans.get(pid);
    return !span || (up >= span.from && up < span.until);
  };
  return {
    there<Row extends { readonly pid: number }>(rows: readonly Row[], up: number) {
      if (spans.size === 0) return rows;
      const passed = edges.filter((edge) => edge <= up).length;
      const before = known.get(rows);
      if (before?.passed === passed) return before.rows as readonly Row[];
      const now = rows.filter(({ pid }) => isThere(pid, up));
      known.set(rows, { passed, rows: now });
      return now;
    },
    start: (pid) => (Number.isFinite(spans.get(pid)?.from) ? spans.get(pid)?.from : undefined),
    within(pid, up) {
      const { from, until } = spans.get(pid) ?? { from: -Infinity, until: Infinity };
      return Math.min(until, Math.max(from, up));
    },
  };
}

import type { GpusSample } from '../../model/samples.ts';
import { meaningOfDmon, readDmonCell, splitDmonLine } from './dmon-columns.ts';

type ValueName = keyof GpusSample;

/** Reads lines of `dmon --gpm-metrics`. What is no row of it (a driver or a GPU that has no GPM says so in many ways) is nothing. */
export interface GpmReader {
  push(line: string, receivedAt: number): void;
  /**
   * The newest values of these GPUs (undefined: one that does not answer), as columns; one that no GPU has a value for is not there, nor a value for which a
   * newer one should have come.
   */
  columns(indexes: readonly (number | undefined)[], now: number): Partial<GpusSample>;
}

/** How long values stay, in periods: a busy driver answers late. */
const keptPeriods = 1.25;
/** Rounds of a burst are so far apart, and each tells of the time between two of them. */
const roundMs = 1000;

const shortestPeriodMs = 60_000;
/** CPU of a burst of three rounds: the start of nvidia-smi, and each round of a GPU. */
const startMs = 34;
const burstMsPerGpu = 3 * 4;
/** 0.15 % of a core. */
const msPerSecond = 1.5;

/**
 * From one burst to the next, in ms. On two H200 (driver 580.159.04) a dmon with `--gpm-metrics` took 0.73 % of a core beside a busy run, with `-d 10` as with
 * `-d 1`: 146 ms in 20 s, 3.6 ms a GPU and second; the start of an nvidia-smi took 34 ms. A burst of three rounds is computed from these two, not measured:
 * 58 ms a minute on two GPUs, 0.1 % of a core. More than four GPUs are asked less often, so that it stays below 0.15 %: eight every 90 s.
 */
export function countersEveryMs(gpuCount: number): number {
  const seconds = (startMs + burstMsPerGpu * gpuCount) / msPerSecond;
  return Math.max(shortestPeriodMs, 10_000 * Math.ceil(seconds / 10));
}

/** A reader for one stream that has a burst so often. */
export function createGpmReader(everyMs: number): GpmReader {
  let header: readonly string[] = [];
  const newest = new Map<number, { readonly at: number; readonly values: ReadonlyMap<ValueName, number> }>();
  return {
    push(line, receivedAt) {
      const cells = splitDmonLine(line);
      if (cells[0] === '#') {
        if (cells.includes('gpu')) header = cells.slice(1);
        return;
      }
      const index = cells[header.indexOf('gpu')] ?? '';
      if (cells.length !== header.length || !/^\d{1,3}$/.test(index)) return;
      const values = new Map<ValueName, number>();
      header.forEach((column, i) => {
        const meaning = meaningOfDmon(column);
        const value = meaning?.isGpm ? readDmonCell(cells[i], meaning.factor) : null;
        if (meaning && value !== null) values.set(meaning.name, value);
      });
      // The first two rounds have no values: GPM tells what was between two looks.
      if (values.size > 0) newest.set(Number(index), { at: receivedAt, values });
    },
    columns(indexes, now) {
      const rows = indexes.map((index) => {
        const row = index === undefined ? undefined : newest.get(index);
        return row && now - row.at <= keptPeriods * everyMs ? row : undefined;
      });
      const names = new Set(rows.flatMap((row) => [...(row?.values.keys() ?? [])]));
      if (names.size === 0) return {};
      return {
        ...Object.fromEntries([...names].map((name) => [name, rows.map((row) => row?.values.get(name) ?? null)])),
        countersTime: rows.map((row) => row?.at ?? null),
        countersRoundMs: rows.map((row) => (row ? roundMs : null)),
      };
    },
  };
}

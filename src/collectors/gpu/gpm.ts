import type { GpusSample } from '../../model/samples.ts';
import { meaningOfDmon, readDmonCell, splitDmonLine } from './dmon-columns.ts';
import { gpmEveryMs } from './script.ts';

type ValueName = keyof GpusSample;

/** Reads lines of `dmon --gpm-metrics`. What is no row of it (a driver or a GPU that has no GPM says so in many ways) is nothing. */
export interface GpmReader {
  push(line: string, receivedAt: number): void;
  /** The newest values of these GPUs, as columns; one that no GPU has a value for is not there, nor a value that is older than its round may be. */
  columns(indexes: readonly number[], now: number): Partial<GpusSample>;
}

/** How late the next round may be: a busy driver answers after seconds. */
const slackMs = 5000;

/** A reader for one stream. */
export function createGpmReader(): GpmReader {
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
        const row = newest.get(index);
        return row && now - row.at <= gpmEveryMs + slackMs ? row : undefined;
      });
      const names = new Set(rows.flatMap((row) => [...(row?.values.keys() ?? [])]));
      if (names.size === 0) return {};
      return {
        ...Object.fromEntries([...names].map((name) => [name, rows.map((row) => row?.values.get(name) ?? null)])),
        countersTime: rows.map((row) => row?.at ?? null),
      };
    },
  };
}

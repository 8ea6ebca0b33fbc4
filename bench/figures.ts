import { cpus, release, totalmem, loadavg } from 'node:os';
import { readFileSync } from 'node:fs';

/** The value that half of the others lie below; of an even count the upper middle one. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of the others lies below (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** A row of the bench's report: what, how much, what it may be. */
export function report(what: string, value: string, target?: { readonly text: string; readonly met: boolean }): void {
  const verdict = target === undefined ? '' : `  ${target.met ? 'ok' : 'ABOVE'} (target ${target.text})`;
  console.log(`  ${what.padEnd(52)} ${value.padStart(24)}${verdict}`);
}

/** One line about this machine. */
export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const system = /PRETTY_NAME="(.*)"/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'Linux';
  return `${cpus().length} x ${first?.model.trim()}, ${memory} GiB, ${system}, Linux ${release()}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
}

/** Bytes in MB, as the targets count them. */
export function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A table of the bench's report: a name and one cell a column in each row. */
export function reportTable(
  columns: readonly string[],
  rows: readonly { readonly name: string; readonly cells: readonly string[] }[],
): void {
  const widths = columns.map(
    (name, at) => Math.max(name.length, ...rows.map(({ cells }) => cells[at]?.length ?? 0)) + 2,
  );
  const first = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    console.log(`  ${name.padEnd(first)}${cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('')}`);
  line('', columns);
  for (const { name, cells } of rows) line(name, cells);
}

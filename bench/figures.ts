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

/** What a part measured: numbers by name, for the tables of the docs. */
export type Figures = Readonly<Record<string, number>>;

const said: string[] = [];

/** A line of the bench's report. */
export function say(line: string): void {
  console.log(line);
  said.push(line);
}

/** The lines that were said since the last call. */
export function takeLines(): readonly string[] {
  return said.splice(0);
}

/** A row of the bench's report: what, how much, what it may be. */
export function report(what: string, value: string, target?: { readonly text: string; readonly met: boolean }): void {
  const verdict = target === undefined ? '' : `  ${target.met ? 'ok' : 'ABOVE'} (target ${target.text})`;
  say(`  ${what.padEnd(52)} ${value.padStart(24)}${verdict}`);
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

/** A table of the bench's report: names to the left, numbers to the right. */
export function reportTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  for (const [name = '', ...cells] of all)
    say(
      `  ${name.padEnd(widths[0] ?? 0)}${cells.map((cell, at) => `  ${cell.padStart(widths[at + 1] ?? 0)}`).join('')}`,
    );
}

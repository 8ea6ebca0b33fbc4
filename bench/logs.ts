import { readdirSync, readFileSync } from 'node:fs';
import { createLogReader, type Piece } from '../src/collectors/log/reader.ts';
import { report, reportTable, say, type Figures } from './figures.ts';

/** What one core must read. */
const targetLinesPerSecond = 200_000;
const folder = 'test/fixtures/log/';
/** Lines of each log a round. */
const linesOfEach = 2000;
/** Of the first rounds the compiler takes its share. */
const warming = 3;
const rounds = 9;

/** How many lines a second the whole reader takes, from a piece to its record, of logs of all formats; `logs:megatron` is one of them. */
export async function measureLogs(only?: string): Promise<Figures> {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.log') && (only === undefined || name === `${only}.log`),
  );
  const logs = files.map((name) => ({ name: name.replace(/\.log$/, ''), pieces: piecesOf(folder + name) }));
  const moving = logs.map(({ pieces }) => pieces.map(moved));
  say(
    `logs: ${logs.length} of them, ${linesOfEach.toLocaleString('en')} lines each by a reader of its own, in turn: the best of ${rounds} rounds`,
  );
  const best = measure(logs.map(({ pieces }) => pieces));
  const linesPerSecond = 1e6 / best.mean;
  const target = {
    text: `${targetLinesPerSecond.toLocaleString('en')} lines/s`,
    met: linesPerSecond >= targetLinesPerSecond,
  };
  report('lines a second, one core', Math.round(linesPerSecond).toLocaleString('en'), target);
  const movingPerSecond = 1e6 / measure(moving).mean;
  report('the same, with numbers that move', Math.round(movingPerSecond).toLocaleString('en'));
  const rows = logs.map(({ name, pieces }, i) => [
    name,
    best.micros[i]?.toFixed(1) ?? '',
    Math.round(pieces.reduce((sum, { text }) => sum + text.length, 0) / pieces.length).toString(),
  ]);
  reportTable(
    ['log', 'us a line', 'characters'],
    rows.toSorted((a, b) => Number(b[1]) - Number(a[1])),
  );
  return { linesPerSecond, movingPerSecond };
}

/** The best round: the microseconds a line of each log, and of all of them. */
function measure(logs: readonly (readonly Piece[])[]): { readonly micros: readonly number[]; readonly mean: number } {
  for (let round = 0; round < warming; round++) for (const pieces of logs) readAll(pieces);
  // Whoever shares the core takes of its caches: that makes a round slower, never faster.
  return Array.from({ length: rounds }, () => logs.map((pieces) => cpuMicros(() => readAll(pieces)) / linesOfEach))
    .map((micros) => ({ micros, mean: micros.reduce((sum, one) => sum + one, 0) / micros.length }))
    .reduce((a, b) => (b.mean < a.mean ? b : a));
}

/** Others behind the point, and another last digit before it, as from step to step; times, names and what stands beside a word stay. */
function moved({ text }: Piece, i: number): Piece {
  let state = i;
  const digit = () => String(((state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) >>> 8) % 10);
  return {
    text: text.replace(
      /(?<![\w.:-])(\d+)(\.\d+)?(?![\d:])/g,
      (_, whole: string, decimals = '') =>
        `${/^[1-9]\d/.test(whole) ? whole.slice(0, -1) + digit() : whole}${String(decimals).replace(/\d/g, digit)}`,
    ),
  };
}

function piecesOf(path: string): readonly Piece[] {
  const lines = readFileSync(path, 'utf8')
    .split(/[\r\n]/)
    .filter((text) => text.trim() !== '');
  return Array.from({ length: linesOfEach }, (_, i) => ({ text: lines[i % lines.length] ?? '' }));
}

function readAll(pieces: readonly Piece[]): void {
  const reader = createLogReader();
  for (const piece of pieces) reader.push(piece);
  reader.flush();
}

/** CPU time: other work on the machine is no part of it. */
function cpuMicros(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startTerminal, type Terminal } from '../test/support/terminal.ts';
import { type Figures, quantile, report, say } from './figures.ts';
import { startBenchWorkload, startDemoHost } from './programs.ts';

const size = { cols: 160, rows: 50 };
const presses = 300;
const floodLines = 20_000;
/** What a key may take at the 99th percentile, whatever a log does. */
const targetMs = 50;

const cases: Readonly<Record<string, () => Promise<Figures>>> = { idle: measureIdle, flood: measureFlood };

/** From a key to the changed screen: while nothing but the data moves, and while a log floods. `only`: one of the two. */
export async function measureKeys(only?: string): Promise<Figures> {
  say(`keys: press to changed screen, ${size.cols}x${size.rows}, ${presses} presses`);
  let figures: Figures = {};
  for (const [name, measure] of Object.entries(cases))
    if (only === undefined || only === name) figures = { ...figures, ...(await measure()) };
  return figures;
}

async function measureIdle(): Promise<Figures> {
  const demo = await startDemoHost({ threads: 300, active: 60 });
  const terminal = startTerminal({ args: demo.args, ...size });
  try {
    await terminal.waitFor(/\d+ of 300 /);
    const times = await press(terminal, 'idle, 300 threads');
    return { medianMs: quantile(times, 0.5), p95Ms: quantile(times, 0.95) };
  } finally {
    await terminal.close();
    await demo.stop();
  }
}

/** A local run whose log gets 20,000 lines a second, of several trainers. */
async function measureFlood(): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-log-'));
  const logPath = join(folder, 'train.log');
  const workload = await startBenchWorkload({ threads: 9, active: 8, percent: 2 });
  const writer = spawn('python3', ['bench/flood.py', logPath, String(floodLines)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => writer.once('exit', () => resolve()));
  const terminal = startTerminal({ args: ['--pid', String(workload.pid), '--log', logPath], ...size });
  try {
    await terminal.waitFor(/step=\d+ loss/);
    const times = await press(terminal, `a log of ${floodLines.toLocaleString('en')} lines a second`);
    return { floodMedianMs: quantile(times, 0.5), floodP99Ms: quantile(times, 0.99) };
  } finally {
    await terminal.close();
    writer.stdin.end();
    await ended;
    await workload.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is pressed in turn, and what the screen then shows: the help, and keys of the log. */
const turns: readonly (readonly [key: string, shows: (screen: string) => boolean])[] = [
  ['?', (screen) => screen.includes('this help')],
  ['q', (screen) => !screen.includes('this help')],
  ['5', (screen) => screen.includes('& filter')],
  ['k', (screen) => /from the end/.test(screen)],
  ['\r', (screen) => !screen.includes('⁴Threads')],
  ['F', (screen) => !/from the end/.test(screen)],
  ['\r', (screen) => screen.includes('⁴Threads')],
  ['4', (screen) => !screen.includes('& filter')],
];

async function press(terminal: Terminal, what: string): Promise<readonly number[]> {
  await pass(5000);
  const times: number[] = [];
  const before = terminal.bytes();
  const start = performance.now();
  for (let i = 0; i < presses; i++) {
    // Not in step with the second of the data.
    await pass(60 + 37 * (i % 7));
    const [key, shows] = turns[i % turns.length] ?? ['?', () => true];
    const pressed = performance.now();
    terminal.type(key);
    await terminal.waitFor(shows);
    times.push(performance.now() - pressed);
  }
  const seconds = (performance.now() - start) / 1000;
  const [median, p95, p99, worst] = [0.5, 0.95, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  report(`${what}: median, p95`, `${median} ms, ${p95} ms`);
  report(`${what}: p99 (worst ${worst} ms)`, `${p99} ms`, {
    text: `${targetMs} ms`,
    met: quantile(times, 0.99) <= targetMs,
  });
  report(`${what}: bytes to the terminal`, `${Math.round((terminal.bytes() - before) / seconds)} a second`);
  return times;
}

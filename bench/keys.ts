import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startTerminal, type Terminal } from '../test/support/terminal.ts';
import { type Figures, quantile, report, say } from './figures.ts';
import { startBenchWorkload, startDemoHost } from './programs.ts';

const size = { cols: 160, rows: 50 };
const presses = 60;
const floodSeconds = 0.0005;

/** From a key to the changed screen: while nothing but the data moves, and while a log floods. */
export async function measureKeys(): Promise<Figures> {
  say(`keys: press to changed screen, ${size.cols}x${size.rows}, ${presses} presses`);
  const demo = await startDemoHost({ threads: 300, active: 60 });
  let figures: Figures;
  const idle = startTerminal({ args: demo.args, ...size });
  try {
    await idle.waitFor(/\d+ of 300 /);
    figures = await measure('idle, 300 threads', idle);
  } finally {
    await idle.close();
    await demo.stop();
  }
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-log-'));
  const logPath = join(folder, 'train.log');
  const workload = await startBenchWorkload({ threads: 9, active: 8, percent: 2, logSeconds: floodSeconds, logPath });
  const flood = startTerminal({ args: ['--pid', String(workload.pid), '--log', logPath], ...size });
  try {
    await flood.waitFor(/step \d+ \| loss/);
    await measure('a log flood', flood);
  } finally {
    await flood.close();
    await workload.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function measure(what: string, terminal: Terminal): Promise<Figures> {
  await pass(5000);
  const times: number[] = [];
  const before = terminal.bytes();
  const start = performance.now();
  for (let press = 0; press < presses; press++) {
    // Not in step with the second of the data.
    await pass(150 + 37 * (press % 7));
    const help = press % 2 === 0;
    const pressed = performance.now();
    terminal.press(help ? '?' : 'q');
    await terminal.waitFor((screen) => screen.includes('this help') === help);
    times.push(performance.now() - pressed);
  }
  const seconds = (performance.now() - start) / 1000;
  const figures = { medianMs: quantile(times, 0.5), p95Ms: quantile(times, 0.95) };
  report(`${what}: median, p95`, `${figures.medianMs.toFixed(1)} ms, ${figures.p95Ms.toFixed(1)} ms`);
  report(`${what}: bytes to the terminal`, `${Math.round((terminal.bytes() - before) / seconds)} a second`);
  return figures;
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playDemo } from '../test/support/demo-recording.ts';
import { type Figures, mb, report, say } from './figures.ts';
import { manyThreads } from './many-threads.ts';
import { bytesOf, measureOpening, nightRecording } from './night.ts';
import { startDemoHost } from './programs.ts';
import { measureSaving } from './saving.ts';
import { watchMonitor } from './steady.ts';

const threads = 300;
const actives = [60, 120, 300];
const anHour = 6e6;

/** What a recording costs: its size, its writing, and the opening of one of a night. */
export async function measureRecording(only?: string): Promise<Figures> {
  const parts: Readonly<Record<string, () => Figures | Promise<Figures>>> = { size, save: measureSaving, night, cost };
  const figures: Record<string, number> = {};
  for (const [name, measure] of Object.entries(parts))
    if (only === undefined || only === name) Object.assign(figures, await measure());
  return figures;
}

/** An hour of the demo, on a clock turned by hand: what is written does not depend on how fast it goes. */
async function size(): Promise<Figures> {
  say(`recording: an hour of the demo, 8 GPUs, ${threads} threads, about a log line a second, 1 s`);
  const bytes: number[] = [];
  for (const active of actives) {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-recording-'));
    try {
      await playDemo({ seconds: 3600, folder, threads: manyThreads({ threads, active }) });
      bytes.push(bytesOf(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  actives.forEach((active, i) => {
    const target = i === 0 ? { text: `<= ${mb(anHour)}`, met: (bytes[i] ?? Infinity) <= anHour } : undefined;
    report(`${active} threads active`, mb(bytes[i] ?? NaN), target);
  });
  return { bytesAnHour: bytes[0] ?? NaN };
}

async function night(): Promise<Figures> {
  const path = await nightRecording({ hours: 12, threads: manyThreads({ threads, active: 60 }) });
  return measureOpening(path);
}

/** The monitor with and without one, on the same host one after the other. */
async function cost(): Promise<Figures> {
  const seconds = 60;
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-cost-'));
  const runs = join(folder, 'runs');
  const demo = await startDemoHost({ threads, active: 60 });
  try {
    const without = await watchMonitor({ args: [...demo.args, '--no-record'], seconds });
    const withOne = await watchMonitor({ args: [...demo.args, '--record', runs], seconds });
    if (readdirSync(runs).length !== 1) throw new Error('no recording was made, or more than one');
    say(`  what it costs the monitor, ${threads} threads (60 active), over ${seconds} s`);
    report('CPU without', `${without.usage.cpuPercent.toFixed(2)} % of a core`);
    report('CPU with a recording', `${withOne.usage.cpuPercent.toFixed(2)} % of a core`);
    report('memory without', mb(without.usage.rssBytes));
    report('memory with a recording', mb(withOne.usage.rssBytes));
    return {
      cpuPercent: withOne.usage.cpuPercent,
      cpuPercentWithout: without.usage.cpuPercent,
      memoryBytes: withOne.usage.rssBytes,
      memoryBytesWithout: without.usage.rssBytes,
    };
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

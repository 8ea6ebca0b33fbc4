import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mb, report, say, type Figures } from './figures.ts';
import { replayDemo } from './replay.tsx';
import { storeDays } from './week.ts';

const size = { columns: 120, rows: 40 };
/** Then the newest entries of the history, the slots of its first hours and most of the log's 2,000 lines are there. */
const warmUpMinutes = 30;
const target = 10e6;
const weekTarget = 1e6;

/** `hours` of the demo at high speed, recorded and drawn: what the process keeps in memory after each half hour. */
export async function measureMemory(only?: string): Promise<Figures> {
  const hours = only === undefined ? 8 : Number(only);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const folder = mkdtempSync(join(tmpdir(), 'traintop-memory-'));
  const seen: NodeJS.MemoryUsage[] = [];
  const dumps = Array.from({ length: hours * 12 }, (_, n) => 60 + n * 300);
  const began = performance.now();
  try {
    await replayDemo({
      ...size,
      seconds: hours * 3600,
      stepMs: 500,
      keys: dumps.flatMap((at) => [[at, 'd'] as const, [at + 1, 'q'] as const]),
      folder: join(folder, 'run'),
      async onSecond(second) {
        if (second % 1800 !== 0) return;
        await collectAll(collect);
        seen.push(process.memoryUsage());
      },
    });
    const seconds = (performance.now() - began) / 1000;
    const run = join(folder, 'run');
    const bytes = readdirSync(run).reduce((sum, name) => sum + statSync(join(run, name)).size, 0);
    say(
      `memory: ${hours} hours of the demo at ${size.columns}x${size.rows}, recorded, a dump every 5 minutes, on a clock turned by hand`,
    );
    const held = seen.map(({ heapUsed, external }) => heapUsed + external);
    for (const [what, values] of [
      ['resident', seen.map(({ rss }) => rss)],
      ['held (heap and buffers)', held],
    ] as const)
      report(`${what}, MB after each half hour`, values.map((value) => (value / 1e6).toFixed(0)).join(' '));
    const first = warmUpMinutes / 30 - 1;
    const grown = (values: readonly number[]) => (values.at(-1) ?? 0) - (values[first] ?? 0);
    const growth = grown(seen.map(({ rss }) => rss));
    report(`resident, from ${warmUpMinutes} minutes to the end`, mb(growth), {
      text: `< ${mb(target)}`,
      met: growth < target,
    });
    report(`held, from ${warmUpMinutes} minutes to the end`, mb(grown(held)));
    report('the recording', mb(bytes));
    report('it took', `${Math.round(seconds)} s`);
    await measureWeek(collect);
    return { grownBytes: growth, heldBytes: grown(held) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What hangs on a promise or a write is let go before it is counted. */
async function collectAll(collect: () => void) {
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise(setImmediate);
  }
}

/** The tiers of the history are full after two days; then nothing may grow. */
async function measureWeek(collect: () => void) {
  const held = async () => {
    await collectAll(collect);
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = await held();
  const days: number[] = [];
  await storeDays(7, async () => void days.push((await held()) - before));
  say('  seven days of frames every 5 s, 8 GPUs and 300 threads, into the store alone');
  report('held by it, MB after each day', days.map((bytes) => (bytes / 1e6).toFixed(1)).join(' '));
  const growth = (days.at(-1) ?? 0) - (days[1] ?? 0);
  report('from the second day to the last', mb(growth), { text: `< ${mb(weekTarget)}`, met: growth < weekTarget });
}

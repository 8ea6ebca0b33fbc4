import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { systemClock } from '../src/clock.ts';
import { logCollector } from '../src/collectors/log/collector.ts';
import { createRunner } from '../src/collectors/run.ts';
import { createLocalTransport } from '../src/collectors/transport/local.ts';
import { report, say } from './figures.ts';

const count = 16;
const seconds = 30;
/** Until the files are quiet. */
const warmUp = 16;
const target = 0.1;
const line = 'step 100 | loss 2.5 | lr 1.0e-4 | 14.5K tok/s and some more words of a usual line\n';

const bar = '\r  4%|x         | 4/100 [00:01<00:09, 1.00it/s, loss=2.5]';

/** What following sixteen files costs the host: nothing written, lines, and bars that have no end of line. */
export async function measureLogFiles(): Promise<void> {
  say(`log files: ${count} of them, local, ${seconds} s after ${warmUp} s; all processes of our commands`);
  const idle = await measure(0);
  report('nothing is written', `${idle.toFixed(3)} % of a core`, { text: `< ${target} %`, met: idle < target });
  report('a line a second in each', `${(await measure(1)).toFixed(3)} % of a core`);
  report('a progress bar in each', `${(await measure(1, bar)).toFixed(3)} % of a core`);
  report('40 lines a second in each', `${(await measure(40)).toFixed(3)} % of a core`);
}

async function measure(linesPerSecond: number, text = line): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-logs-'));
  const sign = `TRAINTOP_BENCH=${folder}`;
  const paths = Array.from({ length: count }, (_, i) => join(folder, `rank${i}.log`));
  for (const path of paths) writeFileSync(path, line.repeat(100));
  const heard = new Set<string>();
  const runner = createRunner({
    transport: createLocalTransport(`env ${sign}`),
    collectors: [logCollector],
    options: { intervalMs: 1000, threads: 'proc', logs: paths },
    clock: systemClock,
    onSample: (sample) => void (sample.kind === 'log' && sample.lines.length > 0 && heard.add(sample.source)),
  });
  try {
    await runner.start();
    while (heard.size < count) await pass(100);
    await pass(warmUp * 1000);
    const begun = performance.now();
    const before = cpuOf(sign);
    for (let second = 0; second < seconds; second++) {
      for (const path of linesPerSecond > 0 ? paths : []) appendFileSync(path, text.repeat(linesPerSecond));
      await pass(1000);
    }
    return (100 * (cpuOf(sign) - before)) / ((performance.now() - begun) / 1000);
  } finally {
    await runner.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of CPU of all processes with this word in their environment: their own to the nanosecond, their ended children's in ticks. */
function cpuOf(sign: string): number {
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(sign)) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const own = Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e9;
      sum += own + (Number(fields[13]) + Number(fields[14])) / 100;
    } catch {
      // It has ended.
    }
  }
  return sum;
}

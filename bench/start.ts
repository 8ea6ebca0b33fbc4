import { rmSync } from 'node:fs';
import { startTerminal } from '../test/support/terminal.ts';
import { type Figures, median, report, say } from './figures.ts';
import { fakeGpus } from './gpus.ts';
import { startBenchWorkload } from './programs.ts';

const runs = 9;
const size = { cols: 160, rows: 50 };
const firstFrameTarget = 400;

/** From the command to the first picture and to the first GPU and thread rows, of the demo and of a local run. */
export async function measureStart(): Promise<Figures> {
  say(`start: command to the screen of a terminal, ${size.cols}x${size.rows}, median of ${runs}`);
  const demoFrameMs = print('demo', await timesOf(['demo'], {}, 'pt_autograd'));
  const folder = fakeGpus({ gpus: 1 });
  const workload = await startBenchWorkload({ threads: 9, active: 8, percent: 4 });
  try {
    const env = { PATH: `${folder}:${process.env['PATH']}`, FAKE_NVIDIA_SMI: folder };
    const localFrameMs = print('local', await timesOf(['--pid', String(workload.pid)], env, 'bench-'));
    return { demoFrameMs, localFrameMs };
  } finally {
    await workload.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Times {
  readonly frame: number;
  readonly data: number;
}

function print(what: string, times: readonly Times[]): number {
  const frame = median(times.map(({ frame }) => frame));
  report(`${what}: first frame`, spread(times.map(({ frame }) => frame)), {
    text: `< ${firstFrameTarget} ms`,
    met: frame < firstFrameTarget,
  });
  report(`${what}: first GPU and thread rows`, spread(times.map(({ data }) => data)));
  return frame;
}

function spread(values: readonly number[]): string {
  return `${Math.round(median(values))} ms (${Math.round(Math.min(...values))}-${Math.round(Math.max(...values))})`;
}

async function timesOf(args: readonly string[], env: Record<string, string>, thread: string): Promise<Times[]> {
  const times: Times[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const terminal = startTerminal({ args, env, ...size });
    try {
      await terminal.waitFor('traintop');
      const frame = performance.now() - start;
      await terminal.waitFor((screen) => /\d × H\d00/.test(screen) && screen.includes(thread));
      times.push({ frame, data: performance.now() - start });
    } finally {
      await terminal.close();
    }
  }
  return times;
}

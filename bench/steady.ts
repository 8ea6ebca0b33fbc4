import { resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startTerminal } from '../test/support/terminal.ts';
import { type Figures, mb, report, say } from './figures.ts';
import { type Usage, usageOf } from './processes.ts';
import { startDemoHost } from './programs.ts';

const size = { cols: 160, rows: 50 };
const host = { threads: 300, active: 60 };
const target = { cpuPercent: 4, bytes: 130e6 };

/** The monitor's own cost while nothing is pressed: CPU, memory and bytes to the terminal. */
export async function measureSteady({ warmUp = 30, seconds = 60 } = {}): Promise<Figures> {
  const demo = await startDemoHost(host);
  try {
    const { usage, bytes } = await watchMonitor({ args: demo.args, warmUp, seconds });
    say(
      `steady: 1 s, 8 GPUs, ${host.threads} threads (${host.active} active), ${size.cols}x${size.rows}, ${seconds} s after ${warmUp} s`,
    );
    report('CPU of the monitor', `${usage.cpuPercent.toFixed(2)} % of a core`, {
      text: `< ${target.cpuPercent} %`,
      met: usage.cpuPercent < target.cpuPercent,
    });
    report('  user + system', `${usage.userPercent.toFixed(2)} + ${usage.systemPercent.toFixed(2)} %`);
    report('resident memory', mb(usage.rssBytes), {
      text: `< ${mb(target.bytes)}`,
      met: usage.rssBytes < target.bytes,
    });
    report('resident memory, highest', mb(usage.peakBytes));
    report('bytes to the terminal', `${Math.round(bytes / usage.seconds)} a second`);
    return { cpuPercent: usage.cpuPercent, memoryBytes: usage.rssBytes };
  } finally {
    await demo.stop();
  }
}

/** Runs the monitor on a host of 300 threads, and watches it for some seconds. */
export async function watchMonitor({
  args,
  warmUp = 30,
  seconds,
}: {
  readonly args: readonly string[];
  readonly warmUp?: number;
  readonly seconds: number;
}): Promise<{ readonly usage: Usage; readonly bytes: number }> {
  // As npm's link starts it: by the first line of the file, which keeps V8's young generation small.
  const terminal = startTerminal({ command: [resolve('bin/traintop.js')], args, ...size });
  try {
    await terminal.waitFor(/\d+ of 300 /);
    await pass(warmUp * 1000);
    const before = terminal.bytes();
    const usage = await usageOf(terminal.pid, seconds);
    return { usage, bytes: terminal.bytes() - before };
  } finally {
    await terminal.close();
  }
}

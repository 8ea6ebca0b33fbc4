import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';

/** What /proc counts CPU in. */
export const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** What a process used over a time. */
export interface Usage {
  readonly seconds: number;
  /** Percent of one core: user and system time of all its threads. */
  readonly cpuPercent: number;
  readonly userPercent: number;
  readonly systemPercent: number;
  /** Resident memory at the end, and its highest of all time, bytes. */
  readonly rssBytes: number;
  readonly peakBytes: number;
}

/** Watches a process for some seconds. */
export async function usageOf(pid: number, seconds: number): Promise<Usage> {
  const before = cpuOf(pid);
  const start = performance.now();
  await pass(seconds * 1000);
  const after = cpuOf(pid);
  const passed = (performance.now() - start) / 1000;
  const percent = (ticks: number) => (100 * ticks) / ticksPerSecond / passed;
  const { user, system } = { user: after.user - before.user, system: after.system - before.system };
  return {
    seconds: passed,
    cpuPercent: percent(user + system),
    userPercent: percent(user),
    systemPercent: percent(system),
    rssBytes: memoryOf(pid, 'VmRSS'),
    peakBytes: memoryOf(pid, 'VmHWM'),
  };
}

/** CPU of a process itself, and of it with the children it waited for, in ticks. */
export function cpuOf(pid: number): { user: number; system: number; own: number; withChildren: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // comm may hold blanks and brackets: count from the last bracket.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { user, system, own: user + system, withChildren: user + system + childUser + childSystem };
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}

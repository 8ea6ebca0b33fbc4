import { readFileSync } from 'node:fs';

/** Whether a process of this machine runs. A zombie does not: where PID 1 reaps nobody (bare containers) orphans stay zombies. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

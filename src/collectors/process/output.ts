import type { RunOutput } from '../../model/run.ts';

/** What the target of /proc/PID/fd/N says (proc_pid_fd(5)). */
export function readOutput(fd: number, target: string): RunOutput {
  if (target.startsWith('pipe:[')) return { fd, kind: 'pipe' };
  if (target.startsWith('socket:[')) return { fd, kind: 'socket' };
  if (target === '/dev/null') return { fd, kind: 'null' };
  if (/^\/dev\/(pts\/\d+|tty.*|console)$/.test(target)) return { fd, kind: 'terminal' };
  if (target.endsWith(' (deleted)')) return { fd, kind: 'deleted' };
  if (target.startsWith('/') && !target.startsWith('/dev/')) return { fd, kind: 'file', path: target };
  return { fd, kind: 'unknown' };
}

import type { ThreadWait } from './thread-wait.ts';
import { waitWord } from './wait-word.ts';

/**
 * A wait in as few words as tell it: `futex`, `ioctl nvidia0`, `poll`, `D rpc_wait_bit_killable`. Undefined for a thread that runs, or of which
 * nothing is known. It claims nothing of how long.
 */
export function shortWait(wait: ThreadWait): string | undefined {
  const { state, call, file, where } = wait;
  if (state === 'R') return wait.seconds !== undefined && wait.seconds > 0 ? 'a core' : undefined;
  if (state === 'T') return 'stopped';
  if (state === 't') return 'traced';
  if (state === 'Z' || state === 'X') return undefined;
  const word = waitWord(call, where);
  const said =
    word === undefined
      ? (where ?? call)
      : [word, isFileWord(word) ? shortFile(file) : undefined].filter(Boolean).join(' ');
  if (state === 'D') return `D ${where ?? said ?? ''}`.trimEnd();
  return said;
}

/** The same as a sentence without its time: `futex wait`, `ioctl on /dev/nvidia0`, `poll on 3 descriptors`, `D in rpc_wait_bit_killable (read on /data/x)`. */
export function longWait(wait: ThreadWait): string | undefined {
  const { state, where, stack } = wait;
  if (state === 'R') return wait.seconds !== undefined && wait.seconds > 0 ? 'waits for a core' : undefined;
  if (state === 'T') return 'stopped';
  if (state === 't') return 'stopped by a tracer';
  if (state === 'Z' || state === 'X') return undefined;
  const doing = callWords(wait);
  if (state !== 'D') return doing ?? (where === undefined ? undefined : `in ${where}`);
  const place = stack?.[0] ?? where;
  if (place === undefined) return doing === undefined ? 'D' : `D, ${doing}`;
  return `D in ${place}${doing === undefined ? '' : ` (${doing})`}`;
}

/** `3.2 s`, `12 s`, `4 min`, `2.5 h`; with `or longer` where nobody saw it begin. */
export function waitTime({ seconds, orLonger }: Pick<ThreadWait, 'seconds' | 'orLonger'>): string | undefined {
  if (seconds === undefined) return undefined;
  return `${spell(seconds)}${orLonger ? ' or longer' : ''}`;
}

/** `12s`, `4m`, `2.5h`: for a cell. `>` stands before what may be longer. */
export function shortWaitTime({ seconds, orLonger }: Pick<ThreadWait, 'seconds' | 'orLonger'>): string | undefined {
  if (seconds === undefined) return undefined;
  return `${orLonger ? '>' : ''}${spell(seconds).replace(' ', '').replace('min', 'm')}`;
}

function callWords({ call, file, operand, where, others }: ThreadWait): string | undefined {
  const word = waitWord(call, where);
  const on = file === undefined ? '' : ` on ${longFile(file)}`;
  if (word === undefined) return call === undefined ? undefined : `${call}${on}`;
  if (word === 'futex') {
    const shared = others === undefined ? '' : ` with ${others} other ${others === 1 ? 'thread' : 'threads'}`;
    return `futex wait${shared}`;
  }
  if (word === 'poll') {
    if (operand !== undefined) return `poll on ${operand} ${operand === 1 ? 'descriptor' : 'descriptors'}`;
    return `${call === undefined || call === 'restart_syscall' ? 'poll' : call}${on}`;
  }
  if (word === 'child') return operand === undefined ? 'waits for a child' : `waits for child ${operand}`;
  if (word === 'sleep') return 'sleep';
  if (word === 'file lock') return `file lock${on}`;
  if (call === undefined || call === 'restart_syscall') return `${word} (${where})`;
  return `${call}${on}`;
}

const isFileWord = (word: string) => /^(ioctl|read|write|sync|network|file lock)$/.test(word);

/** `nvidia0`, `pipe`, `train.idx`. */
function shortFile(file: string | undefined): string | undefined {
  if (file === undefined || file.startsWith('socket:')) return undefined;
  if (file.startsWith('pipe:')) return 'pipe';
  return file
    .replace(/^anon_inode:\[?/, '')
    .replace(/\]$/, '')
    .replace(/ \(deleted\)$/, '')
    .replace(/.*\//, '');
}

function longFile(file: string): string {
  if (file.startsWith('socket:')) return 'a socket';
  if (file.startsWith('pipe:')) return 'a pipe';
  return file.startsWith('anon_inode:') ? file.slice('anon_inode:'.length) : file;
}

function spell(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

import { spawnSync } from 'node:child_process';

/**
 * Lets a shell's bytes through to the terminal as they are; returns the end of that. Node's raw mode (20 to 24, libuv 1.51) leaves the
 * terminal's output processing on, which makes CR LF of LF: programs that go down by LF (curses, where the shell's own terminal
 * does not) would draw in the wrong column. Only stty can tell the terminal, since Node has no call for it.
 */
export function rawOutput(): () => void {
  stty('-opost');
  return () => stty('opost');
}

function stty(mode: string) {
  spawnSync('stty', [mode], { stdio: ['inherit', 'ignore', 'ignore'], timeout: 2000 });
}

import { isatty } from 'node:tty';
import { systemClock } from '../clock.ts';

/**
 * At its exit Node sets the terminal back, and aborts with a core when that is gone (20.20, 22). tmux sends the signal before it
 * closes the terminal, so it may be there for a moment yet.
 */
export async function endByHangUp(): Promise<void> {
  for (let wait = 0; wait < 10 && isatty(0); wait++)
    await new Promise<void>((resolve) => systemClock.after(25, resolve));
  if (isatty(0)) return;
  process.kill(process.pid, 'SIGHUP');
  // Where signal-exit (of Ink 7.1.1) listens, the signal comes with the next turn of the loop, which may have nothing else to wait for.
  await new Promise<void>((resolve) => systemClock.after(1000, resolve));
}

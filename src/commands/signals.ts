import { constants } from 'node:os';

/** Signals that end a command as `q` ends the screen: nothing is left on the host, and no file here. */
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Calls `fn` at each of them; returns its cancel. */
export function onEndSignal(fn: (signal: NodeJS.Signals) => void): () => void {
  const listeners = signals.map((signal) => [signal, () => fn(signal)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** The exit code that a shell gives a signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Does work that such a signal ends, which makes it reject: gives its exit code, or that of the signal. */
export async function untilEndSignal(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const over = new AbortController();
  let ended: NodeJS.Signals | undefined;
  const off = onEndSignal((signal) => {
    ended = signal;
    over.abort();
  });
  try {
    return await work(over.signal);
  } catch (error) {
    if (ended !== undefined) return exitCodeOf(ended);
    throw error;
  } finally {
    off();
  }
}

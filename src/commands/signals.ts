import { constants } from 'node:os';

/** Signals that end a command as `q` ends the screen: nothing is left on the host, and no file here. */
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Calls `fn` at each of them, with the exit code that a shell gives it (128 and its number); returns its cancel. */
export function onEndSignal(fn: (exitCode: number) => void): () => void {
  const listeners = signals.map((signal) => [signal, () => fn(128 + constants.signals[signal])] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

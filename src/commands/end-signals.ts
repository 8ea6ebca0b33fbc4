import { isatty } from 'node:tty';

/**
 * Signals that end a watch without a screen. SIGHUP only where it is of a terminal's end: nohup has it ignored, which Node (20, 22)
 * takes back at its start; who has no terminal at all has nothing to be hung up by.
 */
export function onWatchEnd(end: (signal: NodeJS.Signals) => void): () => void {
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  const listeners = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => {
    const listener = () => {
      if (signal !== 'SIGHUP' || hasTerminal) end(signal);
    };
    return [signal, listener] as const;
  });
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

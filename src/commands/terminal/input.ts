/** Where the user's keys come from. */
export interface TerminalInput {
  /** From now on gives all input as bytes to `fn`, and to nobody else; returns the end of that, which takes what was not for `fn`. */
  divert(fn: (bytes: Buffer) => void): (rest?: Buffer) => void;
}

/** A terminal without a screen on it: raw while it is diverted. */
export function plainInput(stdin: NodeJS.ReadStream): TerminalInput {
  return {
    divert(fn) {
      stdin.setRawMode(true);
      stdin.on('data', fn);
      stdin.resume();
      return () => {
        stdin.off('data', fn);
        stdin.pause();
        try {
          stdin.setRawMode(false);
        } catch {
          // The terminal is gone.
        }
      };
    },
  };
}

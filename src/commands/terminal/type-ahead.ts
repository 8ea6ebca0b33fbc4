/** What is typed from the key that asked for a shell until one is there, and then goes to it. */
export interface TypeAhead {
  push(bytes: Buffer): void;
  /** The user gave up waiting: Esc or Ctrl-C. */
  readonly givenUp: Promise<void>;
  /** Gives what was typed to `fn`, and all that comes from now on. */
  connect(fn: (bytes: Buffer) => void): void;
}

const ctrlC = 3;
const escape = 0x1b;

/** Nothing typed yet. */
export function createTypeAhead(): TypeAhead {
  const typed: Buffer[] = [];
  let take: ((bytes: Buffer) => void) | undefined;
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => (giveUp = resolve));
  return {
    push(bytes) {
      if (take) return take(bytes);
      typed.push(bytes);
      // A sequence of a cursor key begins with Esc, and comes as one.
      if (bytes.includes(ctrlC) || (bytes.length === 1 && bytes[0] === escape)) giveUp();
    },
    givenUp,
    connect(fn) {
      take = fn;
      for (const bytes of typed.splice(0)) fn(bytes);
    },
  };
}

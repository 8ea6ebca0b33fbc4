/** What is typed from the key that asked for a shell until one is there, then goes to it, and at last is the screen's again. */
export interface TypeAhead {
  push(bytes: Buffer): void;
  /** The user gave up waiting: Esc or Ctrl-C. */
  readonly givenUp: Promise<void>;
  /** Gives what was typed to `fn`, and all that comes from now on. */
  connect(fn: (bytes: Buffer) => void): void;
  /** Keeps it again. */
  disconnect(): void;
  /** Takes what is kept. */
  rest(): Buffer;
}

const ctrlC = 3;
const escape = 0x1b;

/** Nothing typed yet. */
export function createTypeAhead(): TypeAhead {
  const typed: Buffer[] = [];
  let take: ((bytes: Buffer) => void) | undefined;
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => (giveUp = resolve));
  function push(bytes: Buffer) {
    if (take) return take(bytes);
    typed.push(bytes);
    // A sequence of a cursor key begins with Esc, and comes as one.
    if (bytes.includes(ctrlC) || (bytes.length === 1 && bytes[0] === escape)) giveUp();
  }
  return {
    push,
    givenUp,
    connect(fn) {
      take = fn;
      // It may end by what was typed: the rest is kept then.
      for (const bytes of typed.splice(0)) push(bytes);
    },
    disconnect: () => (take = undefined),
    rest: () => Buffer.concat(typed.splice(0)),
  };
}

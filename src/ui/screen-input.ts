/** The terminal's input, for Ink and for a shell that takes the screen's place. */
export interface ScreenInput {
  /** What Ink may read. */
  readonly stream: NodeJS.ReadStream;
  /**
   * From now on gives all input as bytes to `fn`, and none to Ink, which cannot change the terminal's mode either; returns the end of
   * that, which takes what is for Ink after all. What came in the same moment as the key that is being handled goes to `fn` too, if
   * that key is `divertKey`.
   */
  divert(fn: (bytes: Buffer) => void): (rest?: Buffer) => void;
}

/** Who types fast types on behind it, before there is a shell. */
export const divertKey = '!';

/**
 * The terminal's input as Ink may have it: without sequences that are no keys of ours. Mouse and focus reports come when a
 * program before us was killed, answers to its questions (colours, attributes) when it was too early to leave. Ink 7.1.1 takes
 * what it does not know for typed text, and `11;rgb:` for the panels 1 and 1.
 */
export function screenInput(terminal: NodeJS.ReadStream): ScreenInput {
  const keys = createKeyFilter();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Read, and not handled yet. */
  let rest = '';
  let taker: ((bytes: Buffer) => void) | undefined;

  const drain = () => {
    for (let chunk; taker && (chunk = terminal.read() as Buffer | null) !== null;) taker(chunk);
  };
  /** Ends behind each divertKey, so that what follows is still here when the key is handled. */
  const read = (): string | null => {
    if (taker) return null;
    if (rest === '') {
      const chunk = terminal.read() as Buffer | null;
      if (chunk === null) return null;
      rest = keys(decoder.decode(chunk, { stream: true }));
    }
    const end = rest.indexOf(divertKey) + 1 || rest.length;
    const first = rest.slice(0, end);
    rest = rest.slice(end);
    return first;
  };
  const own: Readonly<Record<PropertyKey, unknown>> = {
    read,
    // A shell takes bytes: decoding is done above.
    setEncoding: () => stream,
    setRawMode(raw: boolean) {
      if (!taker) terminal.setRawMode(raw);
      return stream;
    },
    unref() {
      if (!taker) terminal.unref();
      return stream;
    },
  };
  const stream: NodeJS.ReadStream = new Proxy(terminal, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    stream,
    divert(fn) {
      taker = fn;
      if (rest !== '') fn(Buffer.from(rest));
      rest = '';
      terminal.on('readable', drain);
      // A stream tells of new data only after a read that found none.
      queueMicrotask(drain);
      return (left = Buffer.alloc(0)) => {
        taker = undefined;
        terminal.off('readable', drain);
        rest = keys(decoder.decode(left, { stream: true }));
        if (rest !== '') terminal.emit('readable');
      };
    },
  };
}

/** OSC, DCS, SOS, PM and APC with their text and their end; CSI with the three bytes of an old mouse report; other CSI. */
const sequence = /\x1b[\]PX^_][^\x07\x1b]{2,}(?:\x07|\x1b\\|$)|\x1b\[M[^]{3}|\x1b\[\[[A-E]|\x1b\[[0-?]*[ -/]*[@-~]/g;
/** Cursor keys, Home, End, Shift-Tab, keys of the kitty protocol, and the ones that have a number; 200 and 201 frame a paste. */
const key = /^\x1b\[(?:[\d;:]*[ABCDFHZu]|(?:[1-8]|20[01])(?:;\d+)?~)$/;
/** F9 (xterm, linux, tmux), with whatever modifiers; Ink 7.1.1 names no function key, and gives it as no text either. */
const f9 = /^\x1b\[20(?:;\d+)?~$/;
/** An answer that was cut is looked for so far into the next chunk. */
const longestAnswer = 1024;

/** Takes the chunks of the input, gives what is keys and text. */
export function createKeyFilter(): (chunk: string) => string {
  let isCut = false;
  return (chunk) => {
    const end = isCut ? /^[^\x07\x1b]*(?:\x07|\x1b\\)/.exec(chunk.slice(0, longestAnswer)) : null;
    isCut = false;
    return chunk.slice(end?.[0].length ?? 0).replace(sequence, (found) => {
      if (/^\x1b[\]PX^_]/.test(found)) isCut = !/(?:\x07|\x1b\\)$/.test(found);
      if (f9.test(found)) return '\x1e';
      return key.test(found) ? found : '';
    });
  };
}

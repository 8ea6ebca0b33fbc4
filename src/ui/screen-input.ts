/**
 * The terminal's input as Ink may have it: without sequences that are no keys of ours. Mouse and focus reports come when a
 * program before us was killed, answers to its questions (colours, attributes) when it was too early to leave. Ink 7.1.1 takes
 * what it does not know for typed text, and `11;rgb:` for the panels 1 and 1.
 */
export function screenInput(terminal: NodeJS.ReadStream): NodeJS.ReadStream {
  const keys = createKeyFilter();
  const read = (size?: number): unknown => {
    const chunk: unknown = terminal.read(size);
    return typeof chunk === 'string' ? keys(chunk) : chunk;
  };
  return new Proxy(terminal, {
    get(target, name) {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** OSC, DCS, SOS, PM and APC with their text and their end; CSI with the three bytes of an old mouse report; other CSI. */
const sequence = /\x1b[\]PX^_][^\x07\x1b]{2,}(?:\x07|\x1b\\|$)|\x1b\[M[^]{3}|\x1b\[\[[A-E]|\x1b\[[0-?]*[ -/]*[@-~]/g;
/** Cursor keys, Home, End, Shift-Tab, keys of the kitty protocol, and the ones that have a number; 200 and 201 frame a paste. */
const key = /^\x1b\[(?:[\d;:]*[ABCDFHZu]|(?:[1-8]|20[01])(?:;\d+)?~)$/;
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
      return key.test(found) ? found : '';
    });
  };
}

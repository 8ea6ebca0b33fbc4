/**
 * The terminal as Ink may use it. Ink 7.1.1 clears with `CSI 2J CSI 3J` when it leaves and when a frame overflows, and tmux
 * takes 3J for "forget the scrollback", the user's own from before the alternate screen too: it is left out. The alternate screen
 * begins empty, whatever a program left on it: Ink's first frame writes no blanks.
 */
export function screenOutput(terminal: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const safe =
      typeof chunk === 'string' ? chunk.replaceAll('\x1b[3J', '').replaceAll(enter, `${enter}\x1b[2J\x1b[H`) : chunk;
    return (terminal.write as (...all: unknown[]) => boolean)(safe, ...rest);
  };
  return new Proxy(terminal, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const enter = '\x1b[?1049h';

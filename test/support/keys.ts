/** Keys by name, as xterm sends them. */
const SEQUENCES = {
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  'shift-right': '\x1b[1;2C',
  'shift-left': '\x1b[1;2D',
  home: '\x1b[H',
  end: '\x1b[F',
  pgup: '\x1b[5~',
  pgdn: '\x1b[6~',
  tab: '\t',
  'shift-tab': '\x1b[Z',
  enter: '\r',
  esc: '\x1b',
  backspace: '\x7f',
  space: ' ',
  f9: '\x1b[20~',
  'ctrl-c': '\x03',
  'ctrl-l': '\x0c',
  'ctrl-u': '\x15',
  'ctrl-z': '\x1a',
  'focus-in': '\x1b[I',
  'focus-out': '\x1b[O',
} as const;

/** A key: its name, or the one character it types. */
export type Key = keyof typeof SEQUENCES | (string & {});

/** The bytes a terminal sends for a key. Throws for a name it does not know: a misspelt key must not type itself. */
export function keySequence(key: Key): string {
  const named = (SEQUENCES as Record<string, string>)[key];
  if (named !== undefined) return named;
  if ([...key].length === 1) return key;
  throw new Error(`no key is called ${key}; names are ${Object.keys(SEQUENCES).join(', ')}`);
}

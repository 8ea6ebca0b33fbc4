import { resolve } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { Terminal as Screen } from '@xterm/headless';
import { keySequence, type Key } from './keys.ts';

/** What a terminal is started with. `command` defaults to `node bin/traintop.js`, found from the working folder; `args` follow it. */
export interface TerminalOptions {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
  /** Added to an environment without what would change the drawing (CI, NO_COLOR, TMUX...); undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** How a program in a terminal ended; `signal` is its number, if one ended it. */
export interface Exit {
  readonly code: number;
  readonly signal: number | undefined;
}

/** A program in a real terminal: a pty, whose bytes go through xterm's own parser into a screen. */
export interface Terminal {
  readonly pid: number;
  /** The program's end, once all its output has been drawn. */
  readonly exit: Promise<Exit>;
  /** The visible rows, trimmed at their right. */
  screen(): string;
  /** One visible row, from 0. */
  row(index: number): string;
  /** Resolves with the screen once a whole frame shows `target`; rejects with the screen in the error at the timeout or the program's end. */
  waitFor(target: string | RegExp | ((screen: string) => boolean), timeoutMs?: number): Promise<string>;
  press(...keys: Key[]): void;
  type(text: string): void;
  resize(cols: number, rows: number): void;
  /** Everything the program wrote, and how many bytes that was. */
  raw(): string;
  bytes(): number;
  kill(signal?: NodeJS.Signals): void;
  alternateScreen(): boolean;
  cursorVisible(): boolean;
  /** xterm's own terminal, for pictures and cell colours. */
  readonly xterm: Screen;
  /** Kills the program if it still runs, and waits for its end. */
  close(): Promise<void>;
}

const open = new Set<Terminal>();
process.on('exit', () => open.forEach((terminal) => terminal.kill('SIGKILL')));

/** Closes every terminal still open: for `afterEach`. */
export async function closeTerminals(): Promise<void> {
  await Promise.all([...open].map((terminal) => terminal.close()));
}

/** Starts a program in a terminal of its own (default 120x40, xterm-256color with 24-bit colour, UTF-8). */
export function startTerminal(options: TerminalOptions = {}): Terminal {
  const { command = [process.execPath, resolve('bin/traintop.js')], args = [], cols = 120, rows = 40 } = options;
  const [file = '', ...first] = command;
  const { cwd = process.cwd() } = options;
  const pty = spawn(file, [...first, ...args], { cols, rows, cwd, env: environment(options.env), encoding: null });
  const xterm = new Screen({ cols, rows, allowProposedApi: true, scrollback: 1000 });
  const chunks: Buffer[] = [];
  const watchers = new Set<() => void>();
  let ended: Exit | undefined;

  pty.onData((data) => {
    // With `encoding: null` node-pty gives bytes, whatever its types say: a character may be cut by the end of a chunk.
    const bytes = data as unknown as Buffer;
    chunks.push(bytes);
    xterm.write(bytes);
  });
  // Questions (cursor position, device attributes) are answered as a real terminal answers them.
  xterm.onData((answer) => ended ?? pty.write(answer));
  xterm.onWriteParsed(() => watchers.forEach((watch) => watch()));
  const cursor = watchMode(xterm, 25, true); // DECTCEM
  const drawing = watchMode(xterm, 2026, false); // synchronized update
  const exit = new Promise<Exit>((done) => {
    pty.onExit(({ exitCode, signal }) => {
      xterm.write('', () => {
        ended = { code: exitCode, signal: signal === 0 ? undefined : signal };
        open.delete(terminal);
        watchers.forEach((watch) => watch());
        done(ended);
      });
    });
  });

  const terminal: Terminal = {
    pid: pty.pid,
    exit,
    xterm,
    screen: () => Array.from({ length: xterm.rows }, (_, index) => rowOf(xterm, index)).join('\n'),
    row: (index) => rowOf(xterm, index),
    press: (...keys) => keys.forEach((key) => pty.write(keySequence(key))),
    type: (text) => pty.write(text),
    resize(newCols, newRows) {
      xterm.resize(newCols, newRows);
      pty.resize(newCols, newRows);
    },
    raw: () => Buffer.concat(chunks).toString('utf8'),
    bytes: () => chunks.reduce((sum, { length }) => sum + length, 0),
    kill(signal = 'SIGTERM') {
      if (!ended) process.kill(pty.pid, signal);
    },
    alternateScreen: () => xterm.buffer.active.type === 'alternate',
    cursorVisible: cursor,
    async close() {
      if (!ended) pty.kill('SIGKILL');
      await exit;
    },
    waitFor(target, timeoutMs = 15_000) {
      const { promise, resolve: found, reject } = deferred<string>();
      const watch = () => {
        if (drawing() && !ended) return; // half a frame
        const screen = terminal.screen();
        if (shows(screen, target)) found(screen);
        else if (ended) reject(new Error(`ended (${JSON.stringify(ended)}) before it showed ${target}:\n${screen}`));
      };
      const late = () => reject(new Error(`did not show ${target} within ${timeoutMs} ms:\n${terminal.screen()}`));
      const timer = setTimeout(late, timeoutMs);
      watchers.add(watch);
      watch();
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(watch);
      });
    },
  };
  open.add(terminal);
  return terminal;
}

/** Whether a screen shows the text, matches the expression or satisfies the predicate. */
export function shows(screen: string, target: string | RegExp | ((screen: string) => boolean)): boolean {
  if (typeof target === 'string') return screen.includes(target);
  return target instanceof RegExp ? target.test(screen) : target(screen);
}

/**
 * The environment for a program on a screen. CI makes Ink draw only its last frame, FORCE_COLOR and NO_COLOR change colours, COLUMNS
 * and LINES win over the pty's size, and TMUX changes what is sent.
 */
export function environment(extra: TerminalOptions['env'] = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(CI|CI_.*|CONTINUOUS_INTEGRATION|.*COLOR.*|COLUMNS|LINES|TMUX.*|STY|NODE_.*|VITEST.*|TEST|PROD|DEV|LC_.*|npm_.*)$/.test(
        name,
      ),
  );
  const all = {
    ...Object.fromEntries(kept),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    // No test writes into the record of the user who runs it.
    XDG_STATE_HOME: '/dev/null',
    ...extra,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function rowOf(xterm: Screen, index: number): string {
  const { active } = xterm.buffer;
  return active.getLine(active.baseY + index)?.translateToString(true) ?? '';
}

// xterm's public interface does not say all modes; CSI ? MODE h and l do.
function watchMode(xterm: Screen, mode: number, atFirst: boolean): () => boolean {
  let on = atFirst;
  const set = (value: boolean) => (params: readonly (number | number[])[]) => {
    if (params.includes(mode)) on = value;
    return false;
  };
  xterm.parser.registerCsiHandler({ prefix: '?', final: 'h' }, set(true));
  xterm.parser.registerCsiHandler({ prefix: '?', final: 'l' }, set(false));
  return () => on;
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: Error) => void } {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { environment, shows, type TerminalOptions } from './terminal.ts';
import { removeFolder } from './remove-folder.ts';

const run = promisify(execFile);

/** A program in a pane of a real tmux server of its own. */
export interface Tmux {
  /** Process ID of the program in the pane. */
  readonly pid: number;
  /** The pane's text, its rows trimmed at their right; with `escapes` as tmux would draw it, colours and all. */
  capture(options?: { readonly escapes?: boolean }): Promise<string>;
  /** tmux's own key names: Down, PPage, Tab, Escape, C-c, q. */
  sendKeys(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  resize(cols: number, rows: number): Promise<void>;
  /** Resolves with the pane's text once it shows `target`; rejects with the text in the error at the timeout. */
  waitFor(target: string | RegExp | ((screen: string) => boolean), timeoutMs?: number): Promise<string>;
  /** One tmux format, as `#{alternate_on}`, `#{cursor_flag}`, `#{pane_dead}`. */
  format(format: string): Promise<string>;
  /** Any other tmux command on this server, as `split-window`. */
  command(...args: string[]): Promise<string>;
  /** Ends the server, and with it the program. */
  kill(): Promise<void>;
}

const sockets = new Set<string>();
process.on('exit', () => sockets.forEach((socket) => killNow(socket)));

/** Ends every server still there: for `afterEach`. */
export async function killTmuxServers(): Promise<void> {
  sockets.forEach((socket) => killNow(socket));
}

/**
 * Starts a program in tmux, without the user's configuration, the status line off so that the pane has all `rows`. The pane stays when
 * the program ends (`#{pane_dead}`).
 */
export async function startTmux(options: TerminalOptions = {}): Promise<Tmux> {
  const { command = [process.execPath, resolve('bin/traintop.js')], args = [], cols = 120, rows = 40 } = options;
  const socket = join(mkdtempSync(join(tmpdir(), 'traintop-tmux-')), 'socket');
  const env = environment(options.env);
  const tmux = async (...given: string[]) =>
    (await run('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...given], { env })).stdout;

  const size = ['-x', String(cols), '-y', String(rows)];
  sockets.add(socket);
  await tmux(
    ...['set-option', '-g', 'status', 'off', ';', 'set-option', '-g', 'remain-on-exit', 'on', ';'],
    ...['set-option', '-g', 'focus-events', 'on', ';'],
    ...['new-session', '-d', ...size, '-c', options.cwd ?? process.cwd(), '--', ...command, ...args],
  );
  const format = async (text: string) => (await tmux('display-message', '-p', text)).trimEnd();

  const pane: Tmux = {
    pid: Number(await format('#{pane_pid}')),
    format,
    command: tmux,
    async capture({ escapes = false } = {}) {
      const text = await tmux('capture-pane', '-p', ...(escapes ? ['-e'] : []));
      return text.replace(/\n$/, '').replace(/[ ]+$/gm, '');
    },
    async sendKeys(...keys) {
      await tmux('send-keys', ...keys);
    },
    async type(text) {
      await tmux('send-keys', '-l', '--', text);
    },
    async resize(newCols, newRows) {
      await tmux('resize-window', '-x', String(newCols), '-y', String(newRows));
    },
    async waitFor(target, timeoutMs = 15_000) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const screen = await pane.capture();
        if (shows(screen, target)) return screen;
        if (performance.now() > end) throw new Error(`tmux did not show ${target} within ${timeoutMs} ms:\n${screen}`);
        await new Promise((next) => setTimeout(next, 25));
      }
    },
    async kill() {
      killNow(socket);
    },
  };
  return pane;
}

function killNow(socket: string): void {
  sockets.delete(socket);
  try {
    execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
  } catch {
    // It is gone already.
  }
  removeFolder(dirname(socket));
}

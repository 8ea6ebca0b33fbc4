import { closeSync, openSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { ReadStream } from 'node:tty';
import { onEndSignal } from './signals.ts';

/** Lines from the command's terminal. While it is open nothing that is typed is echoed by the terminal. */
export interface LineReader {
  say(...lines: readonly string[]): void;
  /** Reads a line; undefined when the user declined (Ctrl-D on an empty line), a signal came, or nobody waits for it any more. */
  line(prompt: string, hidden: boolean): Promise<string | undefined>;
  /** Sets the terminal back. */
  close(): void;
}

/** Longer than any password. */
const longest = 1024;

/**
 * Opens /dev/tty; throws where there is none. A signal that ends the program sets the terminal back before; who handles it hears of it
 * as well.
 */
export function openLineReader(gone?: AbortSignal): LineReader {
  const output = openSync('/dev/tty', 'w');
  const input = new ReadStream(openSync('/dev/tty', 'r'));
  const decoder = new StringDecoder('utf8');
  /** Typed ahead. */
  let typed = '';
  let take: (() => void) | undefined;
  let isOver = gone?.aborted === true;
  const over = () => {
    isOver = true;
    take?.();
  };
  const offSignals = onEndSignal((signal) => {
    close();
    // Nobody else handles it: it does what it would have done.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });
  input.setRawMode(true);
  input.on('data', (chunk: Buffer) => {
    typed += decoder.write(chunk);
    take?.();
  });
  input.on('end', over);
  input.on('error', over);
  gone?.addEventListener('abort', over);

  function write(text: string) {
    try {
      writeSync(output, text);
    } catch {
      over(); // the terminal went
    }
  }

  let isClosed = false;
  function close() {
    if (isClosed) return;
    isClosed = true;
    offSignals();
    gone?.removeEventListener('abort', over);
    try {
      input.setRawMode(false);
    } catch {
      // The terminal went.
    }
    over();
    input.destroy();
    closeSync(output);
  }

  return {
    say: (...lines) => write(lines.map((line) => `${line}\n`).join('')),
    line(prompt, hidden) {
      write(prompt);
      let text = '';
      const echo = (shown: string) => {
        if (!hidden) write(shown);
      };
      return new Promise((resolve) => {
        const done = (answer: string | undefined) => {
          take = undefined;
          if (!isClosed) write('\n');
          resolve(answer);
        };
        take = () => {
          while (typed !== '' && !isOver) {
            const [key = ''] = escape.exec(typed) ?? [...typed];
            typed = typed.slice(key.length);
            if (key === '\r' || key === '\n') return done(text);
            if (key === '\x04' && text === '') return done(undefined);
            if (key === '\x03') return void process.kill(process.pid, 'SIGINT');
            const before = text;
            text = edited(text, key);
            if (text.length > before.length) echo(key);
            else echo('\b \b'.repeat([...before].length - [...text].length));
          }
          if (isOver) done(undefined);
        };
        take();
      });
    },
    close,
  };
}

/** Cursor keys and the like, which are no text. */
const escape = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)?/;

function edited(text: string, key: string): string {
  if (key === '\x15') return '';
  if (key === '\x7f' || key === '\b') return [...text].slice(0, -1).join('');
  return /^[\x00-\x1f\x7f-\x9f]/.test(key) ? text : (text + key).slice(0, longest);
}

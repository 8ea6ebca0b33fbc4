import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import { lineOf, type Message } from './message.ts';
import { createFaults, createGathering, isFrom, type Way } from './way.ts';

interface Init {
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (text: string) => void;
  /** The bell of the pane is rung by somebody else. */
  readonly hasBell: boolean;
}

/** A tmux that does not answer is left. */
const limitMs = 5000;
/** How long a message stands: longer than tmux's own 0.75 s. */
const shownMs = 10_000;
/** Of one alarm. */
const mostClients = 8;

/**
 * A message in each client of the tmux that the screen runs in, and the flag of its window: by the bell of its pane, which is how tmux sets
 * flags (monitor-bell, on by default). None of the user's options is changed.
 */
export function createTmuxWay({ clock, env, report, hasBell }: Init): Way {
  const faults = createFaults({ clock, report });
  const ended = new AbortController();
  let turn: Promise<void> = Promise.resolve();
  let isClosing = false;
  const gathering = createGathering(clock, (messages) => {
    turn = turn.then(() => tellAll(messages)).catch(() => {});
  });

  async function tellAll(messages: readonly Message[]) {
    const rings = messages.findLast(({ alarm }) => alarm.state === 'ringing');
    const newest = rings ?? messages.at(-1);
    if (!newest || ended.signal.aborted) return;
    const more = messages.length === 1 ? '' : ` (and ${messages.length - 1} more)`;
    try {
      const clients = (await tmux(['list-clients', '-F', '#{client_name}'])).split('\n').filter((name) => name !== '');
      for (const client of clients.slice(0, mostClients))
        // Who has gone since needs none.
        await tmux(['display-message', '-d', String(shownMs), '-c', client, messageText(lineOf(newest) + more)]).catch(
          () => {},
        );
      if (rings && !hasBell) await ringPane();
      faults.worked();
    } catch (error) {
      faults.failed(`tmux was not told of an alarm: ${reasonOf(error as NodeJS.ErrnoException)}.`);
    }
  }

  async function ringPane() {
    const { TMUX_PANE: pane = '' } = env;
    if (!/^%\d+$/.test(pane)) return;
    const path = (await tmux(['display-message', '-p', '-t', pane, '#{pane_tty}'])).trim();
    if (!/^\/dev\/(?:pts\/|tty)[\w/]+$/.test(path)) return;
    const tty = await open(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      await tty.write('\x07');
    } finally {
      await tty.close();
    }
  }

  function tmux(args: readonly string[]): Promise<string> {
    const { signal } = ended;
    return new Promise((resolve, reject) => {
      const limit = new AbortController();
      const cancel = clock.after(limitMs, () => limit.abort());
      const options = {
        env,
        signal: AbortSignal.any([signal, limit.signal]),
        killSignal: 'SIGKILL',
        maxBuffer: 65_536,
      } as const;
      execFile('tmux', [...args], options, (error, stdout) => {
        cancel();
        if (limit.signal.aborted) reject(new Error(`it did not answer within ${limitMs / 1000} s`));
        else if (error) reject(error);
        else resolve(stdout);
      });
    });
  }

  return {
    tell: (message) => !isClosing && isFrom(message.alarm.severity, 'warning') && gathering.add(message),
    about: () => faults.last() ?? 'tmux: a message, and the flag of the window, from warning on.',
    async close() {
      isClosing = true;
      gathering.stop();
      await turn;
    },
    abort: () => ended.abort(),
  };
}

/** Wider than a status line is not seen. */
const mostText = 300;

/**
 * A text as tmux shows it, none of which it takes for a format: `#(command)` would be run by a shell, `#{option}` and `%H` looked up. What opens one
 * is parted first, so that it is none either for who reads it twice. A `;` at the end would end the command (tmux 3.3).
 */
export function messageText(text: string): string {
  const escaped = text
    .slice(0, mostText)
    .replace(/#(?=[({[#])/g, '# ')
    .replace(/#/g, '##')
    .replace(/%/g, '%%');
  return escaped.endsWith(';') ? `${escaped.slice(0, -1)}\\;` : escaped;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such program';
  const [, ...said] = message.split('\n');
  return (said.join(' ').trim() || message).replace(/[\x00-\x1f\x7f-\x9f]/g, ' ').slice(0, 200);
}

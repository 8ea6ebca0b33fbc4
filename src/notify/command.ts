import { spawn } from 'node:child_process';
import type { Clock } from '../clock.ts';
import type { AlarmCommand } from '../model/alarms/notify-settings.ts';
import { safeText } from '../model/text.ts';
import { bodyOf, environmentOf, type Message } from './message.ts';
import { createFaults, isFrom, type Way } from './way.ts';

interface Init {
  readonly command: AlarmCommand;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (text: string) => void;
}

/** How long it may run. */
const limitMs = 30_000;
/** Of one command. */
const mostAtOnce = 2;
/** What waits for one that runs: the newest. */
const mostWaiting = 50;

/** Runs a program for each alarm: what rings is in its environment and on its standard input, and nowhere in its command line. */
export function createCommand({ command, clock, env, report }: Init): Way {
  const [file = '', ...args] = command.argv;
  const name = safeText(file).slice(0, 200);
  const faults = createFaults({ clock, report });
  const running = new Set<{ readonly over: Promise<void>; readonly kill: () => void }>();
  let waiting: Message[] = [];
  let isClosing = false;

  function startNext() {
    while (running.size < mostAtOnce) {
      const next = waiting.shift();
      if (!next) return;
      const one = start(next);
      running.add(one);
      void one.over.then(() => {
        running.delete(one);
        startNext();
      });
    }
  }

  function start(message: Message) {
    let kill = () => {};
    const over = new Promise<void>((resolve) => {
      let isLate = false;
      let isOver = false;
      const end = (fault?: string) => {
        if (isOver) return;
        isOver = true;
        cancel();
        if (fault === undefined) faults.worked();
        else faults.failed(`${name}, which is run for alarms, ${fault}.`);
        resolve();
      };
      const cancel = clock.after(limitMs, () => {
        isLate = true;
        kill();
      });
      try {
        // A group of its own, so that all it started ends with it. Its output is nobody's: the screen is not broken by it.
        const child = spawn(file, args, {
          ...{ stdio: ['pipe', 'ignore', 'ignore'], detached: true, shell: false },
          env: { ...env, ...environmentOf(message) },
        });
        kill = () => {
          try {
            if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
          } catch {
            // It ended meanwhile.
          }
        };
        child.on('error', (error: NodeJS.ErrnoException) => end(`could not be started: ${reasonOf(error)}`));
        child.on('exit', (code, signal) => {
          // What it left behind in its group has no alarm to tell.
          if (isLate) end(`had not ended after ${limitMs / 1000} s, and was killed`);
          else if (signal !== null) end(`was ended by ${signal}`);
          else end(code === 0 ? undefined : `failed with exit code ${code}`);
        });
        // It need not read it.
        child.stdin.on('error', () => {});
        child.stdin.end(`${bodyOf(message)}\n`);
      } catch (error) {
        end(`could not be started: ${reasonOf(error as Error)}`);
      }
    });
    return { over, kill: () => kill() };
  }

  return {
    tell(message) {
      if (isClosing || !isFrom(message.alarm.severity, command.from)) return;
      waiting.push(message);
      if (waiting.length > mostWaiting) {
        waiting = waiting.slice(-mostWaiting);
        faults.failed(
          `${name}, which is run for alarms, is too slow for all of them: the oldest that wait are left out.`,
        );
      }
      startNext();
    },
    about() {
      const from = command.from === undefined ? '' : `, from ${command.from} on`;
      return faults.last() ?? `${name} is run${from}.`;
    },
    async close() {
      isClosing = true;
      while (running.size > 0 || waiting.length > 0) await Promise.all([...running].map(({ over }) => over));
    },
    abort() {
      waiting = [];
      for (const { kill } of running) kill();
    },
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be run',
  E2BIG: 'the environment of traintop is too large',
};

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return reasons[code ?? ''] ?? safeText(message).slice(0, 200);
}

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

/** How long it may run, and all that it started. */
const limitMs = 30_000;
/** What it left running is looked for this often: the number of a group that is gone may be another's soon. */
const leftMs = 500;
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
      let forget = () => {};
      const end = (fault?: string) => {
        if (isOver) return;
        isOver = true;
        cancel();
        forget();
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
        kill = () => void (child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'));
        child.on('error', (error: NodeJS.ErrnoException) => end(`could not be started: ${reasonOf(error)}`));
        child.on('exit', (code, signal) => {
          if (isLate) return end(`had not ended after ${limitMs / 1000} s, and was killed`);
          const fault =
            signal !== null ? `was ended by ${signal}` : code === 0 ? undefined : `failed with exit code ${code}`;
          // A program that sends in the background has the time of any: it has ended when its group has.
          forget = whenLeft(child.pid, () =>
            end(
              isLate && fault === undefined
                ? `left a process behind, which was killed after ${limitMs / 1000} s`
                : fault,
            ),
          );
        });
        // Where nothing more can be opened there is none. It need not read it.
        const input = child.stdin as typeof child.stdin | undefined;
        input?.on('error', () => {});
        input?.end(`${bodyOf(message)}\n`);
      } catch (error) {
        end(`could not be started: ${reasonOf(error as Error)}`);
      }
    });
    return { over, kill: () => kill() };
  }

  /** Calls back when nothing of a group is left, at once where nothing is. */
  function whenLeft(pid: number | undefined, gone: () => void): () => void {
    const isLeft = () => pid !== undefined && signalGroup(pid, 0);
    if (!isLeft()) {
      gone();
      return () => {};
    }
    const stop = clock.every(leftMs, () => {
      if (isLeft()) return;
      stop();
      gone();
    });
    return stop;
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

/** Whether there is such a group. */
function signalGroup(pid: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // It has taken another user's rights, and is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program, or not what its first line names',
  EACCES: 'it may not be run',
  EMFILE: 'traintop has too many files open',
  ENFILE: 'this machine has too many files open',
  EAGAIN: 'this machine, or this user, has too many processes',
  E2BIG: 'the environment of traintop is too large',
};

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return reasons[code ?? ''] ?? safeText(message).slice(0, 200);
}

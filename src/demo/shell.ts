import type { Clock } from '../clock.ts';
import type { Machine } from './machine.ts';
import { players } from './players/index.ts';

/** One shell on the demo host: it plays what a real host's tools would print for the script that comes in. */
export interface DemoShell {
  /** Bytes of the shell's standard input. */
  input(text: string): void;
  /** Standard input ended or the channel went. */
  end(): void;
}

/** What a player has to play on. */
export interface Stage {
  readonly machine: Machine;
  readonly clock: Clock;
  /** The script's text, for what it asks of a tool (an offset, a pace, a PID). */
  readonly body: string;
  /** PIDs of the demo's shells, so that the cost has something to count. */
  readonly shellPid: number;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Repeats until the shell ends. */
  readonly every: (ms: number, fn: () => void) => void;
  /** Once, unless the shell ends before. */
  readonly after: (ms: number, fn: () => void) => void;
  /** Ends the script with an exit status. */
  readonly finish: (code: number) => void;
}

/** Plays one script; may return what to do with each of the client's lines. */
export type Player = (stage: Stage) => ((line: string) => void) | void;

interface Init {
  readonly machine: Machine;
  readonly clock: Clock;
  readonly shellPid: number;
  readonly output: (text: string) => void;
  readonly errorOutput: (text: string) => void;
  readonly exit: (code: number) => void;
}

/** The script is one compound command that ends so (collectors/envelope.ts). */
const scriptEnd = /\nstop; \}\n/;

/** A shell that plays the script which comes by `input`; `exit` is called once. */
export function createDemoShell({ machine, clock, shellPid, output, errorOutput, exit }: Init): DemoShell {
  let pending = '';
  let onLine: ((line: string) => void) | void;
  let started = false;
  let ended = false;
  const cancels: (() => void)[] = [];

  function end(code: number) {
    if (ended) return;
    ended = true;
    for (const cancel of cancels) cancel();
    exit(code);
  }

  function start(script: string) {
    started = true;
    const name = /^# traintop:(\S+)/.exec(script)?.[1] ?? '';
    const nonce = /@traintop (\w+) /.exec(script)?.[1] ?? '';
    const player = players[name.replace(/:\d+$/, '')];
    if (!player) {
      errorOutput(`demo host: it plays no script named ${name || 'nothing'}\n`);
      return end(127);
    }
    output(`\n@traintop ${nonce} ${shellPid}\n`);
    onLine = player({
      machine,
      clock,
      body: script,
      shellPid,
      print: (text) => void (ended || output(text)),
      printError: (text) => void (ended || errorOutput(text)),
      every: (ms, fn) => void cancels.push(clock.every(ms, fn)),
      after: (ms, fn) => void cancels.push(clock.after(ms, fn)),
      finish(code) {
        output(`\n@end ${nonce} ${code}\n`);
        end(1);
      },
    });
  }

  return {
    input(text) {
      pending += text;
      if (!started) {
        const match = scriptEnd.exec(pending);
        if (!match) return;
        const script = pending.slice(0, match.index + match[0].length);
        pending = pending.slice(script.length);
        start(script);
      }
      for (let at = pending.indexOf('\n'); at >= 0 && !ended; at = pending.indexOf('\n')) {
        const line = pending.slice(0, at);
        pending = pending.slice(at + 1);
        if (line === '-') end(1);
        else if (line !== '+') onLine?.(line);
      }
    },
    end: () => end(1),
  };
}

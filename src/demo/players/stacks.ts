import type { CaptureKind } from '../../model/samples.ts';
import { pySpyPath } from '../places.ts';
import type { Player, Stage } from '../shell.ts';
import { look } from '../stacks/look.ts';
import { createRaw, dumpJson } from '../stacks/output.ts';

/** The script `stacks`: py-spy 0.4.2 under its guard (collectors/stacks/guard.ts), with its own words where there is no process. */
export const stacks: Player = (stage) => {
  const { body, print, finish } = stage;
  const chosen = body.includes(`'${pySpyPath}'`) || body.includes('command -v py-spy');
  if (!chosen) return finish(0);
  print(`@py-spy tool ${pySpyPath}\n@py-spy version py-spy 0.4.2\n`);
  if (!body.includes('setsid')) {
    dump(stage, readJob(body));
    return finish(0);
  }
  return playGuard(stage);
};

interface Job {
  readonly what: CaptureKind;
  readonly pid: number;
  readonly seconds: number;
  readonly rate: number;
  readonly rounds: number;
  readonly everySeconds: number;
}

/** What the script asks py-spy for. */
function readJob(body: string): Job {
  const figure = (pattern: RegExp) => Number(pattern.exec(body)?.[1] ?? 0);
  const isRecord = /\brecord\b[^\n]*--rate/.test(body);
  const rounds = figure(/"?\$n"? -lt (\d+)/);
  const isNative = /dump --json --native/.test(body);
  return {
    what: isRecord ? (/--gil\b/.test(body) ? 'gil' : 'record') : rounds > 0 ? 'many' : isNative ? 'native' : 'dump',
    pid: figure(/--pid (\d+)/),
    seconds: figure(/--duration (\d+)/),
    rate: figure(/--rate (\d+)/) || 1,
    rounds,
    everySeconds: figure(/\bpause (\d+)/),
  };
}

/** How long one look takes py-spy, ms; unwinding machine code takes it longer. */
const dumpMs = 60;
const nativeMs = 300;

function playGuard(stage: Stage): (line: string) => void {
  const { machine, clock, body, print, finish, after } = stage;
  const job = readJob(body);
  let over = false;
  let cancel = () => {};

  /** What runs now, and what to do if the client does not wait for it. */
  const wait = (ms: number, then: () => void, cut: () => void) => {
    after(ms, () => over || then());
    cancel = cut;
  };
  const end = (code: number) => {
    const isStopped = machine.isStopped(job.pid, machine.uptime(clock.now()));
    if (isStopped && over) machine.resume(job.pid, machine.uptime(clock.now()));
    if (isStopped) print(over ? '@py-spy resumed\n' : '@py-spy stopped\n');
    print(`@py-spy state ${stateAfter(stage, job.pid)}\n`);
    if (over) print('@py-spy over\n');
    if (code !== 0) print('@py-spy executable \n');
    finish(0);
  };
  const cutShort = () => {
    print('@py-spy output\n\n@py-spy error 1\nInterrupted\n');
    end(1);
  };
  const rounds = (n: number) =>
    wait(
      dumpMs,
      () => next(n, dump(stage, job)),
      () => (n > 1 ? end(0) : cutShort()),
    );
  const next = (n: number, code: number) => {
    if (job.what !== 'many' || n >= job.rounds) return end(code);
    wait(
      job.everySeconds * 1000,
      () => rounds(n + 1),
      () => end(0),
    );
  };

  switch (job.what) {
    case 'dump':
    case 'many':
      rounds(1);
      break;
    case 'native':
      wait(
        nativeMs,
        () => {
          const code = dump(stage, job);
          if (code === 0) leaveStopped(stage, job.pid);
          end(code);
        },
        cutShort,
      );
      break;
    default: {
      const write = record(stage, job);
      if (!write) {
        end(explain(stage));
        break;
      }
      const stop = () => end(write());
      wait(job.seconds * 1000, stop, stop);
    }
  }
  return (line) => {
    if (line !== 'cancel' || over) return;
    over = true;
    cancel();
  };
}

/** Prints one dump; gives py-spy's exit status. */
function dump(stage: Stage, { pid, what }: Job): number {
  const { machine, clock, print } = stage;
  const now = clock.now();
  const native = what === 'native';
  const threads = look({ machine, pid, up: machine.uptime(now), tick: Math.trunc(now / 1000), native });
  if (!threads) return explain(stage);
  print(`@py-spy output\n${dumpJson(pid, threads)}\n\n@py-spy error 0\n\n`);
  return 0;
}

function explain({ print }: Stage): number {
  const missing =
    'Error: Failed to get process executable name. Check that the process is running.\n\nCaused by:\n' +
    '    0: No such file or directory (os error 2)\n    1: No such file or directory (os error 2)';
  print(`@py-spy output\n\n@py-spy error 1\n${missing}\n`);
  return 1;
}

/** So many thread stacks a second py-spy can read. */
const mostLooks = 5000;

/** Begins a record; what it gives ends it: prints what was sampled until then. Undefined: there is no such process. */
function record(stage: Stage, { pid, rate, seconds, what }: Job): (() => number) | undefined {
  const { machine, clock, print, every } = stage;
  const begin = machine.uptime(clock.now());
  const threads = look({ machine, pid, up: begin, tick: 0 });
  if (!threads) return undefined;
  const say = (text: string) => print(`@py-spy progress py-spy> ${text}\n`);
  const sayUptime = () => print(`@py-spy uptime ${machine.uptime(clock.now()).toFixed(2)}\n`);
  sayUptime();
  // It says so at once, and the guard reads on each second.
  let said = false;
  const reached = Math.min(1, mostLooks / (rate * threads.length));
  every(1000, () => {
    if (!said) say(`Sampling process ${rate} times a second for ${seconds} seconds. Press Control-C to exit.`);
    said = true;
    const behind = (machine.uptime(clock.now()) - begin) * (1 - reached);
    if (behind >= 1)
      say(`${behind.toFixed(2)}s behind in sampling, results may be inaccurate. Try reducing the sampling rate`);
  });
  return () => {
    const end = machine.uptime(clock.now());
    sayUptime();
    const raw = createRaw();
    const looks = Math.floor(Math.min(seconds, end - begin) * rate * reached + 1e-6);
    let errors = 0;
    for (let n = 0; n < looks; n++) {
      const up = begin + n / (rate * reached);
      const tick = Math.trunc(up * rate);
      const seen = look({ machine, pid, up, tick });
      // A stack that moved on while it was read.
      if (!seen || (tick % 211 === 0 && what === 'record')) errors++;
      else raw.add(what === 'gil' ? seen.filter(({ ownsGil }) => ownsGil) : seen);
    }
    if (end - begin < seconds) say('Stopped sampling because Control-C pressed');
    say(`Wrote raw flamegraph data to '/tmp/traintop.demo/out'. Samples: ${raw.samples()} Errors: ${errors}`);
    print(`@py-spy output\n${raw.text()}\n@py-spy error 0\n\n`);
    return 0;
  };
}

/** As in py-spy issue 390: it ends, and what it held to look at stays held. */
function leaveStopped({ machine, clock }: Stage, pid: number) {
  const up = machine.uptime(clock.now());
  const leaves = machine.effects(up).some(({ effect }) => effect.nativeLeavesStopped === true);
  if (leaves) machine.stop(pid, up);
}

function stateAfter({ machine, clock }: Stage, pid: number): string {
  const up = machine.uptime(clock.now());
  if (!machine.processes(up).some((process) => process.pid === pid)) return '';
  return machine.isStopped(pid, up) ? 'T' : 'S';
}

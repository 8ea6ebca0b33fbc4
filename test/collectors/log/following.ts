import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, type TestContext } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { logCollector } from '../../../src/collectors/log/collector.ts';
import { createRunner } from '../../../src/collectors/run.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import type { LogSample, Sample, SourceSample } from '../../../src/model/samples.ts';
import { requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';

/** Where the files are. */
export const folder = mkdtempSync(join(tmpdir(), 'traintop-log-'));
let count = 0;
afterAll(() => void rmSync(folder, { recursive: true, force: true }));
/** Registers what ends with a test; tests run at the same time. */
export type Ends = Pick<TestContext, 'onTestFinished'>;

/** A fresh file with a name that no shell likes, and that is no pattern. */
export function newPath(name = `it's "$(touch hacked)" $HOME;${++count}.log`) {
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

/** The collector with a tick that a test need not wait for. */
const hurried: Collector = {
  ...logCollector,
  plans: (context) =>
    logCollector
      .plans(context)
      .map((plan) => ('off' in plan || !plan.tick ? plan : { ...plan, tick: { ...plan.tick, everyMs: 200 } })),
};

/** Follows files as the program does; ends with the test. */
export async function follow(
  { onTestFinished }: Ends,
  paths: readonly string[],
  wrap?: string,
  transport: Transport = createLocalTransport(wrap),
) {
  const samples: Sample[] = [];
  const runner = createRunner({
    transport,
    collectors: [hurried],
    options: { intervalMs: 1000, threads: 'proc', logs: paths },
    clock: systemClock,
    onSample: (sample) => void samples.push(sample),
  });
  onTestFinished(() => runner.stop());
  await runner.start();
  const logs = (source = 'log') => samples.filter((s): s is LogSample => s.kind === 'log' && s.source === source);
  const lines = (source?: string) => logs(source).flatMap((s) => s.lines);
  const texts = (source?: string) => lines(source).map((l) => l.text);
  const state = (source = 'log') =>
    samples.filter((s): s is SourceSample => s.kind === 'source' && s.source === source).at(-1);
  const has = (text: string) => waitFor(text, () => texts().includes(text), 30_000);
  const gaps = () => lines().flatMap((line) => line.gap ?? []);
  return { samples, logs, lines, texts, state, has, gaps };
}

/** The shells, and the tools that go with them. */
export const suites: readonly [name: string, tools: readonly string[], wrap: () => string | undefined][] = [
  ['dash and GNU tail', ['tail'], () => undefined],
  ['busybox', ['busybox'], busyboxWrap],
  ['bash', ['bash'], () => "bash -c 'exec bash --posix -s' --"],
];

/** A shell and all tools of busybox, as on Alpine. */
function busyboxWrap(): string {
  mkdirSync(folder, { recursive: true });
  const bin = mkdtempSync(join(folder, 'busybox-'));
  const names = ['sh', 'tail', 'ls', 'grep', 'dd', 'stat', 'find', 'od', 'date', 'readlink', 'wc', 'head'];
  for (const name of names) symlinkSync(requiredTool('busybox'), join(bin, name));
  return `env PATH=${bin}:${process.env.PATH} ${join(bin, 'sh')} -c 'exec sh -s' --`;
}

/** The local transport with a link that can be cut. */
export function losable(wrap?: string) {
  const local = createLocalTransport(wrap);
  let lost = (_: string) => {};
  const transport: Transport = { ...local, onLost: (fn) => void (lost = fn) };
  return {
    transport,
    async lose() {
      lost('the cable was pulled');
      await local.close();
    },
  };
}

/** The same for a file that is followed beside another one: both come over one channel with all that there are more of. */
export async function followBeside(
  test: Ends,
  path: string,
  ...how: [wrap?: string | undefined, transport?: Transport]
) {
  const first = newPath();
  writeFileSync(first, '');
  const { samples, logs, lines, texts, state } = await follow(test, [first, path], ...how);
  const has = (text: string) => waitFor(text, () => texts('log:2').includes(text), 30_000);
  return {
    samples,
    logs: () => logs('log:2'),
    lines: () => lines('log:2'),
    texts: () => texts('log:2'),
    state: () => state('log:2'),
    has,
    gaps: () => lines('log:2').flatMap((line) => line.gap ?? []),
  };
}

interface Writer {
  /** Gives the number of the last line before. */
  reopen(path?: string): Promise<number>;
  /** Gives the number of lines. */
  stop(): Promise<number>;
}

/** Writes numbered lines to a file, 2000 a second; ends with the test. */
export function startWriter({ onTestFinished }: Ends, path: string): Writer {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../support/log-writer.mjs'), path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line: string) => {
    child.stdin.write(`${line}\n`);
    return Number((await answers.next()).value);
  };
  onTestFinished(() => void child.kill());
  return {
    reopen: (to) => ask(to === undefined ? 'reopen' : `reopen ${to}`),
    stop: () => ask('stop'),
  };
}

/** The line with this number, as the writer writes it. */
export const lineOf = (number: number) => `line ${String(number).padStart(7, '0')} of the training log`;

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pass } from 'node:timers/promises';
import { systemClock } from '../src/clock.ts';
import { processCollector } from '../src/collectors/process/collector.ts';
import { createLocalTransport } from '../src/collectors/transport/local.ts';
import { createSession, type Session } from '../src/commands/session.ts';
import { readOptions } from '../src/config/options.ts';
import type { CaptureRequest, CaptureSample, ProfileSample, Sample } from '../src/model/samples.ts';
import { until } from '../src/model/settled.ts';
import { toolPath } from '../test/support/requires.ts';
import { median, report, reportTable, say, type Figures } from './figures.ts';

const threadCounts = [40, 400] as const;
const dumps = 7;
/** Each record beside two windows without one, so that what else the machine does is in both. */
const recordSeconds = 8;
const restSeconds = 3;
/** Until a py-spy surely samples, and before its end: what it does besides is no part of a record's cost. */
const edgeSeconds = 1;
const rounds = 2;
const target = { dumpMs: 2000, lossPercent: 10 };

/** What captures take, and what a record costs the iterations of who is recorded; py-spy's own default beside ours. */
export async function measureStacks(only?: string): Promise<Figures> {
  const pySpy = toolPath('py-spy');
  if (pySpy === undefined) throw new Error('py-spy is not on this machine: npm run provide');
  const all: Measured[] = [];
  for (const threads of threadCounts.filter((each) => only === undefined || String(each) === only)) {
    console.error(`  ... ${threads} threads`);
    all.push(await measure(threads, pySpy));
  }
  say(
    `stacks: a loop in Python beside threads that wait ten calls deep (nice -10), py-spy 0.4.2; ${dumps} dumps, records of ${recordSeconds} s`,
  );
  const row = (name: string, of: (each: Measured) => string) => [name, ...all.map(of)];
  reportTable(
    ['threads', ...all.map(({ threads }) => String(threads))],
    [
      row('a dump, from the request to its Samples, median', ({ dumpMs }) => `${Math.round(median(dumpMs))} ms`),
      row('  the longest', ({ dumpMs }) => `${Math.round(Math.max(...dumpMs))} ms`),
      row('a dump with native frames', ({ nativeMs }) => `${Math.round(nativeMs)} ms`),
      row('our default record: iterations lost', ({ ours }) => `${ours.lossPercent.toFixed(1)} %`),
      row('  looks that came', ({ ours }) => `${ours.samples ?? '?'} of ${recordSeconds * 20}`),
      row("py-spy record's default: iterations lost", ({ theirs }) => `${theirs.lossPercent.toFixed(1)} %`),
    ],
  );
  const last = all.at(-1);
  if (last?.threads !== 400) return {};
  const dumpMs = Math.max(...last.dumpMs);
  report('400 threads: a dump', `${Math.round(dumpMs)} ms`, {
    text: `< ${target.dumpMs} ms`,
    met: dumpMs < target.dumpMs,
  });
  const { lossPercent } = last.ours;
  report('400 threads: our default record', `${lossPercent.toFixed(1)} % of iterations`, {
    text: `< ${target.lossPercent} %`,
    met: lossPercent < target.lossPercent,
  });
  return { dumpMs: median(last.dumpMs), lossPercent, pySpyLossPercent: last.theirs.lossPercent };
}

interface Measured {
  readonly threads: number;
  readonly dumpMs: readonly number[];
  readonly nativeMs: number;
  readonly ours: Loss;
  readonly theirs: Loss;
}

interface Loss {
  readonly lossPercent: number;
  readonly samples?: number;
}

async function measure(threads: number, pySpy: string): Promise<Measured> {
  const loop = await startLoop(threads);
  const found: Sample[] = [];
  const recorder = {
    push: (sample: Sample) => void found.push(sample),
    flush: async () => {},
    close: async () => {},
    state: () => ({ bytes: 0 }),
  };
  const options = readOptions('local', { pid: String(loop.pid), pySpy });
  const session = createSession(options, createLocalTransport(), systemClock, () => recorder, {
    sources: [processCollector],
  });
  const { store, clock } = session;
  try {
    await session.runner.start();
    await until({ store, clock, isDone: ({ run }) => run?.phase === 'running', patienceMs: 30_000 });
    const dumpMs: number[] = [];
    for (let n = 0; n < dumps; n++)
      dumpMs.push(await timed(() => capture(session, { what: 'dump', pids: [loop.pid] })));
    const nativeMs = await timed(() => capture(session, { what: 'native', pids: [loop.pid] }));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const record: CaptureRequest = { what: 'record', pids: [loop.pid], seconds: recordSeconds };
      ours.push(await loss(loop, () => capture(session, record)));
      theirs.push(await loss(loop, () => recordByDefault(pySpy, loop.pid)));
    }
    const fault = found.find((each): each is CaptureSample => each.kind === 'capture' && each.failure !== undefined);
    if (fault) say(`  ${threads} threads: ${fault.what}: ${fault.failure}`);
    // One whose rate was lowered is in several.
    const profiles = found.filter((each): each is ProfileSample => each.kind === 'profile');
    const last = profiles.filter((each) => each.capture === profiles.at(-1)?.capture);
    const looks = last.reduce((sum, { samples, errors }) => sum + samples - errors, 0);
    const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
    return {
      threads,
      dumpMs,
      nativeMs,
      ours: { lossPercent: mean(ours), samples: looks },
      theirs: { lossPercent: mean(theirs) },
    };
  } finally {
    await session.stop();
    await loop.stop();
  }
}

/** Iterations a second that are lost while a record is made, in percent of what there were just before and after. */
async function loss(loop: Loop, record: () => Promise<void>): Promise<number> {
  const before = await pace(loop, restSeconds);
  const recording = record();
  await pass(edgeSeconds * 1000);
  const during = await pace(loop, recordSeconds - 2 * edgeSeconds);
  await recording;
  const after = await pace(loop, restSeconds);
  return 100 * (1 - during / ((before + after) / 2));
}

/** Iterations a second. */
async function pace({ iterations }: Loop, seconds: number): Promise<number> {
  const [since, from] = [performance.now(), iterations()];
  await pass(seconds * 1000);
  return (iterations() - from) / ((performance.now() - since) / 1000);
}

async function capture({ captures }: Session, request: CaptureRequest): Promise<void> {
  await captures.start(request).over;
}

/** `py-spy record` with nothing but a duration: 100 samples a second, for each of which the process is held. */
async function recordByDefault(pySpy: string, pid: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-record-'));
  const args = [
    'record',
    '--pid',
    String(pid),
    '--duration',
    String(recordSeconds),
    '--output',
    join(folder, 'out.svg'),
  ];
  const child = spawn(pySpy, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  // It takes all the samples that it owes, and with many threads that may last for minutes: its time is what we measure.
  const over = setTimeout(() => child.kill('SIGINT'), (recordSeconds + 2) * 1000);
  await ended;
  clearTimeout(over);
  rmSync(folder, { recursive: true, force: true });
}

async function timed(act: () => Promise<void>): Promise<number> {
  const since = performance.now();
  await act();
  return performance.now() - since;
}

/** bench/stacks.py. */
interface Loop {
  readonly pid: number;
  readonly iterations: () => number;
  stop(): Promise<void>;
}

async function startLoop(threads: number): Promise<Loop> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-stacks-'));
  const path = join(folder, 'counter');
  writeFileSync(path, Buffer.alloc(8));
  const child = spawn('python3', ['bench/stacks.py', String(threads), path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void ended.then(() => reject(new Error('stacks.py ended before it was ready')));
  });
  return {
    pid: Number(line),
    iterations: () => Number(readFileSync(path).readBigUInt64LE()),
    async stop() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

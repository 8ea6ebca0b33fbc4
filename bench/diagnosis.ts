import { createDiagnosis } from '../src/model/diagnosis/engine.ts';
import type { GpusSample, LogSample, Sample, StacksSample } from '../src/model/samples.ts';
import { playDemo } from '../test/support/demo-recording.ts';
import { median, quantile, report, reportTable, say, type Figures } from './figures.ts';
import { manyThreads } from './many-threads.ts';

/** A tick comes once a second, between two frames of the screen. */
const targetMs = 1;
const tickEveryMs = 1000;
const played = { seconds: 180, threads: 300, active: 60 };
/** Of the first the compiler takes its share. */
const rounds = 9;
/** Logs beside the first say the same, as those of ranks do. */
const logs = 4;
/** A line of a flood has no values: it comes too fast to be read. */
const flood = { lines: 5000, samples: 40 };

/** What the diagnosis costs: a tick, in which all rules are asked of all subjects, and what it takes in between. */
export async function measureDiagnosis(): Promise<Figures> {
  const samples = await samplesOf();
  const { threads, active, seconds } = played;
  say(
    `diagnosis: 8 GPUs with four readings a second, ${threads} threads (${active} active), ${logs} logs, a queue, dumps; ${seconds} s played ${rounds} times`,
  );
  const runs = Array.from({ length: rounds }, () => run(samples)).slice(1);
  // Whoever shares the core makes a round slower, never faster: of each tick the best counts.
  const best = (runs[0]?.ticks ?? []).map((tick, n) => ({
    ...tick,
    ms: Math.min(...runs.map((each) => each.ticks[n]?.ms ?? NaN)),
  }));
  const ticks = best.filter(({ isAfterDump }) => !isAfterDump).map(({ ms }) => ms);
  const [tickMs, tickMsP99] = [median(ticks), quantile(ticks, 0.99)];
  report('a tick: median', `${tickMs.toFixed(3)} ms`, { text: `< ${targetMs} ms`, met: tickMs < targetMs });
  report('a tick: p99', `${tickMsP99.toFixed(3)} ms`, { text: `< ${targetMs} ms`, met: tickMsP99 < targetMs });
  const dumpMs = median(best.filter(({ isAfterDump }) => isAfterDump).map(({ ms }) => ms));
  report('the tick after a dump of 40 threads', `${dumpMs.toFixed(3)} ms`);
  const total = Math.min(...runs.map(({ all }) => all / seconds));
  report('all of it, a second of the run', `${total.toFixed(3)} ms`);
  const floodMs = floodOf();
  report('1,000 lines of a flood', `${floodMs.toFixed(3)} ms`);
  const kinds = [...new Set(samples.map(({ kind }) => kind))].map((kind) => {
    const times = runs.flatMap((each) => each.taken.get(kind) ?? []);
    return [kind, `${times.length / runs.length}`, times.length > 0 ? (1000 * median(times)).toFixed(1) : ''];
  });
  reportTable(
    ['taken in without a tick', 'Samples', 'us each'],
    kinds.toSorted((a, b) => Number(b[2]) - Number(a[2])),
  );
  return { tickMs, tickMsP99, dumpMs, floodMs };
}

interface Run {
  readonly ticks: readonly { readonly ms: number; readonly isAfterDump: boolean }[];
  /** Milliseconds, by kind. */
  readonly taken: ReadonlyMap<string, readonly number[]>;
  readonly all: number;
}

function run(samples: readonly Sample[]): Run {
  const diagnosis = createDiagnosis();
  const ticks: { readonly ms: number; readonly isAfterDump: boolean }[] = [];
  let isAfterDump = false;
  const taken = new Map<string, number[]>();
  let tickedAt = -Infinity;
  let all = 0;
  for (const sample of samples) {
    const start = performance.now();
    diagnosis.find(sample);
    const ms = performance.now() - start;
    all += ms;
    isAfterDump ||= sample.kind === 'stacks';
    if (sample.receivedAt - tickedAt >= tickEveryMs) {
      ticks.push({ ms, isAfterDump });
      tickedAt = sample.receivedAt;
      isAfterDump = false;
    } else taken.set(sample.kind, [...(taken.get(sample.kind) ?? []), ms]);
  }
  return { ticks, taken, all };
}

async function samplesOf(): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  await playDemo({
    ...{ scenario: 'queue-full', seconds: played.seconds, threads: manyThreads(played) },
    onSample: (sample) => {
      if (sample.kind === 'verdicts') return;
      if (sample.kind === 'log') found.push(...alike(sample));
      else found.push(sample.kind === 'gpus' ? withReadings(sample) : sample);
    },
  });
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) throw new Error('the demo gave no Samples');
  const dumps = [0.3, 0.6, 0.9].map((share) =>
    dump(first.host, first.receivedAt + share * (last.receivedAt - first.receivedAt), pidOf(found)),
  );
  return [...found, ...dumps].sort((a, b) => a.receivedAt - b.receivedAt);
}

function pidOf(samples: readonly Sample[]): number {
  return samples.flatMap((sample) => (sample.kind === 'run' ? (sample.run?.rootPid ?? []) : []))[0] ?? 1;
}

function alike(sample: LogSample): readonly LogSample[] {
  return Array.from({ length: logs }, (_, i) =>
    i === 0 ? sample : { ...sample, source: `log:${i + 1}`, path: `${sample.path}.${i}` },
  );
}

function withReadings(sample: GpusSample): GpusSample {
  const { utilizationPercent = [] } = sample;
  return {
    ...sample,
    utilizationReadings: utilizationPercent.map((each) => [0, -2, 1, 0].map((d) => (each ?? 0) + d)),
  };
}

function dump(host: string, at: number, pid: number): StacksSample {
  const file = '/opt/venv/lib/python3.11/site-packages/torch/module.py';
  const threads = Array.from({ length: 40 }, (_, n) => ({
    ...{ tid: pid + n, name: n === 0 ? 'MainThread' : `Thread-${n}`, active: true, ownsGil: n === 0 },
    frames: Array.from({ length: 30 }, (_, depth) => ({ function: `f${depth + n}`, file, line: depth + 1 })),
  }));
  return { kind: 'stacks', host, source: 'stacks', time: at, receivedAt: at, pid, command: 'python train.py', threads };
}

/** Milliseconds for a thousand lines that nobody reads. */
function floodOf(): number {
  const diagnosis = createDiagnosis();
  const times = Array.from({ length: flood.samples }, (_, n) => {
    const at = 1000 * n;
    const lines = Array.from({ length: flood.lines }, (_, i) => ({
      text: `a line of a flood, number ${i} of ${n}`,
      time: at,
    }));
    const about = { host: 'h', source: 'log', time: at, receivedAt: at, path: '/train.log', format: 'generic' };
    const start = performance.now();
    diagnosis.find({ kind: 'log', ...about, lines, unreadLines: flood.lines });
    return performance.now() - start;
  });
  return (1000 * median(times)) / flood.lines;
}

import { findScenario } from '../src/demo/scenarios/index.ts';
import type { GpusSample, LogSample, Sample, StacksSample } from '../src/model/samples.ts';
import { playDemo } from '../test/support/demo-recording.ts';
import { manyRankThreads, manyThreads } from './many-threads.ts';

/** A run that the diagnosis is measured on. */
export interface DiagnosisCase {
  readonly scenario: string;
}

/** Each scenario is another path through rules, ranking and figures; ranks have forty threads each, the pipeline three hundred in one process. */
export const diagnosisCases: readonly DiagnosisCase[] = [
  ...['healthy', 'straggler', 'hang', 'input-bound', 'queue-empty', 'queue-full'].map((scenario) => ({ scenario })),
];

/** What the scenarios tell of begins at 150 s. */
const seconds = 240;
/** Logs beside the first say the same, as those of ranks do. */
const logs = 4;

/** The Samples of the demo, with more threads, readings, logs and dumps. */
export async function samplesOf({ scenario }: DiagnosisCase): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  const isOfRanks = findScenario(scenario)?.runs?.[0]?.cast === 'ddp';
  const threads = isOfRanks ? manyRankThreads({ threads: 40, active: 4 }) : manyThreads({ threads: 300, active: 60 });
  await playDemo({
    ...{ scenario, seconds, threads },
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

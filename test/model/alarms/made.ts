import { createAlarms, type Alarms } from '../../../src/model/alarms/engine.ts';
import type { AlarmSettings } from '../../../src/model/alarms/settings.ts';
import type { Run } from '../../../src/model/run.ts';
import type {
  AlarmSample,
  EventKind,
  GpusSample,
  LogLine,
  LogValues,
  Sample,
  Verdict,
} from '../../../src/model/samples.ts';

/** When the watch begins. */
export const start = 1_700_000_000_000;

const head = (second: number, source: string) => {
  const time = start + second * 1000;
  return { host: 'gpu7', source, time, receivedAt: time };
};

/** A run on GPU 0 and 1. */
export const run = (pid = 100): Run => ({
  id: `${pid}:1`,
  rootPid: pid,
  processes: [{ pid, commandLine: ['python3', 'train.py'], gpuMinors: [0, 1], startTime: start - 3_600_000 }],
  outputs: [],
});

export const runSample = (second: number, phase: 'running' | 'ended' = 'running', of = run()): Sample => ({
  ...{ kind: 'run', ...head(second, 'run'), phase, run: of, candidates: [] },
});

/** Lines with these values, each a line. */
export const log = (second: number, values: readonly LogValues[], more: Partial<LogLine> = {}): Sample => ({
  ...{ kind: 'log', ...head(second, 'log'), path: '/train.log', format: 'generic' },
  lines: values.map((each) => ({ text: 'step', time: start + second * 1000, values: each, ...more })),
});

export const said = (second: number, text: string, more: Partial<LogLine> = {}): Sample => ({
  ...{ kind: 'log', ...head(second, 'log'), path: '/train.log', format: 'generic' },
  lines: [{ text, time: start + second * 1000, ...more }],
});

/** Two GPUs, alike but for what is said of the second. */
export const gpus = (second: number, percent: number, watts: number, more: Partial<GpusSample> = {}): Sample => ({
  ...{ kind: 'gpus', ...head(second, 'gpu'), uuid: ['a', 'b'], index: [0, 1], name: ['NVIDIA H200', 'NVIDIA H200'] },
  ...{ utilizationPercent: [percent, percent], powerWatts: [watts, watts], powerLimitWatts: [700, 700] },
  memoryUsedBytes: [40e9, 40e9],
  ...more,
});

export const threads = (second: number, percent: number): Sample => ({
  ...{ kind: 'threads', ...head(second, 'threads'), reader: 'proc', intervalSeconds: 1, pid: [100], tid: [100] },
  ...{ comm: ['python3'], state: ['S'], core: [0], cpuPercent: [percent], userPercent: [percent] },
  ...{ systemPercent: [0], runQueuePercent: [0] },
});

export const event = (second: number, kind: EventKind, text: string): Sample => ({
  ...{ kind: 'event', ...head(second, 'log'), event: kind, text },
});

export const verdict = (second: number, of: Partial<Verdict> & Pick<Verdict, 'situation'>): Sample => ({
  ...{ kind: 'verdicts', ...head(second, 'diagnosis') },
  verdicts: [
    {
      scope: {},
      confidence: 0.9,
      since: start,
      summary: 'It is so.',
      evidence: [],
      against: [],
      missing: [],
      next: [],
      ...of,
    },
  ],
});

/** Whatever its kind. */
export const sample = (second: number, of: { readonly kind: string } & Readonly<Record<string, unknown>>): Sample =>
  ({ ...head(second, of.kind), ...of }) as unknown as Sample;

/** What rang and was over, in the words of a table: `62 no-step rings`. */
export interface Stage {
  readonly alarms: Alarms;
  readonly all: readonly AlarmSample[];
  take(...samples: readonly Sample[]): void;
  /** Second by second from one to before the other. */
  play(from: number, to: number, at: (second: number) => readonly Sample[]): void;
  told(): readonly string[];
}

export function createStage(settings: AlarmSettings = {}): Stage {
  const alarms = createAlarms({ host: 'gpu7', settings });
  const all: AlarmSample[] = [];
  const take = (...samples: readonly Sample[]) => samples.forEach((each) => all.push(...alarms.find(each)));
  return {
    alarms,
    all,
    take,
    play(from, to, at) {
      for (let second = from; second < to; second++) {
        take(...at(second));
        all.push(...alarms.tick(start + second * 1000));
      }
    },
    told: () =>
      all.map(({ time, alarm, about, state, severity }) =>
        [Math.round((time - start) / 1000), alarm, ...(about === undefined ? [] : [about]), state, severity].join(' '),
      ),
  };
}

/** A run that logs a step each second and whose GPUs work. */
export const healthy = (second: number, values: LogValues = {}): readonly Sample[] => [
  log(second, [{ step: 1000 + second, loss: 2 + 0.02 * Math.sin(second * 7), tokensPerSecond: 1000, ...values }]),
  gpus(second, 97, 650),
  threads(second, 150),
];

/** The same, for so long; it begins with the run. */
export function warmUp(stage: Stage, seconds = 200): void {
  stage.take(runSample(0));
  stage.play(0, seconds, (second) => healthy(second));
}

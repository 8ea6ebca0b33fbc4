import { describe, expect, test } from 'vitest';
import { createLimits } from '../../../src/collectors/black-box/limits.ts';
import { createTrigger } from '../../../src/collectors/black-box/trigger.ts';
import type { Run } from '../../../src/model/run.ts';
import type { Sample } from '../../../src/model/samples.ts';
import type { Situation } from '../../../src/model/situations.ts';

/** A minute in which a step comes each second, and then what the test says happens; times are seconds from its end. */
interface Course {
  /** Steps go on. */
  readonly steps?: (second: number) => boolean;
  readonly cpu?: (second: number) => number;
  readonly gpu?: (second: number) => { readonly use: number; readonly memory: number };
  readonly written?: (second: number) => number;
  readonly verdict?: (second: number) => readonly [Situation, number] | undefined;
  readonly more?: (second: number) => readonly Sample[];
  readonly seconds?: number;
}

const process = { pid: 7, commandLine: ['python3', 'train.py'], gpuMinors: [] as number[] };
const runOf = (gpuMinors: number[]): Run => ({
  ...{ id: '7:1', rootPid: 7, outputs: [] },
  processes: [{ ...process, gpuMinors }],
});
const base = (at: number, source = 'x') => ({ host: 'h', source, time: at, receivedAt: at });

/** What is told, with its second. */
function told(course: Course): readonly string[] {
  const { cpu = () => 0, gpu, written = () => 0, steps = () => false, verdict, more, seconds = 240 } = course;
  const trigger = createTrigger();
  const all: string[] = [];
  const begin = 1_000_000;
  const see = (sample: Sample, second: number) => {
    const trouble = trigger.see(sample);
    if (trouble) all.push(`${second} ${trouble.what}${trouble.stood ? ' stood' : ''}: ${trouble.reason}`);
  };
  for (let second = -60; second <= seconds; second++) {
    const at = begin + second * 1000;
    if (second === -60) {
      see({ kind: 'link', ...base(at), state: 'up' }, second);
      see({ kind: 'run', ...base(at), phase: 'running', run: runOf(gpu ? [0] : []), candidates: [] }, second);
    }
    if (second < 0 || steps(second)) {
      const lines = [{ text: 'step', time: at, values: { step: second + 61, loss: 1 } }];
      see({ kind: 'log', ...base(at), path: '/l', format: 'generic', lines }, second);
    }
    const columns = { pid: [7], tid: [7], comm: ['python3'], state: ['S'], core: [0] };
    const percent = [second < 0 ? 90 : cpu(second)];
    const shares = { cpuPercent: percent, userPercent: percent, systemPercent: [0], runQueuePercent: [0] };
    see({ kind: 'threads', ...base(at), reader: 'proc', intervalSeconds: 1, ...columns, ...shares }, second);
    const use = gpu?.(second) ?? { use: 0, memory: 0 };
    const rows = { uuid: ['g'], index: [0], name: ['H200'], utilizationPercent: [second < 0 ? 95 : use.use] };
    if (gpu)
      see({ kind: 'gpus', ...base(at), ...rows, memoryUtilizationPercent: [second < 0 ? 40 : use.memory] }, second);
    const bytes = { rssBytes: [1], threadCount: [1], readBytes: [0], writtenBytes: [second < 0 ? 0 : written(second)] };
    see({ kind: 'processes', ...base(at), pid: [7], state: ['S'], ...bytes }, second);
    const [situation, confidence = 0] = verdict?.(second) ?? [];
    const verdicts = situation
      ? [
          {
            situation,
            confidence,
            scope: {},
            since: at,
            summary: 'because',
            evidence: [],
            against: [],
            missing: [],
            next: [],
          },
        ]
      : [];
    if (verdict && second % 5 === 0) see({ kind: 'verdicts', ...base(at), verdicts }, second);
    for (const sample of more?.(second) ?? []) see(sample, second);
  }
  return all;
}

const event = (at: number, name: 'checkpoint' | 'evaluation' | 'training end'): Sample => ({
  ...{ kind: 'event', ...base(1_000_000 + at * 1000), event: name, text: '' },
});
const ended = (at: number): Sample => ({
  ...{ kind: 'run', ...base(1_000_000 + at * 1000), phase: 'ended', run: runOf([]), candidates: [], reason: 'gone' },
});
const alarm = (at: number, state: 'ringing' | 'resolved', alarm: 'no-step' | 'gpu-hot' = 'no-step'): Sample => ({
  ...{ kind: 'alarm', ...base(1_000_000 + at * 1000), id: 'a', alarm, state, severity: 'critical' },
  ...{ since: 0, rungAt: 0, text: 'no step for long' },
});

const stuck = (second: number) => [expect.stringMatching(new RegExp(`^${second} stuck: `)) as string];

describe('evidence is wanted', () => {
  test.each<[string, Course, number]>([
    ['when no step comes and no thread works', {}, 20],
    [
      'soon, of a verdict that is sure',
      { verdict: (s) => (s >= 5 ? ['collective-hang', 0.8] : undefined), cpu: () => 99 },
      10,
    ],
    ['later, of one that is likely', { verdict: (s) => (s >= 5 ? ['stalled', 0.6] : undefined), cpu: () => 99 }, 30],
    ['when an alarm says so', { cpu: () => 99, more: (s) => (s === 40 ? [alarm(s, 'ringing')] : []) }, 40],
    ['when a kernel runs on and moves nothing', { cpu: () => 100, gpu: () => ({ use: 100, memory: 0 }) }, 30],
    [
      'late, where a checkpoint was told',
      { more: (s) => (s === 1 ? [event(s, 'checkpoint')] : []), seconds: 1000 },
      901,
    ],
  ])('%s', (_, course, second) => {
    const [first = '', ...others] = told(course);
    expect(Number(first.split(' ')[0])).toBeGreaterThanOrEqual(second - 2);
    expect(Number(first.split(' ')[0])).toBeLessThanOrEqual(second + 2);
    expect(first).toMatch(/ stuck: [A-Z].*\.$/);
    expect(others).toEqual([]);
  });

  test.each<[string, Course]>([
    ['while steps come', { steps: () => true }],
    ['while they come in blocks: the log is buffered', { steps: (s) => s % 40 === 0, cpu: () => 90 }],
    ['while a thread works', { cpu: () => 90 }],
    ['while the GPU works', { gpu: () => ({ use: 80, memory: 30 }) }],
    ['while something is written', { written: (s) => s * 100_000_000 }],
    ['after the log said that the training is over', { more: (s) => (s === 1 ? [event(s, 'training end')] : []) }],
    ['of another alarm', { cpu: () => 99, more: (s) => (s === 9 ? [alarm(s, 'ringing', 'gpu-hot')] : []) }],
    ['of a verdict that passes', { cpu: () => 99, verdict: (s) => (s === 10 ? ['stalled', 0.9] : undefined) }],
    ['of a run that only waits for input', { cpu: () => 99, verdict: () => ['input-bound', 0.9] }],
    [
      'while the link is away',
      {
        more: (s) => (s === 1 ? [{ kind: 'link', ...base(1_001_000), state: 'lost' }] : []),
      },
    ],
  ])('not %s', (_, course) => {
    expect(told(course)).toEqual([]);
  });

  test('once a trouble, and again when that was over', () => {
    const course = { steps: (s: number) => s >= 60 && s < 140, cpu: (s: number) => (s >= 60 && s < 140 ? 90 : 0) };
    expect(told({ ...course, seconds: 240 })).toEqual([...stuck(19), ...stuck(159)]);
  });

  test('when the run ends, with or without a trouble before', () => {
    const gone = { more: (s: number) => (s === 30 ? [ended(s)] : []), seconds: 60 };
    expect(told({ ...gone, cpu: () => 90 })).toEqual(['30 ended: The run ended: gone.']);
    expect(told(gone)).toEqual([...stuck(19), '30 ended stood: The run ended: gone.']);
  });
});

test('four an hour and twelve a day are enough', () => {
  const limits = createLimits();
  const minutes = (n: number) => n * 60_000;
  const taken = Array.from({ length: 24 * 6 }, (_, i) => limits.take(minutes(10 * i)) === undefined);
  expect(taken.slice(0, 6)).toEqual([true, true, true, true, false, false]);
  expect(taken.filter(Boolean)).toHaveLength(12);
  expect(limits.take(minutes(24 * 60 + 31))).toBeUndefined();
});

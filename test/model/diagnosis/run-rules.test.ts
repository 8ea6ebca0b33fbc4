import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/model/diagnosis/judge.ts';
import { rules } from '../../../src/model/diagnosis/rules/index.ts';
import type { SignalName } from '../../../src/model/diagnosis/signals.ts';
import type { Subject } from '../../../src/model/diagnosis/subjects.ts';
import { gpusOf, run, told } from './made-judgements.ts';

type Values = Partial<Record<SignalName, number>>;

const [gpu] = gpusOf(1);
const queue: Subject = { kind: 'queue', name: 'q' };

/** The rule that is surest of these readings, where it is surer than not. */
function surest(subject: Subject | undefined, values: Values): string | undefined {
  if (!subject) throw new Error('no subject');
  const judgements = rules.flatMap((rule) =>
    rule.of === subject.kind ? (judge(rule, subject, told(values)) ?? []) : [],
  );
  const best = judgements.toSorted((a, b) => b.confidence - a.confidence)[0];
  return best && best.confidence >= 0.5 ? best.rule.situation : undefined;
}

const hang: Values = {
  ...{ lateUtilization: 100, latePowerRise: 1, latePower: 121, lateTensor: 0, lateDram: 0, mainSpins: 99 },
  ...{ silence: 10, silenceRatio: 5, peers: 7, peersAtWork: 0, peersSpinning: 86, peersBusy: 0, writeRate: 0 },
  ...{ utilization: 100, power: 121, powerRise: 1, steps: 500, progress: 0, absentCpu: 0 },
};

describe('of a GPU that spins while the log is silent', () => {
  test.each<[string, Values, string | undefined]>([
    ['it is a hang', {}, 'collective-hang'],
    ['after three seconds already', { silence: 3.2, silenceRatio: 3.2 }, 'collective-hang'],
    ['not yet after twice the usual pause', { silence: 4, silenceRatio: 2 }, undefined],
    ['none where steps of a minute are usual', { silence: 50, silenceRatio: 0.8 }, undefined],
    ['none while the log saves a checkpoint', { checkpointAge: 12 }, undefined],
    ['none while it evaluates', { evaluationAge: 12 }, undefined],
    ['none while the run writes as fast as it can', { writeRate: 900 }, undefined],
    ['none where another GPU works', { peersAtWork: 1 }, undefined],
    ['none where there is no other GPU', { peers: 0 }, undefined],
    ['none where it draws the power of work', { latePowerRise: 60, lateTensor: 30 }, undefined],
  ])('%s', (_what, values, situation) => {
    const found = surest(gpu, { ...hang, ...values });
    expect(found === 'collective-hang' ? found : undefined).toBe(situation);
  });

  test('it is less sure where who is missing computes', () => {
    const of = (values: Values) => {
      const rule = rules.find(({ situation }) => situation === 'collective-hang');
      return rule && gpu ? (judge(rule, gpu, told({ ...hang, ...values }))?.confidence ?? 0) : NaN;
    };
    const long = { silence: 16 };
    expect(of(long)).toBeGreaterThan(0.75);
    // It may upload or plot something alone, and come.
    expect(of({ ...long, absentCpu: 99 })).toBeLessThan(0.75);
    expect(of({ ...long, absentCpu: 99 })).toBeGreaterThan(0.5);
    // So it may without computing, for a few seconds.
    expect(of({ silence: 14 })).toBeLessThan(0.75);
    expect(of({ silence: 14 })).toBeGreaterThan(0.5);
  });
});

const still: Values = {
  ...{ silence: 40, silenceRatio: 8, idleGpus: 100, workingGpus: 0, spinningGpus: 0, busiestProcess: 1 },
  ...{ writeRate: 0, readRate: 0, steps: 500, progress: 0, runAge: 5000, zombies: 0, stopped: 0 },
};

describe('of a run whose log is silent', () => {
  test.each<[string, Values, string | undefined]>([
    ['nobody does anything: stalled', {}, 'stalled'],
    ['for a few seconds only: nothing', { silence: 5, silenceRatio: 5 }, undefined],
    ['a thread computes: not stalled', { busiestProcess: 100 }, undefined],
    ['its loader workers compute, at the turn of an epoch: not stalled', { workersBusy: 100 }, undefined],
    ['a GPU works: not stalled', { idleGpus: 80, workingGpus: 20 }, undefined],
    ['it writes, and GPUs wait: a checkpoint', { writeRate: 1900, busiestProcess: 80 }, 'checkpointing'],
    ['the log saves: a checkpoint', { checkpointAge: 39, busiestProcess: 80 }, 'checkpointing'],
    [
      'ranks wait in a barrier of one that saves',
      { checkpointAge: 39, idleGpus: 12, spinningGpus: 88 },
      'checkpointing',
    ],
    ['the log saves, and all GPUs work: none', { checkpointAge: 39, idleGpus: 0, workingGpus: 100 }, undefined],
    ['the log evaluates', { evaluationAge: 39, idleGpus: 0, workingGpus: 100, busiestProcess: 90 }, 'evaluating'],
    ['it ended with an error', { ended: 5, errorAge: 9 }, 'dead'],
  ])('%s', (_what, values, situation) => {
    expect(surest(run, { ...still, ...values })).toBe(situation);
  });

  test('it ended well: nothing', () => {
    expect(surest(run, { ended: 5, silence: 40, idleGpus: 100, steps: 500, writeRate: 0 })).not.toBe('dead');
  });
});

test('where nobody tells of GPUs, a silent run is stalled only when it is stopped', () => {
  const { idleGpus: _idle, workingGpus: _working, spinningGpus: _spinning, ...known } = still;
  expect(surest(run, known)).toBeUndefined();
  expect(surest(run, { ...known, stopped: 1 })).toBe('stalled');
  expect(surest(run, { ...known, stopped: 1, silence: 5 })).toBeUndefined();
});

describe('of a run without a step so far', () => {
  const young: Values = { steps: 0, progress: 0, runAge: 40, idleGpus: 100, workingGpus: 0, busiestProcess: 90 };
  test.each<[string, Values, string | undefined]>([
    ['it loads, as its log says', { warmupAge: 5 }, 'warming-up'],
    ['it is young', {}, 'warming-up'],
    ['it compiles on its GPUs', { warmupAge: 5, idleGpus: 0, workingGpus: 100 }, 'warming-up'],
    ['it has run for hours: who knows', { runAge: 9000 }, undefined],
    ['it has stepped', { steps: 3, progress: 3, silence: 1, silenceRatio: 0.5 }, undefined],
  ])('%s', (_what, values, situation) => {
    expect(surest(run, { ...young, ...values })).toBe(situation);
  });
});

describe('of a queue', () => {
  test.each<[string, Values, string | undefined]>([
    [
      'full, and a GPU waits',
      { queueFull: 95, queueEmpty: 0, leastUtilization: 40, utilizationGap: 57 },
      'consumer-bound',
    ],
    [
      'empty, and a GPU waits',
      { queueFull: 0, queueEmpty: 95, leastUtilization: 35, utilizationGap: 60 },
      'producer-bound',
    ],
    [
      'full, and all are busy: healthy',
      { queueFull: 95, queueEmpty: 0, leastUtilization: 93, utilizationGap: 4 },
      undefined,
    ],
    ['half full', { queueFull: 10, queueEmpty: 10, leastUtilization: 40, utilizationGap: 50 }, undefined],
    ['full while it saves', { queueFull: 95, leastUtilization: 0, utilizationGap: 0, checkpointAge: 5 }, undefined],
  ])('%s', (_what, values, situation) => {
    expect(surest(queue, values)).toBe(situation);
  });
});

import { expect, test } from 'vitest';
import { createDiagnosis, type Diagnosis } from '../../../src/model/diagnosis/engine.ts';
import type { Sample, VerdictsSample } from '../../../src/model/samples.ts';
import { head, madeStart } from '../../support/made-recording.ts';

const runOf = (pid: number, second: number): Sample => {
  const process = { pid, commandLine: ['python', 'train.py'], gpuMinors: [0] };
  const run = { id: `${pid}:1`, rootPid: pid, processes: [process], outputs: [] };
  return { ...head('run', second, 'processes'), phase: 'running', run, candidates: [run] };
};
const gpus = (second: number, utilization: number): Sample => ({
  ...head('gpus', second, 'gpu'),
  ...{ uuid: ['GPU-a'], index: [0], name: ['NVIDIA H200'], utilizationPercent: [utilization] },
  ...{ powerWatts: [utilization > 0 ? 650 : 76], powerLimitWatts: [700] },
});
const log = (second: number, text: string): Sample => ({
  ...head('log', second),
  ...{ path: '/run/train.log', format: 'generic' },
  lines: [{ text, time: head('log', second).time, ...(text.startsWith('step') && { values: { step: second } }) }],
});
const step = (second: number) => log(second, `step ${second}`);

/** What is told while a GPU works, and the log steps, from one second to another. */
function train(diagnosis: Diagnosis, from: number, until: number): readonly VerdictsSample[] {
  const told: VerdictsSample[] = [];
  for (let second = from; second < until; second++)
    for (const sample of [gpus(second, 97), step(second)]) told.push(...diagnosis.find(sample));
  return told;
}

const second = ({ receivedAt }: VerdictsSample) => (receivedAt - madeStart) / 1000;
const situations = (sample: VerdictsSample | undefined) => sample?.verdicts.map(({ situation }) => situation);

test('verdicts are told when they change, and every five seconds', () => {
  const diagnosis = createDiagnosis();
  diagnosis.find(runOf(41, 0));
  const told = train(diagnosis, 1, 41).filter(({ verdicts }) => verdicts.length > 0);
  const [first, ...later] = told.filter((sample) => situations(sample)?.[0] === 'compute-bound').map(second);
  expect(later).toEqual(later.map((_, i) => (first ?? 0) + 5 * (i + 1)));
  expect(later.length).toBeGreaterThan(4);
});

test('another run begins with nothing told', () => {
  const diagnosis = createDiagnosis();
  diagnosis.find(runOf(41, 0));
  train(diagnosis, 1, 30);
  expect(situations(diagnosis.now())).toEqual(['compute-bound']);
  diagnosis.find(runOf(42, 30));
  diagnosis.find(gpus(31, 0));
  expect(situations(diagnosis.now())).toEqual(['unknown']);
  expect(diagnosis.signals()[0]?.readings.steps).toBeUndefined();
});

test('how it loaded before its first step is not in the window of its steps', () => {
  const diagnosis = createDiagnosis();
  diagnosis.find(runOf(41, 0));
  for (let n = 1; n < 10; n++) diagnosis.find(gpus(n, 0));
  train(diagnosis, 10, 15);
  expect(utilization(diagnosis)).toBeGreaterThan(90);
});

test('nor is how it saved', () => {
  const diagnosis = createDiagnosis();
  diagnosis.find(runOf(41, 0));
  train(diagnosis, 1, 20);
  diagnosis.find(log(20, 'saving checkpoint to runs/step_20.pt'));
  for (let n = 20; n < 35; n++) diagnosis.find(gpus(n, 0));
  expect(utilization(diagnosis)).toBeLessThan(10);
  train(diagnosis, 35, 39);
  expect(utilization(diagnosis)).toBeGreaterThan(90);
});

function utilization(diagnosis: Diagnosis): number | undefined {
  return diagnosis.signals().find(({ subject }) => subject.kind === 'gpu')?.readings.utilization?.value;
}

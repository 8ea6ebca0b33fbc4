import { judge } from '../../../src/model/diagnosis/judge.ts';
import { rank } from '../../../src/model/diagnosis/ranking.ts';
import { rules } from '../../../src/model/diagnosis/rules/index.ts';
import type { Readings, SignalName } from '../../../src/model/diagnosis/signals.ts';
import type { GpuSubject, Subject } from '../../../src/model/diagnosis/subjects.ts';
import type { Situation } from '../../../src/model/situations.ts';

/** Signals by their values. */
export type Values = Partial<Record<SignalName, number>>;

/** Of every run that steps, on a GPU of 700 W that draws 118 W with a context and no work. */
export const steps: Values = {
  progress: 8,
  steps: 100,
  silence: 0.3,
  silenceRatio: 0.5,
  memoryMoves: 0,
  thermalShare: 0,
  peers: 0,
};
/** A GPU that is busy for a share of the time with kernels that fill it as given. */
export const gpu = (utilization: number, fill: number): Values => ({
  utilization,
  lateUtilization: utilization,
  utilizationShift: 2,
  kernelFill: fill,
  powerFill: fill,
  smActive: (utilization * fill) / 100,
  powerRise: (utilization * fill) / 100,
  latePowerRise: (utilization * fill) / 100,
  tensorActive: (utilization * fill) / 200,
  lateTensor: (utilization * fill) / 200,
  dramActive: (utilization * fill) / 280,
  pcieRate: 60,
});
/** CPU of the threads that feed it. */
export const cpu = (mainCpu: number, autogradCpu: number, others: Values = {}): Values => ({
  mainCpu,
  autogradCpu,
  feedCpu: mainCpu + autogradCpu,
  processCpu: mainCpu + autogradCpu,
  workers: 0,
  rivals: 0,
  rivalsCpu: 0,
  ...others,
});
/** The verdicts on one GPU, and on its run where that is told. */
export function rankedOf(values: Values, run: Values = {}) {
  const subject: GpuSubject = { kind: 'gpu', uuid: 'GPU-1', index: 0 };
  const all: { subject: Subject; readings: Readings }[] = [{ subject: { kind: 'run' }, readings: readingsOf(run) }];
  all.push({ subject, readings: readingsOf(values) });
  const judgements = [...judged(values, subject), ...judged(run, { kind: 'run' })].map((judgement) => ({
    ...judgement,
    since: 0,
  }));
  return rank(judgements, all).map(({ told }) => told());
}

/** How sure the first rule of a situation is. */
export function confidenceOf(situation: Situation, values: Values): number | undefined {
  return ofReadings(situation, readingsOf(values))?.confidence;
}

/** What it says. */
export function ofReadings(situation: Situation, readings: Readings) {
  return judgedBy(readings, { kind: 'gpu', uuid: 'GPU-1', index: 0 }).find(({ rule }) => rule.situation === situation);
}

function judged(values: Values, subject: Subject) {
  return judgedBy(readingsOf(values), subject);
}

function judgedBy(readings: Readings, subject: Subject) {
  return rules.flatMap((rule) => (rule.of === subject.kind ? (judge(rule, subject, readings) ?? []) : []));
}

/** As gatherers tell them. */
export function readingsOf(values: Values): Readings {
  return Object.fromEntries(Object.entries(values).map(([signal, value]) => [signal, { value }]));
}

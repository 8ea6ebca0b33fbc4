import type { Rule } from '../../../src/model/diagnosis/rule.ts';
import { rules } from '../../../src/model/diagnosis/rules/index.ts';
import type { Readings, SignalName } from '../../../src/model/diagnosis/signals.ts';
import type { SteadyJudgement } from '../../../src/model/diagnosis/steady.ts';
import type { GpuSubject, Subject } from '../../../src/model/diagnosis/subjects.ts';
import type { Situation } from '../../../src/model/situations.ts';

/** The run as a whole. */
export const run: Subject = { kind: 'run' };

/** GPUs of one rank each. */
export const gpusOf = (count: number, init: Partial<GpuSubject> = {}): readonly GpuSubject[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'gpu', uuid: `GPU-${index}`, index, rank: index, ...init }));

/** Readings by their values. */
export function told(values: Partial<Record<SignalName, number>>): Readings {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

/** The rule of a situation, and of a cause where it has several. */
export function ruleOf(situation: Situation, cause?: string): Rule {
  const rule = rules.find((each) => each.situation === situation && (cause === undefined || each.cause === cause));
  if (!rule) throw new Error(`no rule of ${situation}`);
  return rule;
}

/** A judgement that a rule may have made: what it must have is told and holds. */
export function judgementOf(init: {
  readonly rule: Rule;
  readonly subject: Subject;
  readonly confidence: number;
  readonly readings?: Readings;
}): SteadyJudgement {
  const { rule, readings = {} } = init;
  const all = [...rule.must, ...rule.speaksFor];
  const held = all.filter(({ signal }) => readings[signal]);
  return { ...init, readings, held, contrary: [], untold: all.filter((clue) => !held.includes(clue)), since: 0 };
}

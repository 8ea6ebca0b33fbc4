import type { Situation } from '../situations.ts';
import type { Verdict } from '../verdict-samples.ts';
import { choose, phases } from './choice.ts';
import { figuresOf, missingOf } from './figures.ts';
import type { Readings } from './signals.ts';
import { gpusAmong, scopeOf, type Group, type Whole } from './scopes.ts';
import type { SteadyJudgement } from './steady.ts';
import { subjectKey, type Subject } from './subjects.ts';
import { summaryOf } from './summary.ts';

/** Causes stand before what follows from them. */
const order: readonly Situation[] = [
  ...phases,
  'throttled',
  'host-overloaded',
  'collective-wait',
  'gil-contention',
  'allocator-churn',
  'copy-bound',
  'input-bound',
  'sync-bound',
  'launch-bound',
  'producer-bound',
  'consumer-bound',
  'bandwidth-bound',
  'compute-bound',
  'unknown',
];

/** A verdict whose figures are made when it is told: most ticks tell nothing. */
export interface Ranked extends Pick<Verdict, 'situation' | 'scope'> {
  readonly told: () => Verdict;
}

/** The verdicts of one moment, the cause of the others first. */
export function rank(
  judgements: readonly SteadyJudgement[],
  all: readonly { readonly subject: Subject; readonly readings: Readings }[],
): readonly Ranked[] {
  const readings = new Map(all.map((each) => [subjectKey(each.subject), each.readings]));
  const whole: Whole = {
    subjects: all.map(({ subject }) => subject),
    readingsOf: (subject) => readings.get(subjectKey(subject)) ?? {},
  };
  return choose(judgements, whole)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || b.confidence - a.confidence)
    .map((group) => {
      const { situation } = group.judgements[0].rule;
      const scope = scopeOf(group, whole);
      return { situation, scope, told: () => verdictOf(group, scope, whole) };
    });
}

function placeOf({ judgements: [{ rule }] }: Group): number {
  return order.indexOf(rule.situation);
}

function verdictOf(group: Group, scope: Verdict['scope'], whole: Whole): Verdict {
  const { judgements, confidence } = group;
  const [{ rule }] = judgements;
  const evidence = figuresOf(group, 'held');
  const own = judgements.map(({ readings }) => readings);
  const isOwn = new Set(judgements.map(({ subject }) => subject));
  const others = gpusAmong(whole.subjects).flatMap((gpu) => (isOwn.has(gpu) ? [] : [whole.readingsOf(gpu)]));
  return {
    situation: rule.situation,
    scope,
    confidence: Math.round(100 * confidence) / 100,
    since: Math.min(...judgements.map(({ since }) => since)),
    summary: summaryOf(evidence, { own, others }),
    evidence,
    against: figuresOf(group, 'contrary'),
    missing: missingOf(judgements.flatMap(({ untold }) => untold.map(({ signal }) => signal))),
    next: rule.next,
  };
}

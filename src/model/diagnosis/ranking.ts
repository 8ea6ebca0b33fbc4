import type { Situation } from '../situations.ts';
import type { Evidence, Verdict } from '../verdict-samples.ts';
import type { Clue } from './rule.ts';
import { signals, sources, type Readings } from './signals.ts';
import type { SteadyJudgement } from './steady.ts';
import type { Subject } from './subjects.ts';
import { thresholds } from './thresholds.ts';

/** Causes stand before what follows from them. */
const order: readonly Situation[] = [
  'dead',
  'collective-hang',
  'stalled',
  'checkpointing',
  'evaluating',
  'warming-up',
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

/** The verdicts of one moment, the cause of the others first. */
export function rank(judgements: readonly SteadyJudgement[], subjects: readonly Subject[]): readonly Verdict[] {
  return judgements
    .toSorted(
      (a, b) => order.indexOf(a.rule.situation) - order.indexOf(b.rule.situation) || b.confidence - a.confidence,
    )
    .map((judgement) => verdictOf(judgement, subjects));
}

function verdictOf(judgement: SteadyJudgement, _subjects: readonly Subject[]): Verdict {
  const { rule, subject, confidence, since, held, contrary, untold, readings } = judgement;
  const figures = (clues: readonly Clue[]) => clues.flatMap((clue) => evidenceOf(clue, readings));
  return {
    situation: rule.situation,
    scope: subject.kind === 'gpu' ? { gpus: [subject.index] } : {},
    confidence,
    since,
    summary: '',
    evidence: figures(held),
    against: figures(contrary),
    missing: untold.map(({ signal }) => {
      const from: { readonly get: string; readonly key?: string } = sources[signals[signal].from];
      return { signal, get: from.get, ...(from.key !== undefined && { key: from.key }) };
    }),
    next: rule.next,
  };
}

function evidenceOf({ signal, least, most }: Clue, readings: Readings): readonly Evidence[] {
  const reading = readings[signal];
  if (!reading) return [];
  const { unit, from } = signals[signal];
  const borders = [
    ...(least === undefined ? [] : [`at least ${thresholds[least].value}`]),
    ...(most === undefined ? [] : [`at most ${thresholds[most].value}`]),
  ];
  return [{ signal, ...reading, unit, source: sources[from].source, expected: borders.join(', ') }];
}

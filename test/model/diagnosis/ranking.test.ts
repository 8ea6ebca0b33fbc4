import { describe, expect, test } from 'vitest';
import { rank } from '../../../src/model/diagnosis/ranking.ts';
import type { Readings } from '../../../src/model/diagnosis/signals.ts';
import type { SteadyJudgement } from '../../../src/model/diagnosis/steady.ts';
import type { Subject } from '../../../src/model/diagnosis/subjects.ts';
import type { Situation } from '../../../src/model/situations.ts';
import { gpusOf, judgementOf, ruleOf, run, told } from './made-judgements.ts';

const gpus = gpusOf(4);
const queue: Subject = { kind: 'queue', name: 'q_hs' };

const on = (situation: Situation, subject: Subject, confidence: number, readings: Readings = {}): SteadyJudgement =>
  judgementOf({ rule: ruleOf(situation), subject, confidence, readings });

/** The verdicts of judgements; what else was told of GPUs, by their index. */
function verdictsOf(judgements: readonly SteadyJudgement[], readings: readonly Readings[] = [], all = gpus) {
  const subjects: readonly Subject[] = [run, ...all, queue];
  return rank(
    judgements,
    subjects.map((subject) => ({ subject, readings: (subject.kind === 'gpu' && readings[subject.index]) || {} })),
  ).map((each) => each.told());
}

const shortly = (verdicts: ReturnType<typeof verdictsOf>) => verdicts.map(({ situation, scope }) => [situation, scope]);

describe('scopes', () => {
  test('what holds on all GPUs is of the run, what holds on some is of these', () => {
    expect(shortly(verdictsOf(gpus.map((gpu) => on('compute-bound', gpu, 0.9))))).toEqual([['compute-bound', {}]]);
    expect(shortly(verdictsOf(gpus.slice(1, 3).map((gpu) => on('compute-bound', gpu, 0.9))))).toEqual([
      ['compute-bound', { ranks: [1, 2], gpus: [1, 2] }],
    ]);
  });

  test('a role is named where it is that of these GPUs, and of no others', () => {
    const roles = gpus.map((gpu) => ({ ...gpu, role: gpu.index < 2 ? 'target' : 'drafter' }));
    const of = (some: typeof roles) =>
      verdictsOf(
        some.map((gpu) => on('compute-bound', gpu, 0.9)),
        [],
        roles,
      )[0]?.scope.role;
    expect(of(roles.slice(0, 2))).toBe('target');
    expect(of(roles.slice(0, 1))).toBeUndefined();
    expect(of(roles.slice(1, 3))).toBeUndefined();
  });

  test('of a hang the GPUs that hang, and the rank that does not come', () => {
    const spins = told({ lateUtilization: 100, latePowerRise: 1 });
    const idle = told({ lateUtilization: 0, latePowerRise: 0 });
    const hang = (indexes: readonly number[]) =>
      verdictsOf(
        indexes.flatMap((index) => gpus[index] ?? []).map((gpu) => on('collective-hang', gpu, 0.9, spins)),
        gpus.map(({ index }) => (indexes.includes(index) ? spins : idle)),
      )[0]?.scope;
    expect(hang([0, 1, 3])).toEqual({ ranks: [2], gpus: [0, 1, 3] });
    expect(hang([0])).toEqual({ ranks: [1, 2, 3], gpus: [0] });
    // All wait, each in another collective: nobody is missing.
    expect(hang([0, 1, 2, 3])).toEqual({ gpus: [0, 1, 2, 3] });
  });

  test('of a queue the side that is full, where one is', () => {
    const uses = (...values: readonly number[]) => values.map((utilization) => told({ utilization }));
    const scope = (readings: readonly Readings[]) => verdictsOf([on('consumer-bound', queue, 0.9)], readings)[0]?.scope;
    expect(scope(uses(40, 42, 97, 98))).toEqual({ queue: 'q_hs', side: 'consumer', gpus: [2, 3] });
    expect(scope(uses(10, 12, 9, 14))).toEqual({ queue: 'q_hs', side: 'consumer' });
    expect(scope([])).toEqual({ queue: 'q_hs', side: 'consumer' });
  });
});

describe('what is told', () => {
  const situationsOf = (...args: Parameters<typeof verdictsOf>) =>
    verdictsOf(...args).map(({ situation }) => situation);
  const [first, second] = gpus;
  if (!first || !second) throw new Error('no GPUs');

  test('one pace a GPU: the surest, and what comes near it', () => {
    expect(situationsOf([on('input-bound', first, 0.8), on('launch-bound', first, 0.6)])).toEqual(['input-bound']);
    expect(situationsOf([on('input-bound', first, 0.7), on('launch-bound', first, 0.6)])).toHaveLength(2);
    expect(situationsOf([on('input-bound', first, 0.5), on('launch-bound', first, 0.45)])).toEqual(['input-bound']);
  });

  test('of two that are near the one that holds on all GPUs', () => {
    const all = gpus.map((gpu) => on('launch-bound', gpu, 0.6));
    expect(situationsOf([...all, on('sync-bound', first, 0.5)])[0]).toBe('launch-bound');
  });

  test('what is unlikely only where nothing else is told, and as such', () => {
    expect(situationsOf([on('input-bound', first, 0.4), on('compute-bound', second, 0.8)])).toEqual(['compute-bound']);
    expect(verdictsOf([on('input-bound', first, 0.4)])).toMatchObject([{ situation: 'input-bound', confidence: 0.4 }]);
  });

  test.each(['dead', 'stalled', 'checkpointing', 'evaluating', 'warming-up'] as const)('nothing beside %s', (phase) => {
    expect(situationsOf([on('input-bound', first, 0.9), on(phase, run, 0.7)])).toEqual([phase]);
    expect(situationsOf([on('input-bound', first, 0.9), on(phase, run, 0.4)])).toEqual(['input-bound']);
  });

  test('not those that wait for a straggler, but why it is late', () => {
    const late = [on('collective-wait', first, 0.8), on('input-bound', first, 0.4)];
    expect(shortly(verdictsOf([...late, on('sync-bound', second, 0.9)]))).toEqual([
      ['collective-wait', { ranks: [0], gpus: [0] }],
      ['input-bound', expect.objectContaining({ ranks: [0], gpus: [0] })],
    ]);
  });

  test('not what a GPU shows that waits at a queue, unless all do', () => {
    const readings = [20, 20, 95, 95].map((utilization) => told({ utilization }));
    const starved = (some: typeof gpus) => some.map((gpu) => on('input-bound', gpu, 0.8));
    const bound = on('consumer-bound', queue, 0.9);
    expect(situationsOf([bound, ...starved(gpus.slice(0, 2))], readings)).toEqual(['consumer-bound']);
    expect(situationsOf([bound, ...starved(gpus)], readings)).toEqual(['input-bound', 'consumer-bound']);
  });

  test('the cause before what follows from it', () => {
    const judgements = [
      on('compute-bound', second, 0.95),
      on('consumer-bound', queue, 0.9),
      on('throttled', first, 0.6),
    ];
    expect(situationsOf(judgements)).toEqual(['throttled', 'consumer-bound', 'compute-bound']);
  });
});

describe('figures', () => {
  const evidenceOf = (...powers: readonly number[]) =>
    verdictsOf(
      powers.map((latePower, i) =>
        on('collective-hang', gpus[i] ?? run, 0.9, told({ lateUtilization: 100, latePower, silence: 94 })),
      ),
    )[0];

  test('of several GPUs the mean, or the least and the most; of the run once', () => {
    const near = evidenceOf(120, 121, 122);
    expect(near?.evidence.map(({ signal, of, value }) => [signal, of, value])).toEqual([
      ['lateUtilization', 'GPUs 0-2', 100],
      ['silence', undefined, 94],
      ['latePower', 'GPUs 0-2', 121],
    ]);
    const apart = evidenceOf(120, 500, 122)?.evidence.filter(({ signal }) => signal === 'latePower');
    expect(apart?.map(({ of, value }) => [of, value])).toEqual([
      ['GPU 0', 120],
      ['GPU 1', 500],
    ]);
  });

  test('tell a signal once, by the stronger border that it is beyond', () => {
    const hang = ruleOf('collective-hang');
    const clues = [...hang.must, ...hang.speaksFor].filter(({ signal }) => signal === 'silenceRatio');
    const [asked, surer] = clues;
    const verdictAt = (silenceRatio: number, held: typeof clues) => {
      const readings = told({ silenceRatio });
      const contrary = clues.filter((clue) => !held.includes(clue));
      const on = { ...judgementOf({ rule: hang, subject: run, confidence: 0.9, readings }), held, contrary };
      return rank([on], [{ subject: run, readings: {} }])[0]?.told();
    };
    const four = verdictAt(4, clues.slice(0, 1));
    expect([asked?.least, surer?.least]).toEqual(['silentPauses', 'silentLong']);
    expect(four?.evidence).toMatchObject([{ signal: 'silenceRatio', expected: 'at least 3' }]);
    expect(four?.against).toEqual([]);
    expect(verdictAt(9, clues)?.evidence).toMatchObject([{ signal: 'silenceRatio', expected: 'at least 6' }]);
  });

  test('make the sentence of the headline', () => {
    expect(evidenceOf(121)?.summary).toBe('GPU 0 100 % busy at 121 W; last progress 94 s ago');
  });

  test('are six at most, and what is missing is named once, with its key', () => {
    const all = told(Object.fromEntries(ruleOf('collective-hang').must.map(({ signal }) => [signal, 1])));
    const [verdict] = verdictsOf(gpus.map((gpu) => on('collective-hang', gpu, 0.9, all)));
    expect(verdict?.evidence.length).toBeLessThanOrEqual(6);
    const missing = verdict?.missing.map(({ signal }) => signal) ?? [];
    expect(new Set(missing).size).toBe(missing.length);
    expect(verdict?.missing).toContainEqual(expect.objectContaining({ signal: 'stackCollective', key: 'r' }));
  });
});

import { describe, expect, test } from 'vitest';
import { createDoubt } from '../../../src/model/diagnosis/doubt.ts';
import { createHeadline } from '../../../src/model/diagnosis/headline.ts';
import { createSteady } from '../../../src/model/diagnosis/steady.ts';
import type { Situation } from '../../../src/model/situations.ts';
import type { Verdict } from '../../../src/model/verdict-samples.ts';
import { gpusOf, judgementOf, ruleOf, run, told } from './made-judgements.ts';

const gpus = gpusOf(2);
const [first, second] = gpus;
if (!first || !second) throw new Error('no GPUs');
const bound = (subject = first, confidence = 0.8) =>
  judgementOf({ rule: ruleOf('compute-bound'), subject, confidence });

describe('a judgement', () => {
  test('is told when it has held for a while, and is gone a while after', () => {
    const steady = createSteady();
    const told = (second: number, holds: boolean) => steady.take(second * 1000, holds ? [bound()] : []).length === 1;
    expect([0, 1, 2, 3, 4].map((second) => told(second, true))).toEqual([false, false, false, true, true]);
    expect([5, 7, 9, 10].map((second) => told(second, false))).toEqual([true, true, true, false]);
  });

  test('that comes and goes in every other look is told throughout', () => {
    const steady = createSteady();
    for (let second = 0; second < 8; second++) steady.take(second * 1000, [bound()]);
    const seconds = Array.from({ length: 30 }, (_, i) => 8 + i);
    for (const second of seconds) expect(steady.take(second * 1000, second % 2 ? [bound()] : [])).toHaveLength(1);
  });

  test('may be less sure while it lasts than it has to be to begin', () => {
    const steady = createSteady();
    const told = (second: number, confidence: number) => steady.take(second * 1000, [bound(first, confidence)]).length;
    for (let second = 0; second < 10; second++) expect(told(second, 0.3)).toBe(0);
    for (let second = 10; second < 15; second++) told(second, 0.4);
    for (let second = 15; second < 35; second++) expect(told(second, 0.3)).toBe(1);
    for (let second = 35; second < 45; second++) told(second, 0.2);
    expect(told(45, 0.2)).toBe(0);
  });

  test('becomes surer by and by, and is never told much surer than it is', () => {
    const steady = createSteady();
    const sure = (second: number, confidence: number) =>
      steady.take(second * 1000, [bound(first, confidence)])[0]?.confidence ?? 0;
    for (let second = 0; second < 10; second++) sure(second, 0.5);
    expect(sure(10, 0.9)).toBeLessThan(0.7);
    for (let second = 11; second < 40; second++) sure(second, 0.9);
    expect(sure(40, 0.9)).toBeGreaterThan(0.89);
    expect(sure(41, 0.5)).toBeLessThanOrEqual(0.55);
  });

  test('of another GPU joins what is told already', () => {
    const steady = createSteady();
    for (let second = 0; second < 5; second++) steady.take(second * 1000, [bound()]);
    expect(steady.take(5000, [bound(), bound(second)])).toHaveLength(1);
    expect(steady.take(6000, [bound(), bound(second)])).toHaveLength(2);
  });

  test('that is a time already is told at once, and began then', () => {
    const steady = createSteady();
    const rule = ruleOf('collective-hang');
    const hang = judgementOf({ rule, subject: first, confidence: 0.8, readings: told({ silence: 6 }) });
    expect(steady.take(100_000, [hang])).toMatchObject([{ since: 94_000 }]);
    expect(steady.take(102_000, [])).toHaveLength(0);
  });

  test('of before a sleep, or of a clock that was set back, says nothing', () => {
    const steady = createSteady();
    for (const second of [0, 1, 2, 3]) steady.take(second * 1000, [bound()]);
    expect(steady.take(90_000, [bound()])).toHaveLength(0);
    for (const second of [91, 92, 93]) steady.take(second * 1000, [bound()]);
    expect(steady.take(50_000, [bound()])).toHaveLength(0);
  });
});

describe('the headline', () => {
  const verdict = (situation: Situation): Verdict => ({
    ...{ situation, scope: {}, confidence: 0.8, since: 0, summary: '' },
    ...{ evidence: [], against: [], missing: [], next: [] },
  });
  const names = (verdicts: readonly Verdict[]) => verdicts.map(({ situation }) => situation);

  test('stays until the challenger has stood for a while', () => {
    const headline = createHeadline();
    headline.take(0, [verdict('launch-bound')]);
    const both = [verdict('sync-bound'), verdict('launch-bound')];
    expect(names(headline.take(1000, both))).toEqual(['launch-bound', 'sync-bound']);
    expect(names(headline.take(3000, both))).toEqual(['launch-bound', 'sync-bound']);
    expect(names(headline.take(4000, both))).toEqual(['sync-bound', 'launch-bound']);
  });

  test('gives way at once to what changes all others, and when it is gone', () => {
    const headline = createHeadline();
    headline.take(0, [verdict('launch-bound')]);
    expect(names(headline.take(1000, [verdict('collective-hang'), verdict('launch-bound')]))[0]).toBe(
      'collective-hang',
    );
    expect(names(headline.take(2000, [verdict('compute-bound')]))).toEqual(['compute-bound']);
  });
});

describe('not enough evidence', () => {
  const asked = (values: Parameters<typeof told>[0]) => [
    { subject: run, readings: told({}) },
    { subject: first, readings: told(values) },
  ];
  const all = { utilization: 55, power: 300, mainCpu: 40, silence: 2 };

  test('is told after a while without anything, and says what no rule knows', () => {
    const doubt = createDoubt();
    doubt.take(0, false);
    expect(doubt.verdict(9000, asked(all))).toBeUndefined();
    const verdict = doubt.verdict(10_000, asked(all));
    expect(verdict).toMatchObject({ situation: 'unknown', since: 0 });
    expect(verdict?.summary).toMatch(/^no rule holds; GPU 0 55 % busy at 300 W/);
    expect(verdict?.missing.map(({ key }) => key)).toEqual(['r', 'G']);
    expect(verdict?.next.length).toBeGreaterThan(0);
  });

  test('is told at once where nothing comes any more, and names what', () => {
    const doubt = createDoubt();
    doubt.take(0, true);
    doubt.take(1000, false);
    expect(doubt.verdict(1000, asked({ silence: 40 }))?.summary).toBe(
      'nothing is told of GPUs, threads; last progress 40 s ago',
    );
  });

  test('is none where something is told, or the run is over', () => {
    const doubt = createDoubt();
    doubt.take(0, false);
    expect(doubt.verdict(20_000, [{ subject: run, readings: told({ ended: 5 }) }])).toBeUndefined();
    doubt.take(20_000, true);
    expect(doubt.verdict(40_000, asked(all))).toBeUndefined();
  });
});

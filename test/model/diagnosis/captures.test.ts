import { expect, test } from 'vitest';
import type { Situation } from '../../../src/model/situations.ts';
import { hasStacks, judgementsOf, samplesOfCapture, truths, verdictsOf } from './captured-runs.ts';

test.each(truths)('the files of %s say %s', async (name, situation, scope) => {
  const [first] = verdictsOf(await samplesOfCapture(name));
  expect(first).toMatchObject({ situation, scope });
  expect(first?.confidence).toBeGreaterThanOrEqual(0.5);
});

test.each(truths.filter(([name]) => hasStacks(name)))(
  'with stacks of %s they say %s, and surer',
  async (name, situation, scope) => {
    const samples = await samplesOfCapture(name, { stacks: true });
    expect(verdictsOf(samples)[0]).toMatchObject({ situation, scope });
    const found = judgementsOf(samples);
    const sure = confidenceOf(situation);
    expect(sure(found)).toBeGreaterThanOrEqual(0.8);
    expect(sure(found)).toBeGreaterThanOrEqual(sure(judgementsOf(samples.filter(({ kind }) => !ofStacks.has(kind)))));
  },
);

const ofStacks: ReadonlySet<string> = new Set(['capture', 'stacks', 'profile', 'waits']);

const confidenceOf = (situation: Situation) => (all: ReturnType<typeof judgementsOf>) =>
  Math.max(0, ...all.filter(({ rule }) => rule.situation === situation).map(({ confidence }) => confidence));

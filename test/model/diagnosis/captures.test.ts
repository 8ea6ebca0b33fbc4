import { expect, test } from 'vitest';
import type { Situation } from '../../../src/model/situations.ts';
import { captureText } from '../classes/h200.ts';
import { hasStacks, judgementsOf, samplesOfCapture, truths, verdictsOf } from './captured-runs.ts';

test.each(truths)('the files of %s say %s', async (name, situation, scope) => {
  const [first] = verdictsOf(await samplesOfCapture(name));
  expect(first).toMatchObject({ situation, scope });
  expect(first?.confidence).toBeGreaterThanOrEqual(0.5);
});

test.each(truths.filter(([name]) => hasStacks(name)))(
  'with stacks of %s they say %s, and surer',
  async (name, situation, scope) => {
    const samples = await withStacks(name);
    expect(verdictsOf(samples)[0]).toMatchObject({ situation, scope });
    const found = judgementsOf(samples);
    const sure = confidenceOf(situation);
    expect(sure(found)).toBeGreaterThanOrEqual(0.8);
    expect(sure(found)).toBeGreaterThanOrEqual(sure(judgementsOf(samples.filter(({ kind }) => !ofStacks.has(kind)))));
  },
);

test.each(truths.filter(([name]) => hasStacks(name)))(
  'what functions, files and threads of %s are called says nothing of %s',
  async (name, situation, scope) => {
    const textOf = (of: string, file: string) =>
      captureText(of, file)
        .replaceAll('scenarios', 'qx7')
        .replaceAll(/\b(burn|spin|loop|tokenizer)\b/g, 'zz');
    const renamed = await samplesOfCapture(name, { stacks: true, textOf });
    expect(verdictsOf(renamed)[0]).toMatchObject({ situation, scope });
    const sure = confidenceOf(situation);
    expect(sure(judgementsOf(renamed))).toBeCloseTo(sure(judgementsOf(await withStacks(name))), 1);
  },
);

/** Each is read once. */
const kept = new Map<string, ReturnType<typeof samplesOfCapture>>();

function withStacks(name: string) {
  const samples = kept.get(name) ?? samplesOfCapture(name, { stacks: true });
  kept.set(name, samples);
  return samples;
}

const ofStacks: ReadonlySet<string> = new Set(['capture', 'stacks', 'profile', 'waits']);

const confidenceOf = (situation: Situation) => (all: ReturnType<typeof judgementsOf>) =>
  Math.max(0, ...all.filter(({ rule }) => rule.situation === situation).map(({ confidence }) => confidence));

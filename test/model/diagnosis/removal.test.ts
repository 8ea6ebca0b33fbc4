import { beforeAll, describe, expect, test } from 'vitest';
import type { Sample } from '../../../src/model/samples.ts';
import type { Situation } from '../../../src/model/situations.ts';
import type { Verdict } from '../../../src/model/verdict-samples.ts';
import { removals, without } from '../../support/removals.ts';
import { hasStacks, samplesOfCapture, truths, verdictsOf } from './captured-runs.ts';

describe.each(truths)('of %s', (name, situation) => {
  let samples: readonly Sample[] = [];
  beforeAll(async () => {
    samples = await samplesOfCapture(name, { stacks: hasStacks(name) });
  });

  test.each(removals)('no other verdict is sure without %s', (what) => {
    const left = samples.flatMap((sample) => without(what, sample) ?? []);
    // Of what it never had nothing is missed.
    if (left.length === samples.length && left.every((sample, i) => sample === samples[i])) return;
    expect(sureOfOther(verdictsOf(left), situation)).toBeUndefined();
  });
});

/** Both tell of GPUs: where one is not there, the other has less of it. */
test.each(
  truths.flatMap(([name, situation]) => ['nvidia-smi', 'dmon'].map((file) => [name, file, situation] as const)),
)('of %s no other verdict is sure without the file of %s', async (name, file, situation) => {
  expect(sureOfOther(verdictsOf(await samplesOfCapture(name, { without: [file] })), situation)).toBeUndefined();
});

/** The first verdict, where it is another one and told as sure. */
function sureOfOther([first]: readonly Verdict[], truth: Situation): string | undefined {
  if (!first || first.situation === truth || first.situation === 'unknown') return undefined;
  return first.confidence >= 0.6 ? `${first.situation} ${first.confidence}` : undefined;
}

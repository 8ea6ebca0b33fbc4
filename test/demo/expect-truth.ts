import { expect } from 'vitest';
import { demoStart } from '../support/demo-recording.ts';
import { without, type Removal } from '../support/removals.ts';
import { confident, faultsIn, judgedWithout, matches, toldIn } from '../support/scenario-truth.ts';
import type { Played } from './scenario-play.ts';

/** The others carry no verdict of the demo: they are removed where captures are judged. */
const removals: readonly Removal[] = ['gpus', 'threads', 'log', 'host', 'utilization', 'power', 'counters'];

/** Verdicts and events that were found are the scenario's truth, and no verdict is wrong where a source is missing. */
export function expectTruth(played: Played) {
  const { scenario, samples } = played;
  const { truth, drops = [], seconds } = scenario;
  const told = toldIn(samples);
  expect(faultsIn({ findings: truth.findings, drops, told, seconds })).toEqual([]);
  // A link that is gone for long: nothing is known, and it is said what of.
  for (const { at, seconds: gone } of drops.filter((drop) => drop.seconds > 30))
    expect(told(at + gone - 1)).toMatchObject([
      { situation: 'unknown', summary: expect.stringMatching(/^nothing is told of GPUs/) as string },
    ]);
  expectNoFalseFact(played);
  expectEvents(played);
}

/** Where one source is not there, nothing wrong is told as a fact instead. */
function expectNoFalseFact({ scenario: { truth }, samples }: Played) {
  const asked = truth.findings.filter(
    ({ situation, from }) => from > 0 && !['compute-bound', 'dead'].includes(situation),
  );
  for (const from of new Set(asked.map((finding) => finding.from))) {
    const until = from + 30;
    const isTrue = truth.findings.filter((finding) => finding.from <= until && until < (finding.until ?? Infinity));
    for (const what of removals) {
      const [first] = judgedWithout(samples, { from: from - 20, until, keep: (sample) => without(what, sample) });
      if (!first || first.confidence < confident || first.situation === 'unknown') continue;
      const { situation, scope, confidence } = first;
      // Without the log nobody tells what they compute for; that these GPUs compute, and of the run nothing, is true.
      const isOfSome = situation === 'compute-bound' && scope.gpus !== undefined;
      if (isOfSome && isTrue.some((finding) => finding.situation === 'evaluating')) continue;
      expect(
        isTrue.some((finding) => matches(first, finding)),
        JSON.stringify({ what, situation, scope, confidence }),
      ).toBe(true);
    }
  }
}

/** Those of the truth are found in time, and no others. */
export function expectEvents(played: Played) {
  const found = played
    .of('event', 0, Infinity)
    .map(({ event, receivedAt }) => ({ event, at: (receivedAt - demoStart) / 1000 }));
  const { events } = played.scenario.truth;
  for (const { event, at, within } of events)
    expect(found.filter((each) => each.event === event && each.at >= at && each.at <= at + within)).toHaveLength(1);
  expect(found.map(({ event }) => event)).toEqual(events.map(({ event }) => event));
}

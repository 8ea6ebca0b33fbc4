import { describe, expect, test } from 'vitest';
import type { Verdict, VerdictsSample } from '../../src/model/verdict-samples.ts';
import type { Situation } from '../../src/model/situations.ts';
import { withVerdicts, type VerdictSpan } from '../../src/model/verdict-spans.ts';
import { saveState, loadState } from '../../src/model/saved-state.ts';
import { emptyState, reduceState, withoutRun } from '../../src/model/state.ts';
import { head } from './made.ts';

const second = 1000;

function verdict(situation: Situation, scope: Verdict['scope'] = {}, confidence = 0.9): Verdict {
  return { situation, scope, confidence, since: 0, summary: '', evidence: [], against: [], missing: [], next: [] };
}

function told(seconds: number, ...verdicts: readonly Verdict[]): VerdictsSample {
  const time = seconds * second;
  return { kind: 'verdicts', ...head(time, 'gpu'), verdicts };
}

/** What is kept of these, one after the other. */
function spansOf(samples: readonly VerdictsSample[], intervalMs?: number): readonly VerdictSpan[] {
  let before: VerdictsSample | undefined;
  let spans: readonly VerdictSpan[] = [];
  for (const sample of samples) {
    spans = withVerdicts(spans, sample, { before, intervalMs });
    before = sample;
  }
  return spans;
}

const brief = (spans: readonly VerdictSpan[]) =>
  spans.map(({ situation, scope, from, until }) => [situation, scope, from / second, until / second]);

describe('the spans of the verdict that stands first', () => {
  test('one that lasts is one span, with its newest confidence', () => {
    const spans = spansOf([
      told(0, verdict('compute-bound')),
      told(5, verdict('compute-bound'), verdict('throttled')),
      told(10, verdict('compute-bound', {}, 0.6)),
    ]);
    expect(brief(spans)).toEqual([['compute-bound', '', 0, 10]]);
    expect(spans[0]?.confidence).toBe(0.6);
  });

  test('another one, also of another scope, ends it where it begins', () => {
    const spans = spansOf([
      told(0, verdict('compute-bound')),
      told(5, verdict('throttled', { gpus: [3] })),
      told(8, verdict('throttled', { gpus: [3, 4] })),
      told(9, verdict('throttled', { gpus: [3, 4] })),
    ]);
    expect(brief(spans)).toEqual([
      ['compute-bound', '', 0, 5],
      ['throttled', 'GPU 3', 5, 8],
      ['throttled', 'GPUs 3-4', 8, 9],
    ]);
  });

  test('nobody knows what was where nothing was told, and where nothing held', () => {
    const spans = spansOf([
      told(0, verdict('compute-bound')),
      told(5, verdict('compute-bound')),
      told(100, verdict('compute-bound')),
      told(105),
      told(110, verdict('compute-bound')),
    ]);
    expect(brief(spans)).toEqual([
      ['compute-bound', '', 0, 5],
      ['compute-bound', '', 100, 105],
      ['compute-bound', '', 110, 110],
    ]);
  });

  test('at a slow pace of the collectors less is a gap', () => {
    const samples = [told(0, verdict('compute-bound')), told(60, verdict('compute-bound'))];
    expect(brief(spansOf(samples, 60_000))).toEqual([['compute-bound', '', 0, 60]]);
  });

  test('a clock that was set back takes what has not happened yet with it', () => {
    const spans = spansOf([
      told(0, verdict('compute-bound')),
      told(50, verdict('stalled')),
      told(55, verdict('stalled')),
      told(3, verdict('compute-bound')),
    ]);
    expect(brief(spans).at(-1)).toEqual(['compute-bound', '', 3, 3]);
    expect(spans.every(({ from, until }) => from <= 3 * second && until <= 3 * second)).toBe(true);
  });

  test('they stay bounded', () => {
    const samples = Array.from({ length: 1200 }, (_, i) => told(i, verdict('throttled', { gpus: [i % 2] })));
    const spans = spansOf(samples);
    expect(spans).toHaveLength(500);
    expect(spans.at(-1)?.from).toBe(1199 * second);
  });
});

describe('the verdicts in the state', () => {
  const run = (id: string) => ({ id, rootPid: 1, processes: [], outputs: [] });
  const state = [told(0, verdict('compute-bound')), told(5, verdict('stalled'))].reduce(reduceState, emptyState(0));

  test('have the newest, and what was', () => {
    expect(state.verdicts?.verdicts[0]?.situation).toBe('stalled');
    expect(brief(state.verdictSpans)).toEqual([
      ['compute-bound', '', 0, 5],
      ['stalled', '', 5, 5],
    ]);
  });

  test('of another run know nothing of the last one, but what was stays', () => {
    const other = withoutRun(state, { last: run('a'), next: run('b') });
    expect(other.verdicts).toBeUndefined();
    const next = reduceState(other, told(7, verdict('stalled')));
    expect(brief(next.verdictSpans)).toEqual([
      ['compute-bound', '', 0, 5],
      ['stalled', '', 5, 5],
      ['stalled', '', 7, 7],
    ]);
  });

  test('are saved; what was saved before there were any has none', () => {
    const history = { run: 0, left: [], minutes: [], entries: [] };
    const saved = saveState({ state, history });
    expect(loadState(saved).state.verdictSpans).toEqual(state.verdictSpans);
    const { verdictSpans: _, verdicts: __, ...old } = saved;
    expect(loadState(old).state.verdictSpans).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { State } from '../../../src/model/state.ts';
import { situations } from '../../../src/model/situations.ts';
import { situationWords } from '../../../src/model/diagnosis/words.ts';
import { lineWidth } from '../../../src/ui/parts/render-line.ts';
import { headline } from '../../../src/ui/verdict/headline-line.ts';
import { situationSigns } from '../../../src/ui/verdict/signs.ts';
import { base, start } from '../made-store.ts';
import { hang, none, stateOf, textOf, throttled, told, unknown } from './made.ts';

const shown = (state: State, width = 200, isReplay = false) => {
  const { line, dimmed } = headline({ state, width, isReplay });
  return { text: textOf(line), dimmed };
};

test('it says what, of what, by which figures, how sure, since when, how many more, and the key', () => {
  const { text, dimmed } = shown(stateOf(told(start, hang, throttled, unknown)));
  expect(text).toMatch(
    /^ ▲ collective hang · rank 3 missing · GPU 0 100 % busy at 121 of 700 W, .* 94 s ago {2,}sure · for 1m 13s · \+2 more · w why$/,
  );
  expect(dimmed).toBe(false);
});

test.each([
  [60, /^ ▲ collective hang · rank 3 missing +sure · for 1m 13s$/],
  [80, /^ ▲ collective hang · rank 3 missing · GPU 0 100 % …? *.*sure · for 1m 13s · \+1 more$/],
])('at %i columns it has what it is about, how sure and since when', (width, wanted) => {
  const state = stateOf(told(start, hang, throttled));
  expect(shown(state, width).text).toMatch(wanted);
});

test('it is never wider than the screen, whatever is told', () => {
  const long = {
    ...hang,
    scope: { role: '\u6559\u5e2b'.repeat(30), cause: 'x'.repeat(300) },
    summary: '\u8a13'.repeat(200),
  };
  for (let width = 40; width <= 220; width += 3)
    for (const verdicts of [[hang], [hang, throttled], [unknown], [throttled], []]) {
      const { line } = headline({ state: stateOf(told(start, ...verdicts)), width });
      if (lineWidth(line) > width) expect.fail(`${width}: ${textOf(line)}`);
    }
  // What stays of a name without end is cut by the row.
  expect(textOf(headline({ state: stateOf(told(start, long)), width: 80 }).line)).toContain('collective hang');
});

test('why is behind of what; without a summary its first figures stand there', () => {
  const { text } = shown(stateOf(told(start, throttled)));
  expect(text).toContain(
    '▲ throttled · GPU 5 · thermal · GPU 5 time in thermal slowdown 84 %, GPU 5 SM clock of its maximum 61 %',
  );
  expect(text).toContain('likely · for 6m 41s');
});

test('where nothing is known well enough it says what to do', () => {
  expect(shown(stateOf(told(start, unknown))).text).toMatch(/^ ○ not enough evidence: take a GIL profile \(G\)/);
  expect(shown(stateOf(told(start, { ...unknown, missing: [] }))).text).toMatch(/^ ○ not enough evidence {2,}/);
});

test('where sources are missing it says which, before what to do', () => {
  const blind = {
    ...unknown,
    summary: 'nothing is told of GPUs; training thread 0 % of a core',
    next: [{ text: 'traintop doctor says what answers on the host' }],
  };
  const state = stateOf(told(start, blind));
  expect(shown(state).text).toMatch(/^ ○ not enough evidence: nothing is told of GPUs · traintop doctor says what /);
  for (const width of [60, 80])
    expect(shown(state, width).text).toMatch(/^ ○ not enough evidence: nothing is told of GPUs .* for 5s$/);
});

describe('what is old', () => {
  const state = stateOf(told(start, hang));

  test('is dimmed with its age, when none came for more than three times the usual', () => {
    expect(shown({ ...state, committedAt: start + 14_000 })).toEqual({
      text: expect.stringContaining('for 1m 26s'),
      dimmed: false,
    });
    expect(shown({ ...state, committedAt: start + 40_000 })).toEqual({
      text: expect.stringContaining('sure · 40s old'),
      dimmed: true,
    });
  });

  test('is not, at a slow pace of the collectors', () => {
    const interval = { ...base('interval', start), kind: 'interval', intervalMs: 30_000 } as const;
    expect(shown({ ...stateOf(interval, told(start, hang)), committedAt: start + 40_000 }).dimmed).toBe(false);
  });

  test('is dimmed at once when the link is lost', () => {
    const lost = stateOf({ ...base('gpu', start), kind: 'source', status: 'live' }, told(start, hang), {
      ...base('link', start),
      kind: 'link',
      state: 'lost',
    });
    expect(shown(lost)).toEqual({ text: expect.stringContaining('1s old'), dimmed: true });
  });
});

describe('without a verdict', () => {
  const ended = { ...base('run', start), kind: 'run', phase: 'ended', candidates: [] } as const;

  test.each([
    ['a run that ended', stateOf(told(start, hang), ended), false, 'run ended'],
    ['no run', stateOf({ ...ended, phase: 'finding' }), false, 'no verdict: no run is watched'],
    ['the first seconds', stateOf(), false, 'no verdict yet: figures are gathered'],
    ['none that holds', stateOf(told(start)), false, 'no verdict yet: figures are gathered'],
    ['a recording before its first', stateOf(), true, 'no verdict at this time of the recording'],
  ])('%s', (_name, state, isReplay, wanted) => {
    expect(shown(state, 80, isReplay).text).toBe(` ○ ${wanted}`);
  });

  test('a run that died has its verdict', () => {
    const dead = { ...hang, ...none, situation: 'dead' as const, scope: { cause: 'CUDA out of memory' }, summary: '' };
    expect(shown(stateOf(told(start, dead), ended)).text).toMatch(/^ ▲ dead · CUDA out of memory /);
  });
});

test('no meaning by colour alone: a tone has marks of its own, and each situation words and a letter', () => {
  const tones = new Map<string, Set<string>>();
  for (const name of situations) {
    const { mark, tone } = situationSigns[name];
    tones.set(mark, (tones.get(mark) ?? new Set()).add(tone));
  }
  expect([...tones.values()].every((of) => of.size === 1)).toBe(true);
  for (const key of ['name', 'short', 'letter'] as const)
    expect(new Set(situations.map((name) => situationWords[name][key])).size).toBe(situations.length);
  expect(situations.every((name) => situationWords[name].letter.length === 1)).toBe(true);
});

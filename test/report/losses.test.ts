import { expect, test } from 'vitest';
import type { VerdictSpan } from '../../src/model/verdict-spans.ts';
import { lossesOf } from '../../src/report/losses.ts';
import { paceOf } from '../../src/report/pace.ts';
import type { Slots } from '../../src/report/slots.ts';

const seconds = 3600;
const span = { from: 0, to: seconds * 1000 };
const gpus = Array.from({ length: 8 }, (_, index) => ({ uuid: `GPU-${index}`, index }));
const verdict = (situation: VerdictSpan['situation'], from: number, until: number): VerdictSpan => ({
  ...{ situation, scope: '', confidence: 1 },
  ...{ from: from * 1000, until: until * 1000 },
});
/** A checkpoint, a hang, and the end of it. */
const spans = [
  verdict('compute-bound', 0, 611),
  verdict('checkpointing', 611, 642),
  verdict('compute-bound', 642, 1873),
  verdict('collective-hang', 1873, 2479),
  verdict('dead', 2479, seconds),
];
const still = spans.filter(({ situation }) => situation !== 'compute-bound');

/** The log told 1000 tokens/s each second but while it stood. */
function slotsOf(slotMs: number): Slots {
  const count = Math.ceil(span.to / slotMs);
  const row = () => new Float64Array(count).fill(NaN);
  const series = {
    low: row(),
    mean: row(),
    high: row(),
    counts: new Float64Array(count),
    odd: new Float64Array(count),
  };
  for (let second = 0; second < seconds; second++) {
    const time = second * 1000;
    if (still.some(({ from, until }) => from <= time && time < until)) continue;
    const i = Math.floor(time / slotMs);
    [series.low[i], series.mean[i], series.high[i]] = [1000, 1000, 1000];
    series.counts[i] = (series.counts[i] ?? 0) + 1;
  }
  const isFine = slotMs < 60_000;
  return { ...span, slotMs, count, isFine, series: new Map([['log/tokensPerSecond', series]]) };
}

test.each([1000, 5000, 60_000, 300_000])('in slots of %i ms as much is lost as in others', (slotMs) => {
  const slots = slotsOf(slotMs);
  const pace = paceOf(slots, { spans, still, factor: 1, span: { from: 0, to: 2_479_000 } });
  const losses = lossesOf({
    ...{ slots, spans, still, pace, gpus, span },
    ...{ runFrom: 0, runTo: 2_479_000, holes: [] },
  });
  const hoursOf = (key: string) => losses?.causes.find((cause) => cause.key === key)?.hours;
  expect(hoursOf('checkpointing')).toBeCloseTo((8 * 31) / 3600, 6);
  expect(hoursOf('collective-hang')).toBeCloseTo((8 * 606) / 3600, 6);
  expect(hoursOf('after the end')).toBeCloseTo((8 * 1121) / 3600, 6);
  expect(losses?.working).toBeCloseTo((8 * 1842) / 3600, 6);
  expect(pace?.total).toBeCloseTo(1842 * 1000, 3);
});

test('a run that prints more seldom since it is slow is slow, and does not stand', () => {
  const count = 600;
  const row = () => new Float64Array(count).fill(NaN);
  const series = {
    low: row(),
    mean: row(),
    high: row(),
    counts: new Float64Array(count),
    odd: new Float64Array(count),
  };
  for (let i = 0; i < count; i += i < 300 ? 2 : 20) series.mean[i] = i <= 300 ? 1000 : 100;
  const slots: Slots = {
    ...{ from: 0, to: 600_000, slotMs: 1000, count, isFine: true },
    series: new Map([['log/tokensPerSecond', series]]),
  };
  const slow = [verdict('compute-bound', 0, 300), verdict('launch-bound', 300, 600)];
  const init = { spans: slow, still: [], span: { from: 0, to: 600_000 } };
  const pace = paceOf(slots, { ...init, factor: 1 });
  const losses = lossesOf({ ...init, slots, pace, gpus, runFrom: 0, runTo: 600_000, holes: [] });
  expect(losses?.causes.map(({ key }) => key)).toEqual(['launch-bound']);
  expect(losses?.lost).toBeCloseTo((8 * 300 * 0.9) / 3600, 2);
});

import { describe, expect, it } from 'vitest';
import { addQueueReading, type QueueState } from '../../src/model/queue-capacity.ts';
import { lookAtQueue } from '../../src/model/queue-words.ts';
import type { QueueReading } from '../../src/model/samples.ts';
import { addStageReading, shareStages, type StageState } from '../../src/model/stage-shares.ts';

function queue(readings: readonly Omit<QueueReading, 'name'>[], everyMs = 2000) {
  const state = readings.reduce<QueueState | undefined>(
    (before, reading, i) => addQueueReading(before, { name: 'q', ...reading }, i * everyMs),
    undefined,
  );
  return lookAtQueue(state ?? { name: 'q', time: 0 });
}
const of = (capacity: number, ...depths: readonly number[]) => queue(depths.map((depth) => ({ depth, capacity })));

describe('a queue', () => {
  it('waits for its consumer where it stays near full, for its producer where it stays near empty', () => {
    expect(of(16, 15, 16, 15, 16)).toMatchObject({ fill: 'full', slow: 'consumer' });
    expect(of(16, 0, 1, 0, 1)).toMatchObject({ fill: 'near empty', slow: 'producer' });
    expect(of(16, 8, 7, 9, 8)).not.toHaveProperty('slow');
  });

  it('says of one moment what it is, and blames nobody', () => {
    expect(of(16, 16)).toMatchObject({ fill: 'full' });
    expect(of(16, 8, 8, 8, 8, 16)).toMatchObject({ fill: 'full' });
    expect(of(16, 8, 8, 8, 8, 16)).not.toHaveProperty('slow');
  });

  it('blames nobody without a capacity: an empty list of requests is no fault', () => {
    const look = queue([0, 0, 0, 0, 0].map((depth) => ({ depth })));
    expect(look).toMatchObject({ fill: 'empty' });
    expect(look).not.toHaveProperty('slow');
  });

  it('has the lowest and highest of its newest readings, and their trend', () => {
    expect(of(60, 10, 12, 15, 19, 25, 31, 38, 44)).toMatchObject({ lowest: 10, highest: 44, trend: 'rising' });
    expect(of(60, 44, 38, 31, 25, 19, 15, 12, 10)).toMatchObject({ trend: 'falling' });
    expect(of(60, 30, 31, 30, 29, 30, 31)).toMatchObject({ trend: 'steady' });
  });

  it('has a trend of seconds where a log prints many in one', () => {
    const depths = Array.from({ length: 4000 }, (_, i) => ({ depth: Math.floor(i / 100), capacity: 60 }));
    expect(queue(depths, 10)).toMatchObject({ trend: 'rising', lowest: expect.any(Number) as number });
  });

  it('keeps the capacity that was printed once, and the depth where only a wait is', () => {
    expect(queue([{ capacity: 16 }, { depth: 4 }, { waitSeconds: 0.2 }])).toMatchObject({ depth: 4, share: 0.25 });
  });
});

describe('stages', () => {
  const stages = (all: readonly (readonly [name: string, averageMs: number, count?: number])[], stepMs?: number) => {
    const states = all.map(([name, averageMs, count]): StageState => ({
      name,
      averageMs,
      time: 0,
      ...(count !== undefined && { count }),
    }));
    const { of: what, stages: shared } = shareStages(states, stepMs);
    return [what, ...shared.map(({ share = NaN }) => Math.round(100 * share))];
  };

  it('have their share of the step that the log times', () =>
    expect(
      stages([
        ['timing_s/gen', 60],
        ['timing_s/adv', 10],
        ['timing_s/step', 100],
      ]),
    ).toEqual(['step', 60, 10, 100]));

  it('have their share of the step time, unless they come to more than it', () => {
    expect(
      stages(
        [
          ['forward', 30],
          ['backward', 60],
        ],
        100,
      ),
    ).toEqual(['step', 30, 60]);
    expect(
      stages(
        [
          ['forward', 30],
          ['backward', 60],
        ],
        50,
      ),
    ).toEqual(['sum', 33, 67]);
    expect(
      stages([
        ['forward', 30],
        ['backward', 60],
      ]),
    ).toEqual(['sum', 33, 67]);
  });

  it('are weighed by how often they ran, where that is printed and differs', () =>
    expect(
      stages(
        [
          ['a', 10, 100],
          ['b', 10, 300],
        ],
        1000,
      ),
    ).toEqual(['sum', 25, 75]));

  it('know their change since the last print', () => {
    const first = addStageReading(undefined, { name: 'a', averageMs: 100 }, 0);
    expect(shareStages([addStageReading(first, { name: 'a', averageMs: 150 }, 1)], undefined).stages[0]?.change).toBe(
      0.5,
    );
    expect(shareStages([first], undefined).stages[0]).not.toHaveProperty('change');
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import type { TapeEvent, TapeState } from '../../../src/model/tape.ts';
import { isToldWhole, tapeLines } from '../../../src/ui/tape/tape-lines.ts';
import { event, hour, mark } from '../made-tape.ts';

beforeAll(() => void (process.env['TZ'] = 'UTC'));

const evening = Date.UTC(2026, 10, 29, 22, 30, 0);
const events: readonly TapeEvent[] = [
  event(evening + hour, 'link lost', 'no answer for 14 s'),
  mark(evening + 2 * hour, ''),
];

function rows(change: Partial<TapeState>, { width = 120, height = 2, told = events } = {}): readonly string[] {
  const state = { position: evening, from: evening, to: evening + 12 * hour, playing: true, speed: 1, ...change };
  const lines = tapeLines({ state, events: told, holes: [], width, rows: height });
  return lines.map((line) => line.map(({ text }) => text).join(''));
}

describe('the rows of a tape', () => {
  test('say the day and the time, how far it is, and how fast', () => {
    expect(rows({ position: evening + 2.75 * hour, speed: 64 })[0]).toMatch(
      /^ ▸ {2}2026-11-30 01:15:00 {2} ?2:45:00\/12:00:00 {2}64x /,
    );
  });

  test('say the day in a narrow pane only where there are two', () => {
    const narrow = { width: 60, height: 1 };
    expect(rows({ position: evening + 2 * hour }, narrow)[0]).toMatch(/^ ▸ {2}11-30 00:30:00 {2}/);
    expect(rows({ to: evening + hour }, narrow)[0]).toMatch(/^ ▸ {2}22:30:00 {2} ?0:00\/1:00:00|^ ▸ {2}22:30:00 {2}/);
    expect(rows({ to: evening + hour }, narrow)[0]).not.toContain('11-29');
  });

  test('say what was last to happen, and that nothing has yet', () => {
    expect(rows({})[0]).toContain('no event yet');
    expect(rows({}, { told: [] })[0]).toContain('no events');
    expect(rows({ position: evening + hour })[0]).toContain('▲ 23:30:00 link lost: no answer for 14 s');
    expect(rows({ position: evening + 2 * hour })[0]).toMatch(/■ 00:30:00 mark$/);
  });

  test('say where a seek goes to, at once', () => {
    const [first = '', second = ''] = rows({ position: evening + 6 * hour, seeking: evening + hour });
    expect(first).toMatch(/^ ◂◂ 2026-11-29 23:30:00 .*going to 23:30:00 …$/);
    expect(second).toContain('○');
  });

  test('say that nothing was recorded', () => {
    const hole = { from: evening + hour, to: evening + 1.5 * hour };
    expect(rows({ position: hole.from, hole })[0]).toContain('nothing recorded 23:30:00 to 00:00:00');
  });

  test.each([
    ['it plays', { playing: true }, ' ▸ '],
    ['it stands', { playing: false }, ' ┃┃'],
    ['it is at its end', { playing: false, position: evening + 12 * hour }, ' ■ '],
  ])('show that %s', (_, change, sign) => {
    expect(rows(change)[0]?.slice(0, 3)).toBe(sign);
  });

  test.each([40, 60, 76, 80, 100, 120, 200])('at %i cells nothing moves while it plays, and all fits', (width) => {
    for (const height of [1, 2]) {
      const places = new Set<string>();
      for (const minutes of [0, 1, 59, 61, 119, 600, 719])
        for (const speed of [0.25, 1, 64]) {
          const found = rows({ position: evening + minutes * 60_000, speed }, { width, height });
          expect(found).toHaveLength(height);
          for (const row of found) expect([...row].length).toBeLessThanOrEqual(width);
          const [left, right] = [/[├◂]/, /[┤▸](?=[^┤]*$)/].map((end) => found.at(-1)?.search(end));
          places.add(`${left} ${right}`);
        }
      expect(places.size).toBe(1);
    }
  });
});

describe('the past of a watch', () => {
  const state: TapeState = { position: evening, from: evening, to: evening + hour, playing: false, speed: 1 };
  const behind = { now: evening + hour, rings: 1 };

  test.each([
    [80, 1],
    [80, 2],
    [60, 1],
    [200, 2],
  ])('its count of alarms touches nothing, at %i columns and %i rows', (width, height) => {
    const [first = []] = tapeLines({ state, events, holes: [], width, rows: height, behind });
    const text = first.map((each) => each.text).join('');
    expect(text).toContain(' 1 alarm now ');
    expect(text).toMatch(/alarm now {2}/);
  });

  test('what an event says is whole there only where the row of the past has room', () => {
    const long = event(evening, 'link lost', 'no answer for 14 s, and no other way there');
    const input = { state, events: [long], holes: [], width: 120, rows: 2 };
    expect(isToldWhole(input, long)).toBe(true);
    expect(isToldWhole({ ...input, behind }, long)).toBe(false);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { comparable, film, momentOf, project, type Film, type Scenery } from './filmed.tsx';

const sceneries: readonly Scenery[] = [
  { columns: 160, rows: 50 },
  { columns: 80, rows: 24 },
  // The log, zoomed and scrolled.
  { columns: 120, rows: 40, first: ['5', '\r'], keys: ['\x1b[A', '\x1b[A'], keysBack: ['\x1b[F'] },
];
const seconds = 40;
let shown: Film | undefined;

beforeAll(async () => {
  shown = await film(sceneries, { seconds, stepMs: 500 });
}, 240_000);
afterAll(() => shown?.remove());

/** Differences as a person reads them: nothing for what is the same. */
async function differences(second: number, shoot: (scenery: number) => Promise<readonly string[]>) {
  for (const [i, { columns, rows }] of sceneries.entries()) {
    const live = comparable(shown?.shots[i]?.[second] ?? []);
    const again = comparable(await shoot(i));
    const where = `second ${second} at ${columns}x${rows}`;
    expect(again.panels, where).toBe(live.panels);
    // Where there is no room for a badge, something else gives way.
    expect(live.header, where).toEqual(columns < 120 ? expect.arrayContaining([...again.header]) : again.header);
  }
}

describe('a recorded demo, replayed, shows what the live screen showed', () => {
  test('played from the start', async () => {
    const clock = createManualClock(0);
    const { player, shoot, close } = await project(shown as Film, sceneries, clock);
    try {
      await player.seek(player.state().from);
      for (let second = 1; second < seconds; second++) {
        await player.seek(momentOf(second));
        await differences(second, shoot);
      }
    } finally {
      await close();
    }
  }, 240_000);

  test('at moments sought in any order', async () => {
    const { player, shoot, close } = await project(shown as Film, sceneries);
    try {
      let second = 1;
      for (let i = 0; i < 20; i++) {
        second = (second * 37 + 11) % seconds || 1;
        await player.seek(momentOf(second));
        await differences(second, shoot);
      }
    } finally {
      await close();
    }
  }, 240_000);
});

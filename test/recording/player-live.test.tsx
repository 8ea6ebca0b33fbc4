import { afterAll, beforeAll, describe, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { expectSame, film, momentOf, project, type Film, type Scenery } from './filmed.tsx';

const sceneries: readonly Scenery[] = [
  { columns: 160, rows: 50 },
  { columns: 80, rows: 24 },
  // The log, zoomed and scrolled.
  { columns: 120, rows: 40, first: ['5', '\r'], keys: ['\x1b[A', '\x1b[A'], keysBack: ['\x1b[F'] },
];
const seconds = 24;
let shown: Film | undefined;

beforeAll(async () => {
  shown = await film(sceneries, { seconds, stepMs: 500 });
}, 240_000);
afterAll(() => shown?.remove());

async function compare(second: number, shoot: (scenery: number) => Promise<readonly string[]>) {
  for (const [i, { columns, rows }] of sceneries.entries()) {
    expectSame(await shoot(i), shown?.shots[i]?.[second] ?? [], `second ${second} at ${columns}x${rows}`);
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
        await compare(second, shoot);
      }
    } finally {
      await close();
    }
  }, 240_000);

  test('at moments sought in any order', async () => {
    const { player, shoot, close } = await project(shown as Film, sceneries);
    try {
      let second = 1;
      for (let i = 0; i < 12; i++) {
        second = (second * 37 + 11) % seconds || 1;
        await player.seek(momentOf(second));
        await compare(second, shoot);
      }
    } finally {
      await close();
    }
  }, 240_000);
});

test('a replay follows the interval that the user changed while it was recorded', async () => {
  const sizes = sceneries.slice(0, 1);
  // Notices stand in the footer, which is not compared.
  const changed = await film(sizes, {
    seconds: 30,
    stepMs: 500,
    pressed: { 6: '+', 12: '+', 18: '-', 22: '-', 24: '-' },
  });
  const { player, shoot, close } = await project(changed, sizes);
  try {
    for (const second of [5, 8, 11, 14, 17, 20, 23, 27, 13, 29]) {
      await player.seek(momentOf(second));
      expectSame(await shoot(0), changed.shots[0]?.[second] ?? [], `second ${second}`);
    }
  } finally {
    await close();
    changed.remove();
  }
}, 240_000);

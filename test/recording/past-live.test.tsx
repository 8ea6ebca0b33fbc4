import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { controlsOf } from '../../src/commands/controls.ts';
import { pastOf } from '../../src/commands/past.ts';
import type { Session } from '../../src/commands/session.ts';
import { playDemo } from '../support/demo-recording.ts';
import type { ScreenOnClock } from '../support/screen-on-clock.tsx';
import { expectSame, setUp, shoot, tapeRowsOf, type Scenery } from './filmed.tsx';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const sceneries: readonly Scenery[] = [
  { columns: 160, rows: 50 },
  { columns: 80, rows: 24 },
];

/** A watch of the demo with screens on it, and screens of its past that have a tape's rows more. */
interface Watched {
  readonly session: Session;
  readonly second: number;
  readonly now: readonly ScreenOnClock[];
  readonly screens: readonly ScreenOnClock[];
  readonly past: NonNullable<ReturnType<typeof pastOf>>;
  /** What the live screens showed at each second. */
  readonly shots: readonly (readonly string[])[][];
}

async function watched(
  { seconds, sizes = sceneries }: { readonly seconds: number; readonly sizes?: readonly Scenery[] },
  use: (watched: Watched) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-past-'));
  folders.push(folder);
  const shots: (readonly string[])[][] = sizes.map(() => []);
  let opened: Omit<Watched, 'second'> | undefined;
  await playDemo({
    ...{ seconds, folder },
    async onStep(session, second) {
      const past = opened?.past ?? pastOf(session);
      if (!past) throw new Error('nothing is recorded');
      const controls = controlsOf(session, { target: 'demo', demo: true });
      const larger = sizes.map((each) => ({ ...each, rows: each.rows + tapeRowsOf(each.rows) }));
      opened ??= {
        ...{ session, past, shots },
        now: await setUp(sizes, controls),
        screens: await setUp(larger, { ...controls, store: past.store, past: past.past }),
      };
      if (!Number.isInteger(second)) return;
      for (const [i, screen] of opened.now.entries()) (shots[i] ?? [])[second] = await shoot(screen);
      await use({ ...opened, second });
    },
  });
  for (const screen of [...(opened?.now ?? []), ...(opened?.screens ?? [])]) screen.close();
  await opened?.past.close();
}

/** Presses it on one screen of the past, and waits until that moment is shown. */
async function go({ past, screens }: Watched, key: string, isThere: () => boolean) {
  await screens[0]?.type(key);
  for (let wait = 0; wait < 5000 && !isThere(); wait++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(isThere(), `${key} goes to ${past.past.tape()?.state().position}`).toBe(true);
}

/** Of the tape that stands. */
const position = ({ past }: Watched) => {
  const state = past.past.tape()?.state();
  return state?.seeking === undefined ? state?.position : undefined;
};

describe('the past of a live screen', () => {
  test('shows each moment as the live screen did, and L shows now', async () => {
    await watched({ seconds: 16 }, async (at) => {
      const { second, session, screens, shots, past } = at;
      if (second !== 12 && second !== 15) return;
      const now = session.clock.now();
      await go(at, '\x1b[D', () => position(at) !== undefined);
      expect(position(at)).toBeLessThan(now);
      for (const back of [3, 6, 9]) {
        const time = now - back * 1000;
        await past.past.tape()?.seek(time);
        for (const [i, scenery] of sceneries.entries())
          expectSame(await shoot(screens[i], scenery), shots[i]?.[second - back] ?? [], `${back} s before ${second}`);
      }
      const [header = '', ...rest] = (await screens[0]?.rows()) ?? [];
      expect(header).toMatch(/ PAST .* [89]s ago /);
      expect(header).not.toContain('● rec');
      expect(rest.join('\n')).toMatch(/ PAST .* [89]s ago .* the watch goes on behind it, L shows now/);
      await go(at, 'L', () => past.past.tape() === undefined);
      for (const [i, screen] of screens.entries()) {
        const rows = await shoot(screen);
        expect(rows.join('\n')).not.toContain('PAST');
        expect(rows[0]).toContain('● rec');
        expect(rows.length).toBe((shots[i]?.[second]?.length ?? 0) + tapeRowsOf(sceneries[i]?.rows ?? 0));
      }
    });
  }, 120_000);

  test('steps back are frames, a step beyond the newest is now, and nothing there acts on the host', async () => {
    let commits = 0;
    await watched({ seconds: 14, sizes: sceneries.slice(0, 1) }, async (at) => {
      const { second, session, past, screens } = at;
      const screen = async () => ((await screens[0]?.rows()) ?? []).join('\n');
      if (second === 8) {
        await stepToAndFro(at);
        expect(await screen()).not.toContain('PAST');
        await go(at, ',', () => position(at) !== undefined);
        await screens[0]?.type('d');
        expect(await screen()).toMatch(/You look at \d\d:\d\d:\d\d; L goes back to live\./);
        await screens[0]?.type('+');
        expect(session.store.getState().interval).toBeUndefined();
        commits = session.store.commits();
      }
      if (second !== 13) return;
      // The watch goes on behind it.
      expect(session.store.commits()).toBeGreaterThan(commits + 4);
      expect(await screen()).toMatch(/ PAST .*1[23]s ago/);
      await screens[0]?.type('M');
      await screens[0]?.type('odd here');
      const marks = () => past.past.tape()?.events.filter(({ text }) => text === 'odd here') ?? [];
      await go(at, '\r', () => marks().length === 1);
      expect(marks()[0]?.time).toBe(position(at));
      await go(at, '$', () => (position(at) ?? 0) > session.clock.now() - 2000);
      await go(at, '[', () => (position(at) ?? Infinity) < session.clock.now() - 4000);
      expect(await screen()).toContain('mark: odd here');
    });
  }, 120_000);
});

/** Back by four frames, and on by as many until it is live. */
async function stepToAndFro(at: Watched) {
  const { past } = at;
  const seen: number[] = [];
  for (let step = 0; step < 4; step++) {
    const before = position(at) ?? Infinity;
    await go(at, '\x1b[D', () => (position(at) ?? before) < before);
    seen.push(position(at) ?? 0);
  }
  for (const time of seen.toReversed().slice(1)) {
    await go(at, '\x1b[C', () => (position(at) ?? 0) >= time);
    expect(position(at)).toBe(time);
  }
  // The frame that is on the live screen, and nothing behind it.
  for (let step = 0; step < 3 && past.past.tape(); step++) {
    const before = position(at) ?? 0;
    await go(at, '\x1b[C', () => past.past.tape() === undefined || (position(at) ?? before) > before);
  }
  expect(past.past.tape()).toBeUndefined();
}

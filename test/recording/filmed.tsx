import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock, type Clock } from '../../src/clock.ts';
import { controlsOf } from '../../src/commands/controls.ts';
import { replayControls } from '../../src/commands/replay-controls.ts';
import { createPlayer, type Player } from '../../src/recording/player.ts';
import { openRecording } from '../../src/recording/recording.ts';
import type { Controls } from '../../src/ui/controls.ts';
import { demoStart, playDemo, type DemoPlay } from '../support/demo-recording.ts';
import { showOnClock, type ScreenOnClock } from '../support/screen-on-clock.tsx';

/** A screen, the keys that are pressed on it once, and those each time before it is looked at, and after. */
export interface Scenery {
  readonly columns: number;
  readonly rows: number;
  readonly first?: readonly string[];
  readonly keys?: readonly string[];
  readonly keysBack?: readonly string[];
}

/** The demo, recorded, and what its live screens showed each second. */
export interface Film {
  readonly folder: string;
  readonly path: string;
  /** By scenery, by second. */
  readonly shots: readonly (readonly (readonly string[])[])[];
  remove(): void;
}

/** Plays the demo and records it; its screens are there from that second on, and keys are `pressed` on them after some. */
export async function film(
  sceneries: readonly Scenery[],
  {
    from = 0,
    pressed = {},
    ...play
  }: DemoPlay & { readonly from?: number; readonly pressed?: Readonly<Record<number, string>> },
): Promise<Film> {
  process.env['TZ'] = 'UTC';
  const folder = mkdtempSync(join(tmpdir(), 'traintop-film-'));
  const shots: (readonly string[])[][] = sceneries.map(() => []);
  let screens: readonly ScreenOnClock[] | undefined;
  await playDemo({
    ...play,
    folder,
    async onStep(session, second) {
      if (second < from) return;
      screens ??= await setUp(sceneries, controlsOf(session, { target: 'demo', demo: true }));
      if (!Number.isInteger(second)) return;
      for (const [i, screen] of screens.entries()) {
        (shots[i] ?? [])[second] = await shoot(screen, sceneries[i]);
      }
      for (const screen of screens) if (pressed[second] !== undefined) await screen.type(pressed[second]);
    },
  });
  screens?.forEach((screen) => screen.close());
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, path: join(folder, '0001.jsonl.gz'), shots, remove };
}

/** A player of a film, and the screens on it. */
export interface Projection {
  readonly player: Player;
  /** Of the scenery with that number, as it is. */
  shoot(scenery: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Shows a film again, on screens that are larger by what the tape takes. */
export async function project(
  { path }: Pick<Film, 'path'>,
  sceneries: readonly Scenery[],
  clock: Clock = systemClock,
): Promise<Projection> {
  const recording = await openRecording(path);
  const player = createPlayer({ recording, clock });
  const controls = replayControls({ player, recording, clock });
  const larger = sceneries.map((scenery) => ({ ...scenery, rows: scenery.rows + tapeRowsOf(scenery.rows) }));
  const screens = await setUp(larger, controls);
  return {
    player,
    shoot: (scenery) => shoot(screens[scenery], sceneries[scenery]),
    async close() {
      screens.forEach((screen) => screen.close());
      await player.close();
    },
  };
}

/** Rows that a tape takes between panels and footer (layout.ts). */
export const tapeRowsOf = (rows: number) => (rows < 29 ? 1 : 2);

/** When a second of a film was. */
export const momentOf = (second: number) => demoStart + second * 1000;

/** Screens as they are looked at. */
export async function setUp(sceneries: readonly Scenery[], controls: Controls): Promise<readonly ScreenOnClock[]> {
  const screens = sceneries.map((scenery) => showOnClock({ ...scenery, controls }));
  for (const [i, { first = [] }] of sceneries.entries()) for (const key of first) await screens[i]?.type(key);
  return screens;
}

/** What one of them shows. */
export async function shoot(screen: ScreenOnClock | undefined, { keys = [], keysBack = [] }: Partial<Scenery> = {}) {
  for (const key of keys) await screen?.type(key);
  const rows = (await screen?.rows()) ?? [];
  for (const key of keysBack) await screen?.type(key);
  return rows;
}

/** Fails where a replayed screen differs from the live one. `where` is for who reads that. */
export function expectSame(again: readonly string[], live: readonly string[], where: string): void {
  const [shown, wanted] = [comparable(again), comparable(live)];
  expect(wanted.panels.length, where).toBeGreaterThan(100);
  expect(shown.panels, where).toBe(wanted.panels);
  // Where there is no room for a badge, something else gives way.
  const isNarrow = (live[0]?.length ?? 0) < 120;
  expect(wanted.header, where).toEqual(isNarrow ? expect.arrayContaining([...shown.header]) : shown.header);
}

/** A screen without what a recording cannot show, or has of its own. */
interface Comparable {
  /** The words between the dots of the header, but for the clock, the link and what the monitor costs. */
  readonly header: readonly string[];
  /** Everything between header and tape: all panels, cell by cell. */
  readonly panels: string;
}

/** What must be the same live and replayed. */
function comparable(screen: readonly string[]): Comparable {
  const top = screen.findIndex((row) => row.includes('╭'));
  const end = screen.findLastIndex((row) => row.includes('╯'));
  const header = screen
    .slice(0, top)
    .flatMap((row) => row.split(/ · | {2,}/))
    .map((words) => words.trim())
    .filter(
      (words) =>
        !/^$|^(?:traintop|REPLAY|PAST|\S+ ago|\S+ \S+ ago|DEMO|● rec|link .*|costs the host .*|\d\d:\d\d:\d\d)$/.test(
          words,
        ),
    )
    // Badges take room: the command line is cut where they end.
    .map((words) => words.replace(/….*/, '…').slice(0, 20));
  return { header, panels: screen.slice(Math.max(0, top), end + 1).join('\n') };
}

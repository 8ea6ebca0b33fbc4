import { truncateSync, writeFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, second, start, tapes, type MadeTape } from './made-tape.ts';

const tapeOf = tapes();

describe('a loop', () => {
  test('plays all, or a stretch, again and again', async () => {
    const tape = await tapeOf({ seconds: 10 });
    const { player } = tape;
    player.setLoop('all');
    expect(player.state().loop).toEqual({ from: start, to: at(10) });
    player.setSpeed(4);
    player.play();
    await tape.pass(2500);
    await tape.pass(200);
    await tape.pass(1000);
    expect(player.state().playing).toBe(true);
    expect(second(tape)).toBeLessThan(6);
    player.setLoop({ from: at(2), to: at(4) });
    await player.seek(at(3));
    player.setSpeed(1);
    for (let i = 0; i < 50; i++) {
      await tape.pass(100);
      expect(second(tape)).toBeLessThanOrEqual(4);
      expect(second(tape)).toBeGreaterThanOrEqual(2);
    }
    player.setLoop(undefined);
    expect(player.state().loop).toBeUndefined();
    player.setSpeed(64);
    await tape.pass(500);
    expect(player.state()).toMatchObject({ position: at(10), playing: false });
  });

  test('of nothing is none', async () => {
    const { player } = await tapeOf({ seconds: 10 });
    player.setLoop({ from: at(5), to: at(5) });
    expect(player.state().loop).toBeUndefined();
    player.setLoop({ from: at(-5), to: at(500) });
    expect(player.state().loop).toEqual({ from: start, to: at(10) });
  });
});

describe('a hole', () => {
  const made: MadeTape = { seconds: 7300, holes: [[100, 7200]] };
  const hole = { from: at(100), to: at(7200) };

  test('is jumped over and told of', async () => {
    const tape = await tapeOf(made);
    const { player } = tape;
    expect(player.holes).toEqual([hole]);
    await player.seek(at(98));
    player.play();
    await tape.pass(2000);
    expect(player.state().hole).toBeUndefined();
    await tape.pass(100);
    expect(player.state()).toMatchObject({ position: hole.to, hole });
    await tape.pass(2000);
    expect(tape.shown()).toBe(1);
    expect(player.state().hole).toEqual(hole);
    await tape.pass(2000);
    expect(player.state().hole).toBeUndefined();
  });

  test('is stood in: all is as of its beginning, and does not get older', async () => {
    const tape = await tapeOf(made);
    const { player } = tape;
    await player.seek(at(5000));
    expect(player.state()).toMatchObject({ position: at(5000), hole });
    expect(tape.shown()).toBe(0); // that of second 100
    expect(player.store.getState().committedAt).toBeLessThan(at(102));
    player.play();
    await tape.pass(100);
    expect(player.state()).toMatchObject({ position: hole.to, hole });
    await player.seek(at(50));
    expect(player.state().hole).toBeUndefined();
  });

  test('is stepped over', async () => {
    const tape = await tapeOf(made);
    const { player } = tape;
    await player.seek(at(100.5));
    await player.step(1);
    expect(second(tape)).toBeGreaterThanOrEqual(7200);
    await player.step(-1);
    expect(second(tape)).toBeCloseTo(100, 0);
  });
});

describe('faults', () => {
  test('a file that is cut while it is played is told of in a sentence, and the rest goes on', async () => {
    const tape = await tapeOf({ seconds: 900 });
    const { player, folder } = tape;
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.gz'));
    const path = join(folder, name);
    const whole = readFileSync(path);
    truncateSync(path, Math.floor(whole.length / 2));
    await player.seek(at(890));
    expect(player.state().fault).toMatch(/could not be read/);
    await player.seek(at(100.5));
    expect(tape.shown()).toBe(0);
    await player.seek(at(150.5));
    expect(tape.shown()).toBe(50);
  });

  test('members that were damaged are passed over', async () => {
    const tape = await tapeOf({ seconds: 900 });
    const { player, folder } = tape;
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.gz'));
    const path = join(folder, name);
    const whole = readFileSync(path);
    whole.fill(0x55, Math.floor(whole.length * 0.3), Math.floor(whole.length * 0.4));
    writeFileSync(path, whole);
    player.setSpeed(64);
    player.play();
    while (player.state().playing) await tape.pass(100);
    expect(player.state()).toMatchObject({ position: at(900), fault: expect.stringMatching(/could not be read/) });
    expect(tape.shown()).toBe(0);
  });
});

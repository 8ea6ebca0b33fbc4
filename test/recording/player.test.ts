import { describe, expect, test } from 'vitest';
import { at, second, settled, start, tapes } from './made-tape.ts';

const tapeOf = tapes();

describe('playing', () => {
  test('a tape stands at its start until it is played, goes at its speed, and stands at its end', async () => {
    const tape = await tapeOf({ seconds: 20 });
    const { player } = tape;
    await tape.pass(500);
    expect(player.state()).toEqual({ position: start, from: start, to: at(20), playing: false, speed: 1 });
    player.play();
    await tape.pass(4000);
    expect(second(tape)).toBe(4);
    expect(tape.shown()).toBe(3); // a frame is shown 30 ms after it came
    player.setSpeed(4);
    await tape.pass(2000);
    expect(second(tape)).toBe(12);
    player.setSpeed(0.25);
    await tape.pass(2000);
    expect(second(tape)).toBe(12.5);
    expect(tape.shown()).toBe(12);
    player.pause();
    await tape.pass(2000);
    expect(second(tape)).toBe(12.5);
    player.setSpeed(64);
    player.play();
    await tape.pass(1000);
    expect(player.state()).toMatchObject({ position: at(20), playing: false });
    // What came last is shown, and does not get older.
    expect(tape.shown()).toBe(20);
    const { committedAt } = player.store.getState();
    await tape.pass(5000);
    expect(player.store.getState().committedAt).toBe(committedAt);
  });

  test('at the end, play begins anew', async () => {
    const tape = await tapeOf({ seconds: 10 });
    await tape.player.seek(at(10));
    tape.player.play();
    await settled(tape.player);
    await tape.pass(2000);
    expect(second(tape)).toBe(2);
    expect(tape.shown()).toBe(1);
  });

  test.each([
    [0.1, 0.25],
    [3, 4],
    [2.5, 2],
    [1000, 64],
  ])('a speed of %d is %d', async (wanted, taken) => {
    const { player } = await tapeOf({ seconds: 1 });
    player.setSpeed(wanted);
    expect(player.state().speed).toBe(taken);
  });

  test('at a high speed the picture is told ten times a second, not at each commit', async () => {
    const tape = await tapeOf({ seconds: 200 });
    let told = 0;
    tape.player.store.subscribe(() => told++);
    tape.player.setSpeed(64);
    tape.player.play();
    await tape.pass(2000);
    expect(second(tape)).toBe(128);
    expect(told).toBeLessThanOrEqual(20);
    expect(told).toBeGreaterThan(10);
  });

  test('a machine that slept loses time, not the picture', async () => {
    const tape = await tapeOf({ seconds: 100 });
    tape.player.play();
    await tape.pass(1000);
    tape.clock.jump(60_000);
    await tape.pass(1000);
    expect(second(tape)).toBeLessThan(3);
  });
});

describe('seeking', () => {
  test('goes to any moment, forth and back, and is held to the ends', async () => {
    const tape = await tapeOf({ seconds: 2000 });
    for (const [wanted, shown] of [
      [1900.5, 0],
      [3.5, 3],
      [1234.5, 34],
      [1235.5, 35],
      [1233.5, 33],
    ] as const) {
      await tape.player.seek(at(wanted));
      expect([second(tape), tape.shown()]).toEqual([wanted, shown]);
    }
    await tape.player.seek(at(-500));
    expect(second(tape)).toBe(0);
    await tape.player.seek(at(1e9));
    expect(second(tape)).toBe(2000);
    expect(tape.shown()).toBe(0);
  });

  test('a newer one ends an older one at once, and what is shown meanwhile is whole', async () => {
    const tape = await tapeOf({ seconds: 2000 });
    const { player } = tape;
    await player.seek(at(100.5));
    const seen: (number | undefined)[] = [];
    player.store.subscribe(() => seen.push(tape.shown()));
    const first = player.seek(at(1900));
    const second_ = player.seek(at(50.5));
    const third = player.seek(at(1000.5));
    expect(player.state()).toMatchObject({ position: at(100.5), seeking: at(1000.5) });
    expect(tape.shown()).toBe(0);
    await Promise.all([first, second_, third]);
    expect(player.state()).toMatchObject({ position: at(1000.5) });
    expect(player.state().seeking).toBeUndefined();
    expect(seen).toEqual([0]);
    expect(tape.shown()).toBe(0);
  });

  test('a tape that plays goes on from there', async () => {
    const tape = await tapeOf({ seconds: 100 });
    tape.player.play();
    await tape.pass(1000);
    await tape.player.seek(at(50));
    await tape.pass(2000);
    expect(second(tape)).toBe(52);
  });

  test('the same moment looks the same however it is come to', async () => {
    const tape = await tapeOf({ seconds: 1500 });
    const { player } = tape;
    const look = () => {
      const { committedAt, gpus, sources } = player.store.getState();
      const graph = player.store.history.get('gpu/GPU-a/utilization')?.buckets(at(800), at(1400), 400);
      return { committedAt, gpus, sources: [...sources], graph };
    };
    await player.seek(at(1400.5));
    const direct = look();
    await player.seek(at(0));
    await player.seek(at(90));
    player.setSpeed(64);
    player.play();
    while (player.state().position < at(1390)) await tape.pass(100);
    player.pause();
    await player.seek(at(1400.5));
    expect(look()).toEqual(direct);
  });
});

describe('steps', () => {
  test('go from frame to frame, and pause', async () => {
    const tape = await tapeOf({ seconds: 30 });
    const { player } = tape;
    await player.seek(at(10.5));
    player.play();
    await player.step(1);
    expect(player.state().playing).toBe(false);
    expect(tape.shown()).toBe(11);
    expect(second(tape)).toBeCloseTo(11, 1);
    await player.step(1);
    expect(tape.shown()).toBe(12);
    await player.step(-1);
    expect(tape.shown()).toBe(11);
    await player.step(-1);
    await player.step(-1);
    expect(tape.shown()).toBe(9);
  });

  test('many in a row are as many frames', async () => {
    const tape = await tapeOf({ seconds: 60 });
    const { player } = tape;
    await player.seek(at(10.5));
    await Promise.all(Array.from({ length: 20 }, () => player.step(1)));
    expect(tape.shown()).toBe(30);
    await Promise.all(Array.from({ length: 25 }, () => player.step(-1)));
    expect(tape.shown()).toBe(5);
    await Promise.all([player.seek(at(40.5)), player.step(1)]);
    expect(tape.shown()).toBe(41);
    await Promise.all([player.seek(at(20.5)), player.step(-1)]);
    expect(tape.shown()).toBe(20);
  });

  test('stop at the ends', async () => {
    const tape = await tapeOf({ seconds: 5 });
    const { player } = tape;
    await player.step(-1);
    expect(second(tape)).toBe(0);
    await player.seek(at(4.5));
    await player.step(1);
    await player.step(1);
    await player.step(1);
    expect(second(tape)).toBe(5);
    expect(tape.shown()).toBe(5);
    for (let i = 0; i < 8; i++) await player.step(-1);
    expect(second(tape)).toBe(0);
  });

  test('pass over a time without frames', async () => {
    const tape = await tapeOf({ seconds: 60, without: [[20, 40]] });
    const { player } = tape;
    await player.seek(at(20.5));
    await player.step(1);
    expect(tape.shown()).toBe(40);
    await player.step(-1);
    expect(tape.shown()).toBe(20);
  });

  test('go back further than was looked back on', async () => {
    const tape = await tapeOf({ seconds: 2500, without: [[800, 2400]] });
    const { player } = tape;
    await player.seek(at(2400.5));
    expect(tape.shown()).toBe(0);
    // In the middle of a frame its beginning is the one before.
    await player.step(-1);
    expect(second(tape)).toBeCloseTo(2400, 1);
    await player.step(-1);
    expect(second(tape)).toBeCloseTo(800, 1);
    expect(tape.shown()).toBe(0);
    await player.step(-1);
    expect(tape.shown()).toBe(99);
  });
});

describe('events', () => {
  test('are gone to, forth and back, and are on the screen then', async () => {
    const tape = await tapeOf({
      seconds: 100,
      marks: [
        [10, 'first'],
        [50, 'second'],
        [51, 'third'],
      ],
    });
    const { player } = tape;
    const go = async (direction: 1 | -1) => {
      const event = player.toEvent(direction);
      await settled(player);
      const shown = player.store.getState().events.at(-1);
      return [event?.text, shown?.text, Math.floor(second(tape))];
    };
    expect(await go(-1)).toEqual([undefined, undefined, 0]);
    expect(await go(1)).toEqual(['first', 'first', 10]);
    expect(await go(1)).toEqual(['second', 'second', 50]);
    expect(await go(1)).toEqual(['third', 'third', 51]);
    expect(await go(1)).toEqual([undefined, 'third', 51]);
    expect(await go(-1)).toEqual(['second', 'second', 50]);
    expect(await go(-1)).toEqual(['first', 'first', 10]);
    expect(await go(-1)).toEqual([undefined, 'first', 10]);
    await player.seek(at(60));
    expect(await go(-1)).toEqual(['third', 'third', 51]);
    // Two keys at once are two events.
    player.toEvent(-1);
    expect(player.toEvent(-1)?.text).toBe('first');
    await settled(player);
    expect(Math.floor(second(tape))).toBe(10);
  });
});

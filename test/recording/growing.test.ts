import { appendFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { RecordingFiles } from '../../src/recording/byte-source.ts';
import { filesOf } from '../../src/recording/find-parts.ts';
import { createStore } from '../../src/model/store.ts';
import { createPlayer } from '../../src/recording/player.ts';
import { openRecording, openRecordingFrom, type Cursor } from '../../src/recording/recording.ts';
import { loadSample, makeRecorder, partPath, start } from './made-recorder.ts';
import { settled } from './made-tape.ts';
import { folders } from './written.ts';

const { save } = createStore(createManualClock(start), 1000);

const newFolder = folders();

/** Loads of all that the cursor gives by now. */
async function read({ next }: Cursor) {
  const loads: unknown[] = [];
  for (let more = await next(); more; more = await next())
    loads.push(...more.flatMap((sample) => (sample.kind === 'host' ? [sample.load1] : [])));
  return loads;
}

const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, i) => from + i);

/** Seconds from the start, each with its number as load, in the file. */
async function write(recorder: ReturnType<typeof makeRecorder>, end: number, from = 0) {
  for (const second of upTo(end, from)) {
    recorder.load(second, start + second * 1000);
    recorder.clock.advance(1000);
  }
  await recorder.flush();
}

test('a reader that was at the end goes on with what was written since, through parts that roll over', async () => {
  const folder = join(await newFolder(), 'run');
  const recorder = makeRecorder(folder, { save, limits: { ms: 20_000 } });
  await write(recorder, 10);
  const recording = await openRecording(folder);
  const cursor = await recording.cursor(recording.to);
  expect(await read(cursor)).toEqual(upTo(10));
  expect(await recording.follow()).toBe(false);
  for (const [from, end] of [
    [10, 15],
    [15, 45],
    [45, 46],
  ] as const) {
    await write(recorder, end, from);
    expect(await recording.follow()).toBe(true);
    expect(await read(cursor)).toEqual(upTo(end, from));
    expect(recording.to).toBe(start + (end - 1) * 1000);
  }
  expect(recording.from).toBe(start);
  expect(recording.faults()).toEqual({ brokenLines: 0, withheldLines: 0, brokenBytes: 0 });
  expect(await recording.isWritten()).toBe(true);
  await recorder.close();
  expect(await recording.isWritten()).toBe(false);
  await recording.close();
});

test('events, holes and the end move on', async () => {
  const folder = join(await newFolder(), 'run');
  const recorder = makeRecorder(folder, { save });
  await write(recorder, 3);
  const recording = await openRecording(folder);
  const at = (second: number) => start + second * 1000;
  const own = (second: number) => ({ host: 'gpu7', source: 'user', time: at(second), receivedAt: at(second) });
  recorder.push({ kind: 'mark', ...own(300), text: 'late' });
  const ring = { alarm: 'gpu-hot', severity: 'warning', since: at(290), rungAt: at(301), text: 'hot' } as const;
  recorder.push({ kind: 'alarm', ...own(301), id: 'a', state: 'ringing', ...ring });
  recorder.push({ kind: 'alarm', ...own(302), id: 'a', state: 'resolved', resolvedAt: at(302), ...ring });
  // Made at 303 s, of a moment before all the others.
  recorder.push({ kind: 'mark', ...own(303), time: at(2), text: 'early' });
  await recorder.flush();
  expect(await recording.follow()).toBe(true);
  expect(recording.events.map(({ text, receivedAt }) => [text, receivedAt])).toEqual([
    ['early', at(303)],
    ['late', at(300)],
    ['hot', at(301)],
  ]);
  expect(recording.holes).toEqual([{ from: at(2), to: at(300) }]);
  await recorder.close();
  await recording.close();
});

test('a member of which a part is there is taken when all of it is', async () => {
  const folder = join(await newFolder(), 'run');
  const recorder = makeRecorder(folder, { save });
  await write(recorder, 5);
  const { length } = await readFile(partPath(folder, 1));
  await write(recorder, 7, 5);
  await recorder.close();
  const whole = await readFile(partPath(folder, 1));
  for (const cut of [length + 1, length + 30, length + 45, whole.length - 1]) {
    await truncate(partPath(folder, 1), length);
    const recording = await openRecording(folder);
    const cursor = await recording.cursor(start);
    await read(cursor);
    await appendFile(partPath(folder, 1), whole.subarray(length, cut));
    expect(await recording.follow(), `cut at ${cut}`).toBe(false);
    await appendFile(partPath(folder, 1), whole.subarray(cut));
    expect(await recording.follow(), `cut at ${cut}`).toBe(true);
    expect(await read(cursor)).toEqual(upTo(7, 5));
    expect(recording.faults()).toEqual({ brokenLines: 0, withheldLines: 0, brokenBytes: 0 });
    await recording.close();
  }
});

test('of what is known not a byte is read again', async () => {
  const folder = join(await newFolder(), 'run');
  const recorder = makeRecorder(folder, { save });
  await write(recorder, 400);
  const files = await filesOf(folder);
  const reads: number[] = [];
  const counted: RecordingFiles = {
    ...files,
    async open(name) {
      const source = await files.open(name);
      return {
        ...source,
        async read(offset, length, room) {
          reads.push(offset);
          return source.read(offset, length, room);
        },
      };
    },
  };
  const recording = await openRecordingFrom(counted);
  const { length } = await readFile(partPath(folder, 1));
  reads.length = 0;
  expect(await recording.follow()).toBe(false);
  expect(reads).toEqual([]);
  await write(recorder, 410, 400);
  expect(await recording.follow()).toBe(true);
  expect(Math.min(...reads)).toBe(length);
  await recorder.close();
  await recording.close();
});

test('a player waits at the end of what is still written and goes on; a step there is a step when there is one', async () => {
  const folder = join(await newFolder(), 'run');
  const recorder = makeRecorder(folder, { save });
  await write(recorder, 10);
  const recording = await openRecording(folder);
  const clock = createManualClock(0);
  let written = true;
  const following = { look: recording.follow, isWritten: async () => written };
  const player = createPlayer({ recording, clock, following });
  const load = () => player.store.getState().host?.load1;
  const passes = async (isOver: () => boolean) => {
    for (let turn = 0; turn < 3000 && !isOver(); turn++) {
      clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(isOver()).toBe(true);
  };
  player.play();
  await player.seek(recording.to);
  await passes(() => player.state().position === start + 9000);
  expect(player.state()).toMatchObject({ playing: true, growing: true });
  await write(recorder, 20, 10);
  await passes(() => load() === 18);
  expect(player.state()).toMatchObject({ to: start + 19_000, playing: true });
  // The writer ends, with something that nobody has looked for yet.
  recorder.push(loadSample(20, start + 20_000));
  await recorder.close();
  written = false;
  await passes(() => !player.state().playing);
  expect(player.state()).toMatchObject({ position: start + 20_000, to: start + 20_000 });
  expect(player.state().growing).toBeUndefined();
  expect(load()).toBe(20);
  await settled(player);
  await player.close();
});

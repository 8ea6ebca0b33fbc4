import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { Session } from '../../src/commands/session.ts';
import { createStore } from '../../src/model/store.ts';
import type { Sample } from '../../src/model/samples.ts';
import { createEncoder } from '../../src/recording/codec.ts';
import { kindsMarkdown, limitsMarkdown } from '../../src/recording/format-tables.ts';
import { kinds } from '../../src/recording/kinds.ts';
import { writeLine } from '../../src/recording/json-line.ts';
import { limits } from '../../src/recording/limits.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { recordDemo } from '../support/demo-recording.ts';
import { describeWith } from '../support/requires.ts';
import { createDice, made } from './made-samples.ts';
import { folders, headerLine, packLines, readFileWhole, samplesOf, start, write } from './written.ts';

const newFolder = folders();
const minute = (at: number) => ({ takenAt: at, end: start, run: 0, series: { 'log/loss': [1, 2, 3, 4] as const } });

async function file(bytes: Buffer | string, name = '0001.jsonl.gz') {
  const path = join(await newFolder(), name);
  await writeFile(path, bytes);
  return path;
}

describe('a recording', () => {
  test('gives the Samples, the events and the header that were written', async () => {
    const samples = samplesOf(30);
    const { recording, saved: _, ...found } = await readFileWhole(await file(write(samples).bytes));
    expect(found).toEqual({
      samples,
      events: samples.filter(({ kind }) => kind === 'event'),
      faults: { brokenLines: 0, withheldLines: 0, brokenBytes: 0 },
    });
    expect(recording).toMatchObject({ header: { target: 'node7', session: 'a' }, from: start, to: start + 29_000 });
  });

  test('begins at the last keyframe before a time, with what the store had then', async () => {
    const recording = await openRecording(await file(write(samplesOf(40)).bytes));
    // Keyframes stand at 0, 12, 24 and 36 s.
    const begun = async (second: number) => {
      const { saved, next } = await recording.cursor(start + second * 1000);
      return [(saved?.time ?? 0) - start, ((await next())?.[0]?.receivedAt ?? 0) - start];
    };
    expect(await begun(0)).toEqual([0, 0]);
    expect(await begun(23.9)).toEqual([12_000, 12_000]);
    expect(await begun(24)).toEqual([24_000, 24_000]);
    expect(await begun(1e6)).toEqual([36_000, 36_000]);
    expect(await begun(-1e6)).toEqual([0, 0]);
    await recording.close();
  });

  test('the state of a keyframe is the one that was saved, whatever numbers are in it', async () => {
    const clock = createManualClock(start);
    const store = createStore(clock, 1000);
    const values = { loss: NaN, gradNorm: Infinity, step: 3, queues: [{ name: 'q', low: 1, high: 2 }] };
    const log = {
      host: 'h',
      source: 'log',
      path: '/l',
      format: 'generic',
      lines: [{ text: 'loss nan', time: start, values }],
    };
    for (const sample of samplesOf(3)) store.push(sample);
    store.push({ kind: 'log', time: start, receivedAt: start, ...log });
    store.push({
      kind: 'stacks',
      host: 'h',
      source: 'stacks',
      time: start,
      receivedAt: start,
      pid: 1,
      command: 'c',
      threads: [],
    });
    const state = store.save();
    store.stop();
    const lines = [headerLine(), writeLine({ kind: 'keyframe', time: start, state })];
    const recording = await openRecording(await file(packLines(lines, { keyframe: true })));
    expect((await recording.cursor(start)).saved).toStrictEqual({ time: start, state });
    await recording.close();
  });

  test('tells of holes, and of minutes that were taken before a time', async () => {
    const members = [0, 60, 300, 360].map((second) => {
      const at = start + second * 1000;
      const lines = [...(second === 0 ? [headerLine()] : []), writeLine({ kind: 'minute', ...minute(at) })];
      return packLines(lines, { from: at, to: at + 1000, minute: true });
    });
    const recording = await openRecording(await file(Buffer.concat(members)));
    expect(recording.holes).toEqual([{ from: start + 61_000, to: start + 300_000 }]);
    expect(await recording.minutes(start + 300_000)).toEqual([0, 60, 300].map((s) => minute(start + s * 1000)));
    expect(await recording.minutes(start + 50 * 3_600_000)).toEqual([]);
    await recording.close();
  });

  test.each([
    ['with values', [4, 5], minute],
    ['without any', [3, 4, 5], (at: number) => ({ ...minute(at), series: {} })],
  ])('of more minutes %s than fit into the memory the newest are given', async (_, newest, minuteAt) => {
    const most = limits.minuteValues as { value: number };
    const before = most.value;
    most.value = 2;
    const packed = (n: number) => packLines([writeLine({ kind: 'minute', ...minuteAt(start + n) })], { minute: true });
    const members = [packLines([headerLine()]), ...[1, 2, 3, 4, 5].map(packed)];
    try {
      const recording = await openRecording(await file(Buffer.concat(members)));
      expect(await recording.minutes(start + 9)).toEqual(newest.map((n) => minuteAt(start + n)));
      await recording.close();
    } finally {
      most.value = before;
    }
  });

  test('keeps no minutes in memory that the last moment did not look back on', async () => {
    const far = start + 100 * 3_600_000;
    const members = [start, far].map((at) =>
      packLines([headerLine(), writeLine({ kind: 'minute', ...minute(at) })], { from: at, to: at, minute: true }),
    );
    const recording = await openRecording(await file(Buffer.concat(members)));
    const [first] = await recording.minutes(start);
    expect((await recording.minutes(start + 1))[0]).toBe(first);
    await recording.minutes(far);
    const [again] = await recording.minutes(start);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
    await recording.close();
  });

  test('of a log full of errors the newest events are given', async () => {
    const errors = Array.from({ length: 2500 }, (_, n) => {
      const at = start + n * 4000;
      const event = {
        kind: 'event',
        host: 'h',
        source: 'log',
        time: at,
        receivedAt: at,
        event: 'log error',
        text: `${n}`,
      };
      return packLines([...(n === 0 ? [headerLine()] : []), writeLine(event)], { from: at, to: at, event: true });
    });
    const recording = await openRecording(await file(Buffer.concat(errors)));
    expect(recording.events).toHaveLength(2000);
    expect(recording.events.at(-1)?.text).toBe('2499');
    await recording.close();
  });
});

describe('a folder', () => {
  test('its parts are one recording, in the order of their numbers; a file of another recording is none of it', async () => {
    const folder = await newFolder();
    const samples = samplesOf(24);
    const { members } = write(samples);
    const second = [
      packLines([headerLine({ part: 10 })], { from: start + 12_000, to: start + 12_000 }),
      ...members.slice(3),
    ];
    await writeFile(join(folder, '0009.jsonl.gz'), Buffer.concat(members.slice(0, 3)));
    await writeFile(join(folder, '0010.jsonl.gz'), Buffer.concat(second));
    await writeFile(join(folder, '0011.jsonl.gz'), packLines([headerLine({ session: 'b' })]));
    await writeFile(join(folder, '0012.jsonl.gz'), '');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const found = await readFileWhole(folder);
    expect(found.samples).toEqual(samples);
    expect(found.recording.to).toBe(start + 23_000);
  });

  test('of a folder of recordings the last by name that has a file is opened, and said', async () => {
    const folder = await newFolder();
    for (const [name, target] of [
      ['2026-06-11T22-00-00_a', 'a'],
      ['2026-06-12T22-00-00_b', 'b'],
    ] as const) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, '0001.jsonl.gz'), packLines([headerLine({ target })]));
    }
    await mkdir(join(folder, '2026-06-13T22-00-00_c'));
    const { recording } = await readFileWhole(folder);
    expect(recording).toMatchObject({ path: join(folder, '2026-06-12T22-00-00_b'), header: { target: 'b' } });
  });
});

describe('a recording that somebody unpacked', () => {
  test.each([
    ['lines', (text: string) => text],
    ['packed by gzip', (text: string) => gzipSync(text)],
  ])('%s', async (_, pack) => {
    const samples = samplesOf(90);
    const folder = await newFolder();
    const packed = join(folder, '0001.jsonl.gz');
    await writeFile(packed, write(samples).bytes);
    const text = spawnSync('zcat', [packed]).stdout.toString();
    const found = await readFileWhole(await file(pack(text), 'mine.jsonl'));
    expect(found).toMatchObject({ samples, events: [{ text: 'over' }], faults: { brokenLines: 0, brokenBytes: 0 } });
    const recording = await openRecording(await file(pack(text)));
    expect((await recording.cursor(start + 70_000)).saved?.time).toBe(start + 60_000);
    await recording.close();
  });

  test('a pack that is cut gives what stands before', async () => {
    const samples = samplesOf(90);
    const text = write(samples)
      .members.map((member) => spawnSync('zcat', { input: member }).stdout.toString())
      .join('');
    const packed = gzipSync(text);
    const cut = packed.subarray(0, Math.floor(packed.length * 0.8));
    const found = await readFileWhole(await file(cut));
    expect(found.samples.length).toBeGreaterThan(20);
    expect(found.samples).toEqual(samples.slice(0, found.samples.length));
  });
});

describeWith(['jq', 'python3'], 'docs/recording.md', () => {
  const docs = readFileSync('docs/recording.md', 'utf8');
  const sh = (command: string, folder: string) => {
    const { stdout, stderr, status } = spawnSync('sh', ['-c', command], { cwd: folder, maxBuffer: 2 ** 26 });
    expect({ command, stderr: stderr.toString(), status }).toEqual({ command, stderr: '', status: 0 });
    return stdout.toString();
  };

  test('its tables are those of the program', () => {
    expect(docs).toContain(kindsMarkdown());
    expect(docs).toContain(limitsMarkdown());
    const frames = /^FRAMES = \{(.*)\}$/m.exec(docs)?.[1]?.match(/\w+/g);
    expect(frames).toEqual([...kinds].filter(([, { keys }]) => keys.length > 0).map(([kind]) => kind));
  });

  test('its commands work on a recording, and one without its log opens again', async () => {
    const folder = await newFolder();
    const path = await recordDemo({ seconds: 40, folder, onStep: mark });
    const commands = docs.split('\n').flatMap((line) => /^ {4}(zcat .*)/.exec(line)?.[1] ?? []);
    expect(commands.length).toBeGreaterThan(6);
    for (const command of commands) {
      const output = sh(command, folder);
      if (!command.includes('>'))
        expect({ command, output }).toMatchObject({ output: expect.stringMatching(/\w/) as string });
    }
    const whole = await readFileWhole(path);
    const found = await readFileWhole(join(folder, 'nologs.jsonl.gz'));
    expect(found.samples).toEqual(whole.samples.filter(({ kind }) => kind !== 'log'));
    expect(found.faults).toEqual({ brokenLines: 0, withheldLines: 0, brokenBytes: 0 });
  });

  test('its reader gives what ours does', async () => {
    const folder = await newFolder();
    const dice = createDice(11);
    const all = [...samplesOf(20), ...Array.from({ length: 150 }, () => made(dice))];
    const encoder = createEncoder();
    const lines = all.map((sample) => encoder.encode(sample)).filter((_, n) => n % 40 !== 30);
    await writeFile(join(folder, 'made.jsonl.gz'), packLines([headerLine(), ...lines]));
    await writeFile(join(folder, 'reader.py'), /```python\n(.*?)```/s.exec(docs)?.[1] ?? '');
    for (const path of ['made.jsonl.gz', resolve('test/fixtures/recordings/format-1.jsonl.gz')]) {
      const theirs = sh(`python3 reader.py ${path}`, folder).trim().split('\n');
      const { samples, faults } = await readFileWhole(resolve(folder, path));
      expect(faults.brokenLines).toBe(0);
      expect(theirs.map((line) => JSON.parse(line) as unknown)).toEqual(
        samples.map((sample) => JSON.parse(writeLine(sample)) as unknown),
      );
    }
  });

  function mark(session: Session, second: number) {
    const now = session.clock.now();
    if (second === 20)
      session.take({ kind: 'mark', host: 'demo', source: 'user', time: now, receivedAt: now, text: 'here' });
  }
});

test('a recording of format 1 opens, as it was written then', async () => {
  const { recording, samples, faults, saved } = await readFileWhole('test/fixtures/recordings/format-1.jsonl.gz');
  expect(recording.header).toMatchObject({ format: 1, target: 'demo' });
  expect(saved?.time).toBe(recording.from);
  expect(faults).toEqual({ brokenLines: 0, withheldLines: 0, brokenBytes: 0 });
  const counts = JSON.parse(await readFile('test/fixtures/recordings/format-1.json', 'utf8')) as unknown;
  expect(countKinds(samples)).toEqual(counts);
});

function countKinds(samples: readonly Sample[]) {
  const counts: Record<string, number> = {};
  for (const { kind } of samples) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

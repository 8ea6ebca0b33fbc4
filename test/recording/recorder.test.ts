import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Minute } from '../../src/model/minutes.ts';
import type { LogLine, LogSample, Sample } from '../../src/model/samples.ts';
import { waitFor } from '../support/waiting.ts';
import { linesOf, loadsOf, makeRecorder, partPath, partsIn, start } from './made-recorder.ts';

const home = mkdtempSync(join(tmpdir(), 'traintop-recorder-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(home, `runs/run-${++count}`);
});

describe('what is written', () => {
  test('a folder and files for their owner alone, a lock beside them while they are written', async () => {
    const recorder = makeRecorder(folder);
    recorder.seconds(5);
    await waitFor('a part', () => recorder.state().path === partPath(folder, 1));
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(partPath(folder, 1))).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['.lock', '0001.jsonl.gz']);
    await recorder.close();
    expect(readdirSync(folder)).toEqual(['0001.jsonl.gz']);
  });

  test('within seconds, while it goes on', async () => {
    const recorder = makeRecorder(folder);
    recorder.seconds(3);
    expect(existsSync(folder)).toBe(false);
    recorder.clock.advance(1000);
    // The first is written by itself, and the others behind it.
    await waitFor('the members', () => loadsOf(folder).length >= 3);
    expect(loadsOf(folder)).toEqual([0, 1, 2]);
    await recorder.close();
  });

  test('the header knows what is known when it is written', async () => {
    const known: { hostname?: string } = {};
    const recorder = makeRecorder(folder, {
      header: () => ({ traintop: '0', session: 's', target: 'gpu7', commandLine: [], intervalMs: 1000, ...known }),
    });
    recorder.load(0);
    known.hostname = 'gpu7.example';
    await recorder.close();
    const [header, keyframe] = linesOf(folder);
    expect(header).toMatchObject({ kind: 'header', format: 1, part: 1, startedAt: start, hostname: 'gpu7.example' });
    expect(keyframe).toMatchObject({ kind: 'keyframe', time: start });
  });

  test('nothing while the host does not answer, and then what came before too', async () => {
    const recorder = makeRecorder(folder);
    recorder.push(link('connecting', start));
    recorder.clock.advance(60_000);
    recorder.push(link('up', start + 60_000));
    expect(existsSync(folder)).toBe(false);
    recorder.load(1);
    await recorder.close();
    expect(linesOf(folder).map(({ kind }) => kind)).toEqual(['header', 'keyframe', 'link', 'link', 'host']);
  });

  test('a host that answers after longer than from keyframe to keyframe is recorded from then on', async () => {
    const recorder = makeRecorder(folder);
    recorder.push(link('connecting', start));
    for (const minutes of [7, 14]) {
      recorder.clock.advance(7 * 60_000);
      recorder.push(link(minutes === 7 ? 'connecting' : 'up', start + minutes * 60_000));
    }
    recorder.load(1);
    await recorder.close();
    expect(recorder.state().fault).toBeUndefined();
    expect(linesOf(folder).map(({ kind }) => kind)).toEqual(['header', 'keyframe', 'link', 'host']);
  });

  test('so is one whose link broke a thousand times before', async () => {
    const recorder = makeRecorder(folder);
    for (let i = 0; i < 1000; i++) recorder.push(link('connecting', start + i));
    recorder.load(1, start + 1000);
    await recorder.close();
    expect(recorder.state().fault).toBeUndefined();
    expect(loadsOf(folder)).toEqual([1]);
    // Of what came before there are the newest 64 kB at most.
    const links = linesOf(folder).filter(({ kind }) => kind === 'link');
    expect(links.at(-1)).toMatchObject({ receivedAt: start + 999 });
    expect(JSON.stringify(links).length).toBeLessThan(65_000);
  });

  test('no folder where the host never answers', async () => {
    const recorder = makeRecorder(folder);
    const own = { host: 'gpu7', time: start, receivedAt: start };
    recorder.push({ ...own, kind: 'verdicts', source: 'diagnosis', verdicts: [] });
    recorder.push({ ...own, kind: 'event', source: 'alarms', event: 'alarm untold', text: 'no' });
    for (let i = 0; i < 2000; i++) recorder.push(link('connecting', start + i));
    recorder.clock.advance(60_000);
    await recorder.close();
    expect(existsSync(folder)).toBe(false);
  });

  test('a keyframe every five minutes', async () => {
    const recorder = makeRecorder(folder);
    recorder.seconds(601);
    await recorder.close();
    const keyframes = linesOf(folder).filter(({ kind }) => kind === 'keyframe');
    expect(keyframes.map(({ time }) => Number(time) - start)).toEqual([0, 300_000, 600_000]);
    expect(loadsOf(folder)).toHaveLength(601);
  });

  test('a keyframe where the clock of this machine was set back, and none where two Samples changed places', async () => {
    const recorder = makeRecorder(folder);
    recorder.load(0, start + 500);
    recorder.load(1, start + 200);
    recorder.load(2, start - 3_600_000);
    recorder.load(3, start - 3_599_000);
    await recorder.close();
    const kinds = linesOf(folder).map(({ kind }) => kind);
    expect(kinds).toEqual(['header', 'keyframe', 'host', 'host', 'keyframe', 'host', 'host']);
  });

  test('the minutes of history that were closed', async () => {
    const minute: Minute = { takenAt: start, end: start, run: 0, series: { 'host/busy': [1, 2, 3, 60] } };
    const left = [minute];
    const recorder = makeRecorder(folder, { takeMinutes: () => left.splice(0) });
    recorder.load(0);
    await recorder.close();
    expect(linesOf(folder).at(-1)).toEqual({ kind: 'minute', ...minute });
  });
});

describe('parts', () => {
  test('a new one after twelve hours, and each stands alone', async () => {
    const recorder = makeRecorder(folder);
    recorder.load(1);
    recorder.clock.advance(12 * 3_600_000);
    recorder.load(2);
    await recorder.close();
    expect([loadsOf(folder, 1), loadsOf(folder, 2)]).toEqual([[1], [2]]);
    for (const part of [1, 2]) {
      expect(linesOf(folder, part)[0]).toMatchObject({ kind: 'header', part });
      expect(linesOf(folder, part)[1]).toMatchObject({ kind: 'keyframe' });
    }
  });

  test('a new one at its size', async () => {
    const recorder = makeRecorder(folder, { limits: { bytes: 2000 } });
    for (let i = 0; i < 400; i++) {
      recorder.load(i);
      recorder.clock.advance(1000);
      const before = recorder.state().bytes;
      if (i % 20 === 19) await waitFor('a write', () => recorder.state().bytes > before);
    }
    await recorder.close();
    const parts = partsIn(folder).map((_, i) => loadsOf(folder, i + 1));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.flat()).toEqual(Array.from({ length: 400 }, (_, i) => i));
    for (const part of parts) expect(part.length).toBeGreaterThan(3);
  });

  test('every part begun makes room', async () => {
    const made: string[] = [];
    const recorder = makeRecorder(folder, {
      onPart: async (path) => {
        made.push(path);
        return 'There is no room.';
      },
    });
    recorder.load(1);
    await recorder.close();
    expect(made).toEqual([partPath(folder, 1)]);
    expect(recorder.state()).toMatchObject({ warning: 'There is no room.' });
  });

  test('but one at a time', async () => {
    const made: string[] = [];
    let finish = () => {};
    const recorder = makeRecorder(folder, {
      onPart(path) {
        made.push(path);
        return new Promise((resolve) => (finish = () => resolve(undefined)));
      },
    });
    for (const part of [1, 2, 3]) {
      if (part === 3) finish();
      recorder.clock.advance(12 * 3_600_000);
      recorder.load(part);
      recorder.clock.advance(3000);
      await waitFor('the part', () => recorder.state().path === partPath(folder, part));
    }
    await recorder.close();
    expect(made).toEqual([partPath(folder, 1), partPath(folder, 3)]);
  });
});

describe('a log that prints without end', () => {
  test('leaves most of its lines out, says how many, and keeps those with values', async () => {
    const recorder = makeRecorder(folder);
    // 20,000 lines a second for a minute, as the collector gives them: 500 a Sample.
    for (let i = 0; i < 40 * 60; i++) {
      recorder.push(flood(i));
      recorder.clock.advance(25);
      if (i % 40 === 0) await new Promise(setImmediate);
    }
    await recorder.close();
    const lines = logLines();
    const said = lines.filter(({ note }) => note).map(({ text }) => Number(/^-- (\d+) lines/.exec(text)?.[1]));
    const kept = lines.filter(({ note }) => !note);
    expect(kept.length + said.reduce((sum, number) => sum + number, 0)).toBe(40 * 60 * 500);
    expect(kept.length).toBeLessThan(120_000);
    expect(kept.filter(({ values }) => values)).toHaveLength(40 * 60);
    // And the last five of each Sample.
    expect(kept.filter(({ text }) => /^\d+\.49[5-9] /.test(text))).toHaveLength(40 * 60 * 5);
    expect(recorder.state().bytes).toBeLessThan(3_000_000);
  });

  test('is recorded whole where it stood in the file before', async () => {
    const recorder = makeRecorder(folder);
    for (let i = 0; i < 60; i++) recorder.push({ ...flood(i), receivedAt: start, backlog: true });
    await recorder.close();
    expect(logLines().map(({ text }) => text)).toEqual(
      Array.from({ length: 60 }, (_, i) => flood(i).lines.map(({ text }) => text)).flat(),
    );
  });

  const logLines = () =>
    linesOf(folder).flatMap(({ kind, lines }) => (kind === 'log' ? (lines as readonly LogLine[]) : []));

  function flood(i: number): LogSample {
    const time = start + i * 25;
    const lines = Array.from({ length: 500 }, (_, n): LogLine => {
      const text = `${i}.${n} the quick brown fox jumps over the lazy dog, again and again and again and again`;
      return n === 0 ? { text, time, values: { step: i } } : { text, time };
    });
    return { kind: 'log', host: 'gpu7', source: 'log', time, receivedAt: time, path: '/log', format: 'generic', lines };
  }
});

function link(state: 'connecting' | 'up', at: number): Sample {
  return { kind: 'link', host: 'gpu7', source: 'link', time: at, receivedAt: at, state };
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o777;
}

import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { EventSample, Sample } from '../../src/model/samples.ts';
import { createStore } from '../../src/model/store.ts';
import { createRecorder, type Recorder } from '../../src/recording/recorder.ts';
import { waitFor } from '../support/waiting.ts';

const home = mkdtempSync(join(tmpdir(), 'traintop-recorder-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const start = Date.UTC(2026, 5, 12);
let folder: string;
let clock: ManualClock;
let count = 0;
const events: EventSample[] = [];

beforeEach(() => {
  folder = join(home, `runs/run-${++count}`);
  clock = createManualClock(start);
  events.length = 0;
});

describe('what is written', () => {
  test('a folder and files for their owner alone, a lock beside them while they are written', async () => {
    const recorder = makeRecorder();
    await second(recorder, 5);
    await waitFor('a part', () => existsSync(part(1)));
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(part(1))).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['.lock', '0001.jsonl.gz']);
    await recorder.close();
    expect(readdirSync(folder)).toEqual(['0001.jsonl.gz']);
  });

  test('a member at most four seconds after its first line', async () => {
    const recorder = makeRecorder();
    await second(recorder, 4);
    expect(existsSync(part(1))).toBe(false);
    clock.advance(1000);
    await waitFor('a member', () => loads(1).length > 0);
    expect(loads(1)).toEqual([0, 1, 2, 3]);
    await recorder.close();
  });

  test('the header knows what is known when it is written', async () => {
    const known: { hostname?: string } = {};
    const recorder = makeRecorder(known);
    push(recorder, 0);
    known.hostname = 'gpu7';
    await recorder.close();
    expect(linesOf(1)[0]).toMatchObject({ kind: 'header', format: 1, part: 1, startedAt: start, hostname: 'gpu7' });
    expect(linesOf(1)[1]).toMatchObject({ kind: 'keyframe' });
  });

  test('nothing while the host does not answer, and then what came before too', async () => {
    const recorder = makeRecorder();
    recorder.push(link('connecting'));
    clock.advance(60_000);
    recorder.push(link('up'));
    expect(existsSync(folder)).toBe(false);
    push(recorder, 1);
    await recorder.close();
    expect(linesOf(1).map(({ kind }) => kind)).toEqual(['header', 'keyframe', 'link', 'link', 'host']);
  });

  test('no folder where the host never answers', async () => {
    const recorder = makeRecorder();
    for (let i = 0; i < 2000; i++) recorder.push(link('connecting'));
    clock.advance(60_000);
    await recorder.close();
    expect(existsSync(folder)).toBe(false);
  });

  test('a keyframe every five minutes', async () => {
    const recorder = makeRecorder();
    await second(recorder, 601);
    await recorder.close();
    const keyframes = linesOf(1).filter(({ kind }) => kind === 'keyframe');
    expect(keyframes.map(({ time }) => (time as number) - start)).toEqual([0, 300_000, 600_000]);
    expect(loads(1)).toHaveLength(601);
  });

  test('a keyframe where the clock of this machine was set back, and none where two Samples changed places', async () => {
    const recorder = makeRecorder();
    push(recorder, 0, start + 500);
    push(recorder, 1, start + 200);
    push(recorder, 2, start - 3_600_000);
    push(recorder, 3, start - 3_599_000);
    await recorder.close();
    expect(linesOf(1).map(({ kind }) => kind)).toEqual([
      'header',
      'keyframe',
      'host',
      'host',
      'keyframe',
      'host',
      'host',
    ]);
  });
});

function makeRecorder(known: { readonly hostname?: string } = {}): Recorder {
  return createRecorder({
    folder,
    clock,
    save: createStore(clock, 1000).save,
    header: () => ({ traintop: '0', session: 's', target: 'gpu7', commandLine: [], intervalMs: 1000, ...known }),
    report: (event) => void events.push(event),
  });
}

/** So many Samples, a second apart. */
async function second(recorder: Recorder, seconds: number) {
  for (let i = 0; i < seconds; i++) {
    if (i > 0) clock.advance(1000);
    push(recorder, i);
  }
}

function push(recorder: Recorder, load1: number, at = clock.now()) {
  recorder.push({ kind: 'host', host: 'gpu7', source: 'host', time: at, receivedAt: at, load1 });
}

function link(state: 'connecting' | 'up'): Sample {
  return { kind: 'link', host: 'gpu7', source: 'link', time: clock.now(), receivedAt: clock.now(), state };
}

function part(number: number): string {
  return join(folder, `${String(number).padStart(4, '0')}.jsonl.gz`);
}

function linesOf(number: number): readonly Record<string, unknown>[] {
  if (!existsSync(part(number))) return [];
  const text = gunzipSync(readFileSync(part(number))).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The values of the Samples in a part. */
function loads(number: number): readonly unknown[] {
  return linesOf(number)
    .filter(({ kind }) => kind === 'host')
    .map(({ load1 }) => load1);
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o777;
}

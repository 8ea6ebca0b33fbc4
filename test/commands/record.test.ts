import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { OpenTarget } from '../../src/commands/open-target.ts';
import { recorderOf } from '../../src/commands/record.ts';
import { homeFolder } from '../../src/config/home.ts';
import { readOptions } from '../../src/config/options.ts';
import { createStore } from '../../src/model/store.ts';

const start = Date.UTC(2026, 5, 12, 9, 41);
const { argv, env } = process;
let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'traintop-record-'));
  process.env = { ...env, XDG_STATE_HOME: state };
});
afterEach(() => {
  process.argv = argv;
  process.env = env;
  rmSync(state, { recursive: true });
});

describe('the options', () => {
  test('record everything but the demo, into the state folder', () => {
    expect(readOptions('gpu7', {}).record).toEqual({ bytes: 5 * 2 ** 30, ms: 30 * 86_400_000 });
    expect(readOptions(undefined, {}).record).toBeDefined();
    expect(readOptions('demo', {}).record).toBeUndefined();
    expect(readOptions('demo', { record: true }).record).toBeDefined();
    expect(readOptions('demo', { record: '/r' }).record).toMatchObject({ folder: '/r' });
    expect(readOptions('gpu7', { record: false }).record).toBeUndefined();
  });

  test('no limit is 0', () => {
    const { record } = readOptions('gpu7', { recordSize: '0', recordDays: '0' });
    expect(record).toEqual({ bytes: Infinity, ms: Infinity });
    expect(() => readOptions('gpu7', { recordSize: '-1' })).toThrow('--record-size is less than 0');
    // A variable of a shell that is not set is no wish for a recording without end.
    for (const blank of ['', ' ']) {
      expect(() => readOptions('gpu7', { recordSize: blank })).toThrow('--record-size is no number');
      expect(() => readOptions('gpu7', { recordDays: blank })).toThrow('--record-days is no number');
      expect(() => readOptions('demo', { seed: blank })).toThrow('--seed is no number');
    }
    expect(() => readOptions('gpu7', { recordDays: 'x' })).toThrow('--record-days is no number');
    expect(() => readOptions('gpu7', { record: '' })).toThrow('--record is empty');
  });
});

test('a folder named by the time and the target, whatever that is called', async () => {
  await record('root@[fe80::1]:22');
  expect(readdirSync(join(state, 'traintop/runs'))).toEqual(['2026-06-12T09-41-00_root@-fe80-1-22']);
});

test('the header has no secrets of the command line', async () => {
  process.argv = [
    'node',
    'traintop',
    'gpu7',
    '--wrap',
    'docker exec -e API_TOKEN=abc123 box',
    '--wrap=sshpass -p abc123 ssh box',
  ];
  const [header = ''] = await record('gpu7', { wrap: "docker exec -e API_TOKEN='abc123 x' box" });
  expect(header).not.toContain('abc123');
  expect(JSON.parse(header)).toMatchObject({
    kind: 'header',
    target: 'gpu7',
    wrap: 'docker exec -e API_TOKEN=*** box',
    commandLine: ['gpu7', '--wrap', 'docker exec -e API_TOKEN=*** box', '--wrap=sshpass -p *** ssh box'],
  });
});

test('the header knows the host and what the demo plays', async () => {
  const origin = { scenario: 'hang', seed: 3, truth: 'it hangs' };
  const [header = ''] = await record('demo', { record: true }, { demo: true, origin });
  expect(JSON.parse(header)).toMatchObject({ hostname: 'node7', clockOffsetMs: -7, demo: origin });
});

test('an empty HOME does not make the working folder a home', () => {
  const home = env['HOME'];
  process.env = env;
  process.env['HOME'] = '';
  try {
    expect(homeFolder()).toMatch(/^\//);
  } finally {
    if (home === undefined) delete process.env['HOME'];
    else process.env['HOME'] = home;
  }
});

/** Records one Sample of the host; gives the lines of the recording. */
async function record(
  name: string,
  raw: Record<string, unknown> = {},
  more: Partial<OpenTarget> = {},
): Promise<readonly string[]> {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const options = readOptions(name, raw);
  const target = { name, demo: false, ...more } as OpenTarget;
  const recorder = recorderOf({ options, target, clock, store, report: () => {} });
  const about = { host: name, source: 'facts', time: start, receivedAt: start };
  const facts = {
    hostname: 'node7',
    user: 'u',
    clockTicks: 100,
    pageSize: 4096,
    bootTime: 0,
    clockOffsetMs: -7,
    utcOffsetMinutes: 0,
    tailFollows: true,
  };
  const sample = { kind: 'facts', ...about, facts } as const;
  recorder?.push(sample);
  store.push(sample);
  clock.advance(400);
  await recorder?.close();
  store.stop();
  const runs = join(state, 'traintop/runs');
  const [run = ''] = readdirSync(runs);
  return gunzipSync(readFileSync(join(runs, run, '0001.jsonl.gz')))
    .toString()
    .split('\n');
}

import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostSample, LinkSample, Sample, SourceStatus } from '../../src/model/samples.ts';
import { head, makeRecording } from '../support/made-recording.ts';
import { runTraintop, type Outcome } from './run-once.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-doctor-recording-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (second: number): HostSample => ({ ...head('host', second), load1: 1 });
const loads = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => load(from + n));
const source = (second: number, name: string, status: SourceStatus, reason?: string): Sample => ({
  ...head('source', second, name),
  status,
  ...(reason !== undefined && { reason }),
});
const link = (second: number, state: LinkSample['state'], reason?: string): Sample => ({
  ...head('link', second),
  state,
  ...(reason !== undefined && { reason }),
});
const runSample = (second: number, phase: 'running' | 'ended', reason?: string): Sample => ({
  ...head('run', second, 'processes'),
  phase,
  candidates: [],
  run: {
    id: '41:9',
    rootPid: 41,
    processes: [{ pid: 41, parentPid: 1, commandLine: ['python3', 'train.py'], gpuMinors: [] }],
    outputs: [],
  },
  ...(reason !== undefined && { reason }),
});

/** Ten minutes: the GPUs fail for two of them, the link is lost for one, and from 400 to 500 that machine slept. */
const night: readonly Sample[] = [
  link(0, 'up'),
  source(0, 'gpu', 'live'),
  source(0, 'host', 'live'),
  source(0, 'busiest', 'off', 'sshd allows no more sessions.'),
  runSample(1, 'running'),
  ...loads(1, 100),
  source(100, 'gpu', 'failed', 'nvidia-smi ended with 15; trying again'),
  ...loads(100, 220),
  source(220, 'gpu', 'live'),
  ...loads(221, 300),
  link(300, 'lost', 'No answer for 15 s.'),
  { ...head('event', 300, 'link'), event: 'link lost', text: 'No answer for 15 s.' },
  // Attempts that fail are no losses of their own.
  link(310, 'connecting'),
  link(320, 'lost', 'No answer for 15 s.'),
  link(350, 'connecting'),
  link(360, 'up'),
  ...loads(360, 400),
  ...loads(500, 600),
  {
    ...head('log', 600),
    path: '/run/train.log',
    format: 'generic',
    lines: [{ text: 'RuntimeError', time: 0, level: 'error' }],
  },
  runSample(600, 'ended', 'It ended.'),
  { ...head('mark', 600, 'user'), text: 'here' },
];

let outcomes: Readonly<Record<'text' | 'json' | 'cut' | 'broken' | 'imported' | 'single', Outcome>>;

beforeAll(async () => {
  const whole = join(folder, 'whole');
  const file = await makeRecording({ folder: whole, samples: night });
  const cut = join(folder, 'cut');
  const cutFile = await makeRecording({ folder: cut, samples: night });
  // As a kill leaves it: a last member without its end, and the lock of a process that is gone.
  writeFileSync(cutFile, readFileSync(cutFile).subarray(0, -20));
  writeFileSync(join(cut, '.lock'), `${JSON.stringify({ pid: 2 ** 22 + 7, host: hostname() })}\n`);
  utimesSync(cutFile, 1e9, 1e9);
  const broken = join(folder, 'broken');
  const brokenFile = await makeRecording({ folder: broken, samples: night });
  const bytes = readFileSync(brokenFile);
  bytes.fill(0xff, bytes.length - 3000, bytes.length - 1000);
  writeFileSync(brokenFile, bytes);
  const imported = join(folder, 'imported');
  await makeRecording({ folder: imported, samples: loads(0, 5), header: { imported: ['smi.csv'] } });
  const run = (...args: readonly string[]) => runTraintop(['doctor', ...args], { TZ: 'UTC' });
  outcomes = {
    text: await run(whole),
    json: await run(whole, '--json'),
    cut: await run(cut, '--json'),
    broken: await run(broken, '--json'),
    imported: await run(imported, '--json'),
    single: await run(file, '--json'),
  };
}, 60_000);

interface Report {
  readonly checks: readonly {
    readonly id: string;
    readonly status: string;
    readonly found: string;
    readonly why?: string;
  }[];
  readonly recording: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}
const report = ({ output }: Outcome) => JSON.parse(output) as Report;
const check = (outcome: Outcome, id: string) => report(outcome).checks.find((each) => each.id === id);

describe('doctor of a recording', () => {
  test('is text of 80 columns as that of a host', () => {
    const { code, output, errors } = outcomes.text;
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(Math.max(...output.split('\n').map((line) => [...line].length))).toBe(80);
    expect(output).toMatch(/^── Recording ─+$/m);
    expect(output).toMatch(/^ ✓ recording {5}of gpu7, made by traintop 0\.1\.0 in format 1$/m);
    expect(output).toMatch(/^ It can be read\.$/m);
  });

  test('has figures of it with --json', () => {
    const { checks, ...object } = report(outcomes.json);
    expect(checks.length).toBeGreaterThan(12);
    expect(object).toMatchObject({
      ...{ doctor: 1, works: true, ran: [], target: join(folder, 'whole') },
      recording: {
        ...{ target: 'gpu7', from: '2026-06-12T03:00:00.000Z', to: '2026-06-12T03:10:00.000Z', seconds: 600 },
        ...{ parts: 1, samples: night.length, brokenLines: 0, withheldLines: 0, brokenBytes: 0 },
      },
    });
  });

  test('says how long each source was live, and why not, but of a hole', () => {
    expect(check(outcomes.json, 'source.gpu')).toMatchObject({
      status: 'warn',
      found: 'live for 6 min 19 s, 76 % of the time; failed for 2 min',
      why: 'nvidia-smi ended with 15',
    });
    expect(check(outcomes.json, 'source.host')).toMatchObject({
      status: 'ok',
      found: 'live for 8 min 19 s, 100 % of the time',
    });
    expect(check(outcomes.json, 'source.busiest')).toMatchObject({
      status: 'note',
      found: 'never live: off',
      why: 'sshd allows no more sessions',
    });
    expect(check(outcomes.json, 'link')).toMatchObject({
      status: 'warn',
      found: 'up for 7 min 19 s, lost 1 time for 1 min',
      why: 'No answer for 15 s',
    });
  });

  test('a link that never was up is no good one', async () => {
    const path = await makeRecording({
      folder: join(folder, 'never'),
      samples: [
        link(0, 'connecting'),
        link(20, 'lost', 'No route to the host.'),
        link(30, 'connecting'),
        ...loads(31, 40),
      ],
    });
    expect(check(await runTraintop(['doctor', path, '--json']), 'link')).toMatchObject({
      status: 'failed',
      found: 'never up in 39 s',
      why: 'No route to the host',
    });
  });

  test('says what is missing in it', () => {
    expect(check(outcomes.json, 'recording.holes')).toMatchObject({
      status: 'warn',
      found: '1 hole, 1 min 41 s together',
      why: expect.stringContaining('from 2026-06-12 03:06:39 to 2026-06-12 03:08:20'),
    });
    expect(check(outcomes.json, 'recording.lines')).toMatchObject({ status: 'ok' });
    expect(check(outcomes.json, 'recording.clock')).toMatchObject({ status: 'unknown' });
  });

  test('names its run, and counts its events by kind', () => {
    expect(check(outcomes.json, 'recording.run')).toMatchObject({
      status: 'note',
      found: 'PID 41, python3 train.py: 1 process, watched from 2026-06-12 03:00:01; it ended at 2026-06-12 03:10:00',
    });
    expect(check(outcomes.json, 'event.link-lost')).toMatchObject({
      found: '1 time, at 2026-06-12 03:05:00',
      why: 'No answer for 15 s.',
    });
    expect(check(outcomes.json, 'event.mark')).toMatchObject({ why: 'here' });
    expect(check(outcomes.json, 'log')).toMatchObject({ found: '/run/train.log: 1 line (generic), 1 error' });
  });

  test('tells one that was closed from one that was cut off, and a single file from both', () => {
    expect(check(outcomes.json, 'recording.end')).toMatchObject({ status: 'ok' });
    expect(check(outcomes.cut, 'recording.end')).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('never closed'),
    });
    expect(check(outcomes.single, 'recording.end')).toMatchObject({ status: 'unknown' });
    expect(outcomes.cut.code).toBe(0);
  });

  test('counts what cannot be read, and reads the rest', () => {
    const { status, found } = check(outcomes.broken, 'recording.lines') ?? {};
    expect(status).toBe('warn');
    expect(found).toMatch(/\d could not be read|kB could not be read/);
    expect(report(outcomes.broken).recording['samples']).toBeGreaterThan(100);
    expect(outcomes.broken.code).toBe(0);
  });

  test('says of what files one was made', () => {
    expect(check(outcomes.imported, 'recording')).toMatchObject({
      status: 'note',
      why: expect.stringContaining('of smi.csv'),
    });
  });

  test.each<[args: readonly string[], said: RegExp]>([
    [[resolve('package.json')], /^traintop: .*package\.json is no recording.*\n$/],
    [[join(folder, 'nothing.jsonl.gz')], /^traintop: There is no .*nothing\.jsonl\.gz.*\n$/],
    [[join(folder, 'whole'), '--commands'], /^traintop: --commands is about a host.*\n$/],
    [[join(folder, 'whole'), '--pid', '4'], /^traintop: --pid is about a host.*\n$/],
  ])('%s is told in a sentence', async (args, said) => {
    const { code, output, errors } = await runTraintop(['doctor', ...args]);
    expect(errors).toMatch(said);
    expect({ code, output }).toEqual({ code: 2, output: '' });
  });
});

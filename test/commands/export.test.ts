import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GpusSample, LogLine, LogSample, Sample, ThreadsSample } from '../../src/model/samples.ts';
import { factsOf } from '../collectors/made-context.ts';
import { head, madeStart, makeRecording } from '../support/made-recording.ts';
import { environment } from '../support/terminal.ts';
import { runTraintop } from './run-once.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-export-'));
let path: string;

const gpus = (second: number, watts: number | null): GpusSample => ({
  ...head('gpus', second, 'gpu'),
  uuid: ['GPU-a', 'GPU-b'],
  index: [0, 1],
  name: ['NVIDIA H200', 'NVIDIA H200'],
  powerWatts: [watts, 100],
  throttleReasons: [watts === 700 ? ['power cap'] : [], null],
});

const log = (second: number, values: LogLine['values'], time = madeStart + second * 1000): LogSample => ({
  ...head('log', second),
  path: '/run/train.log',
  format: 'generic',
  lines: [{ text: 'a line', time, ...(values && { values }) }],
});

const threads = (second: number): ThreadsSample => ({
  ...head('threads', second),
  reader: 'proc',
  pid: [41, 41],
  tid: [41, 42],
  comm: ['python3', 'pt_data,"pin"'],
  state: ['S', 'R'],
  core: [0, 1],
  cpuPercent: [null, 50],
  userPercent: [null, 40],
  systemPercent: [null, 10],
  runQueuePercent: [null, null],
});

/** A minute: no GPU from 20 to 40, and a loss that is no number at 30; what a log said before, and late. */
const samples: readonly Sample[] = [
  { ...head('facts', 0), facts: factsOf({ hostname: 'gpu7' }) },
  {
    ...log(0, { loss: 9 }),
    backlog: true,
    lines: [
      { text: 'stamped', time: madeStart - 3_600_000, values: { loss: 9 } },
      { text: 'nobody knows when', time: madeStart - 10, values: { loss: 8 }, undated: true },
    ],
  },
  ...Array.from({ length: 60 }, (_, n): readonly Sample[] => [
    ...(n < 20 || n >= 40 ? [gpus(n, n === 10 ? null : n === 11 ? 700 : 600 + n)] : []),
    threads(n),
    log(n, {
      step: n,
      loss: n === 30 ? NaN : 2 - n / 100,
      ...(n === 31 && { gradNorm: Infinity }),
      queues: [{ name: '=q,"x"', depth: n }],
      other: { 'mem GB': 3 },
    }),
  ]).flat(),
  { ...head('event', 59), event: 'run ended', text: '=HYPERLINK("http://x"), it said' },
  { ...head('mark', 59, 'user'), text: 'look\nhere' },
];

beforeAll(async () => {
  path = await makeRecording({ folder: join(folder, 'run'), samples });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => runTraintop(['export', path, ...args], { TZ: 'UTC' });
const objects = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a table', () => {
  test('has a column a series, an empty cell where nothing was measured, and no zeros of its own', async () => {
    const { code, output, errors } = await run('--series', 'gpu/*', '--series', 'log/*');
    expect(errors).toBe('');
    expect(code).toBe(0);
    const [first = '', ...rows] = readCsv(output);
    expect(first).toEqual([
      ...['time', 'epochSeconds', 'gpu/0/powerWatts', 'gpu/0/throttled', 'gpu/1/powerWatts'],
      ...['log/gradNorm', 'log/loss', 'log/other/mem GB', 'log/step'],
    ]);
    const at = (second: number) => rows.find(([time]) => time === new Date(madeStart + second * 1000).toISOString());
    expect(rows[0]).toEqual(['2026-06-12T02:00:00.000Z', '1781229600', '', '', '', '', '9', '', '']);
    expect(at(0)?.slice(2)).toEqual(['600', '0', '100', '', '2', '3', '0']);
    expect(at(10)?.slice(2)).toEqual(['', '0', '100', '', '1.9', '3', '10']);
    expect(at(11)?.slice(2)).toEqual(['700', '1', '100', '', '1.89', '3', '11']);
    expect(at(30)?.slice(2)).toEqual(['', '', '', '', 'nan', '3', '30']);
    expect(at(31)?.slice(2)).toEqual(['', '', '', 'inf', '1.69', '3', '31']);
    expect(rows).toHaveLength(61);
  });

  test('of stretches has means, the last of what counts up, and gaps as gaps', async () => {
    const { output } = await run('--series', 'gpu/0/*', '--series', 'log/step', '--every', '10s', '--from', 'start');
    expect(output).toBe(
      [
        'time,epochSeconds,gpu/0/powerWatts,gpu/0/throttled,log/step',
        '2026-06-12T03:00:00.000Z,1781233200,604.5,0,9',
        '2026-06-12T03:00:10.000Z,1781233210,624.888888889,0.1,19',
        '2026-06-12T03:00:20.000Z,1781233220,,,29',
        '2026-06-12T03:00:30.000Z,1781233230,,,39',
        '2026-06-12T03:00:40.000Z,1781233240,644.5,0,49',
        '2026-06-12T03:00:50.000Z,1781233250,654.5,0,59',
        '',
      ].join('\n'),
    );
  });

  test('keeps what is no number in the mean that it was in', async () => {
    const { output } = await run('--series', 'log/loss', '--every', '10s', '--from', '30s', '--to', '59s');
    expect(readCsv(output).map(([, , loss]) => loss)).toEqual(['log/loss', 'nan', '1.555', '1.455']);
  });

  test('takes names as spreadsheets and csv readers do', async () => {
    const { output } = await run('--series', 'queue/*', '--to', '+2s');
    expect(output.split('\n')[0]).toBe('time,epochSeconds,"queue/=q,""x""/depth"');
  });

  test('has threads where they are asked for, and their sum', async () => {
    const { output } = await run('--series', 'thread/*', '--series', 'run/*', '--from', '59s');
    expect(readCsv(output)[0]?.slice(2)).toEqual([
      'run/cores',
      ...['thread/41/42/cpuPercent', 'thread/41/42/systemPercent', 'thread/41/42/userPercent'],
    ]);
    expect(readCsv(output)[1]?.slice(2)).toEqual(['0.5', '50', '10', '40']);
    const { output: all } = await run('--list', '--format', 'csv');
    expect(all).not.toContain('thread/');
  });
});

test('says what could not be read of a damaged recording', async () => {
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  const damaged = join(folder, 'damaged.jsonl');
  writeFileSync(damaged, lines.map((line, i) => (i > 20 && i % 3 === 0 ? line.slice(0, 20) : line)).join('\n'));
  const { code, errors } = await runTraintop(['export', damaged, '--series', 'gpu/*']);
  expect(code).toBe(0);
  expect(errors).toMatch(/^traintop: \d+ lines of the recording could not be read: what they told is missing\.\n$/);
});

test('a sentence about a path has no escape sequence of its name', async () => {
  const { code, errors } = await runTraintop(['export', join(folder, 'no\x1b]0;owned\x07\x1b[31mfile.jsonl')]);
  expect(code).toBe(2);
  expect(errors).toContain('nofile.jsonl');
  expect(errors).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

describe('lines of JSON', () => {
  test('have what was measured, and what JSON has not by its name', async () => {
    const { output } = await run('--format', 'jsonl', '--series', 'log/*', '--from', '30s', '--to', '31s');
    expect(objects(output)).toEqual([
      {
        ...{ time: '2026-06-12T03:00:30.000Z', epochSeconds: 1_781_233_230 },
        ...{ 'log/loss': 'NaN', 'log/step': 30, 'log/other/mem GB': 3 },
      },
      {
        ...{ time: '2026-06-12T03:00:31.000Z', epochSeconds: 1_781_233_231 },
        ...{ 'log/loss': 1.69, 'log/step': 31, 'log/gradNorm': 'Infinity', 'log/other/mem GB': 3 },
      },
    ]);
  });

  test('are written to a file that ends so, for its owner alone', async () => {
    const file = join(folder, 'out.jsonl');
    const { code, output } = await run('--series', 'run/cores', '-o', file);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(objects(readFileSync(file, 'utf8'))).toHaveLength(60);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('never over the recording itself, by whatever name', async () => {
    const before = readFileSync(path);
    const alias = join(folder, 'alias.csv');
    symlinkSync(path, alias);
    for (const name of [path, alias]) {
      const { code, errors } = await run('-o', name);
      expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('recording itself') as string });
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('beside series', () => {
  test('their names, and what is in them', async () => {
    const { output } = await run('--list', '--series', 'gpu/0/*', '--series', 'thread/*/cpuPercent');
    expect(output.split('\n')[0]).toMatch(/^series +values +minimum +maximum {2}about$/);
    expect(output).toMatch(/^gpu\/0\/powerWatts +39 +600 +700 {2}NVIDIA H200 GPU-a$/m);
    expect(output).toMatch(/^thread\/41\/42\/cpuPercent +60 +50 +50 {2}pt_data,"pin"$/m);
  });

  test('events and marks, whose text is no formula', async () => {
    const { output } = await run('--events');
    expect(output).toBe(
      [
        'time,epochSeconds,kind,event,source,text',
        `2026-06-12T03:00:59.000Z,1781233259,event,run ended,event,"'=HYPERLINK(""http://x""), it said"`,
        '2026-06-12T03:00:59.000Z,1781233259,mark,,user,look\uFFFDhere',
        '',
      ].join('\n'),
    );
    const { output: json } = await run('--events', '--format', 'jsonl');
    expect(objects(json)[0]).toMatchObject({
      kind: 'event',
      event: 'run ended',
      text: '=HYPERLINK("http://x"), it said',
    });
  });
});

describe('what ends early or is wrong', () => {
  test('a reader that goes is no fault', async () => {
    const child = spawn(process.execPath, [resolve('bin/traintop.js'), 'export', path, '--series', '*'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout.destroy();
    const code = await new Promise((done) => child.once('close', done));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });

  test.each<[args: readonly string[], said: RegExp]>([
    [['--format', 'xlsx'], /^traintop: --format is csv or jsonl; .*\n$/],
    [['--every', '10'], /^traintop: --every is a time .*\n$/],
    [['--series', 'gpu/9/*'], /^traintop: No series of .* is called gpu\/9\/\*; .*\n$/],
    [['--series', 'gpu/0/*', '--from', '25s', '--to', '35s'], /: No series of .* and has values in that time; .*\n$/],
    [['--from', 'yesterday'], /^traintop: --from: "yesterday" is no time.*\n$/],
    [['--from', '40s', '--to', '20s'], /^traintop: --from is after --to.*\n$/],
    [['--events', '--every', '10s'], /^traintop: --every makes no sense with --events.*\n$/],
    [['-o', '/no/such/folder/out.csv'], /^traintop: \/no\/such\/folder\/out\.csv could not be written .*\n$/],
    [['--pid', '4'], /unknown option/],
  ])('%s is told in a sentence', async (args, said) => {
    const { code, output, errors } = await run(...args);
    expect(errors).toMatch(said);
    expect(output).toBe('');
    expect(code).toBe(2);
  });

  test('a file that is there stays as it was when no series is called so', async () => {
    const there = join(folder, 'there.csv');
    writeFileSync(there, 'mine');
    expect((await run('--series', 'nope', '-o', there)).code).toBe(2);
    expect(readFileSync(there, 'utf8')).toBe('mine');
  });

  test('what is no recording', async () => {
    const { code, output, errors } = await runTraintop(['export', resolve('package.json')]);
    expect(errors).toMatch(/^traintop: .*package\.json.*\n$/);
    expect({ code, output }).toEqual({ code: 2, output: '' });
  });
});

/** The rows of a CSV, by the rules of RFC 4180. */
function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

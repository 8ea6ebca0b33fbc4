import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { diagnose } from '../../src/commands/diagnose.ts';
import { readDiagnoseOptions } from '../../src/commands/diagnose-options.ts';
import { UsageFault } from '../../src/config/check-options.ts';
import type { GpusSample, LogSample, RunSample, Sample } from '../../src/model/samples.ts';
import { situations } from '../../src/model/situations.ts';
import { imported, situation } from '../import/imported.ts';
import { head, makeRecording } from '../support/made-recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-diagnose-'));
const empty = join(folder, 'empty.log');
writeFileSync(empty, '');
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function printed(path: string | undefined, raw: Record<string, unknown> = {}): Promise<string> {
  let text = '';
  expect(await diagnose(readDiagnoseOptions(path, raw), async (said) => void (text += said))).toBe(0);
  return text;
}

interface Printed {
  readonly verdicts: readonly {
    readonly situation: string;
    readonly since: string;
    readonly evidence: readonly object[];
  }[];
  readonly at: string;
  readonly timeline: readonly { readonly from: string; readonly until: string; readonly share: number }[];
  readonly signals?: readonly {
    readonly subject: object;
    readonly signals: Record<string, { readonly value: number }>;
  }[];
}

const json = async (path: string | undefined, raw: Record<string, unknown> = {}) =>
  JSON.parse(await printed(path, { ...raw, json: true })) as Printed;

describe('saved output of eight seconds', () => {
  const files = situation('queue_full');

  test('gives verdicts as an object of these fields alone, with times as ISO 8601', async () => {
    const { verdicts, at, timeline, ...more } = await json(undefined, files);
    expect(more).toEqual({});
    expect(at).toMatch(/^2026-11-29T13:55:4\d\.\d{3}Z$/);
    const [first] = verdicts;
    expect(Object.keys(first ?? {})).toEqual([
      'situation',
      'scope',
      'confidence',
      'since',
      'evidence',
      'against',
      'missing',
      'next',
      'summary',
    ]);
    expect(situations).toContain(first?.situation);
    expect(Date.parse(first?.since ?? '')).toBeLessThanOrEqual(Date.parse(at));
    const names = new Set(verdicts.flatMap(({ evidence }) => evidence.flatMap((figure) => Object.keys(figure))));
    expect([...names].filter((name) => !['signal', 'value', 'unit', 'source', 'of'].includes(name))).toEqual([]);
    const [from, until] = [timeline[0]?.from, timeline.at(-1)?.until];
    expect([from !== undefined && from < at, until]).toEqual([true, at]);
    expect(Object.keys(timeline[0] ?? {})).toEqual(['situation', 'scope', 'from', 'until', 'share']);
  });

  test('gives what the recording of an import gives', async () => {
    const of = await json(undefined, { ...files, signals: true });
    await imported(files, async ({ path }) => {
      expect(await json(path, { signals: true })).toEqual(of);
    });
    const gpu = of.signals?.find(({ subject }) => 'index' in subject && subject.index === 1);
    expect(gpu?.signals['utilization']?.value).toBeGreaterThan(80);
  });

  test('is judged with stacks that were taken later, of another start of the run', async () => {
    // A checkout gives them the time of today.
    const of = {
      ...situation('compute_bound'),
      stacks: 'test/fixtures/import/h200/compute_bound/stacks',
      signals: true,
    };
    const { at, verdicts, signals } = await json(undefined, of);
    expect(at.slice(0, 18)).toBe('2026-11-29T13:48:5');
    expect(verdicts[0]?.situation).toBe('compute-bound');
    const gpu = signals?.find(({ subject }) => 'index' in subject && subject.index === 0);
    expect(gpu?.signals['utilization']?.value).toBeGreaterThan(95);
    // Of the stacks' wait.txt: it is the end of the run's own files that counts.
    expect(gpu?.signals['mainSleeps']?.value).toBe(0);
  });

  test('is judged as of a moment in it', async () => {
    const { at, timeline } = await json(undefined, { ...files, at: '5s' });
    expect(at.slice(0, 20)).toBe('2026-11-29T13:55:35.');
    expect(timeline.at(-1)?.until).toBe(at);
  });

  test('has a page of 80 columns for people', async () => {
    const rows = (await printed(undefined, files)).split('\n');
    expect(rows[0]).toBe('traintop diagnose');
    expect(rows.filter((row) => row.length > 80 || row.includes('\x1b') || row.includes('…'))).toEqual([]);
    expect(rows.some((row) => /^ for +\S.* {2,}\S/.test(row))).toBe(true);
    expect(rows.some((row) => /^ next +\S/.test(row))).toBe(true);
  });

  test('says of one file alone that it is not enough, and what else to save', async () => {
    const { stat } = files;
    expect((await json(undefined, { stat })).verdicts.map((each) => each.situation)).toEqual(['unknown']);
    const page = await printed(undefined, { stat });
    expect(page).toContain('\nnot enough evidence: ');
    expect(page).toContain("since the last progress of the log: save the run's log (--log)");
  });

  test('has all signals where they are asked for', async () => {
    const page = await printed(undefined, { ...files, signals: true });
    expect(page).toMatch(/── Signals of the run ─/);
    expect(page).toMatch(/── Signals of GPU 1 ─[^]*\n utilization +\d+ % {2}utilization \(gpu, GPU 1\)/);
  });
});

describe('a run that ends', () => {
  const process = { pid: 41, commandLine: ['python', 'train.py'], gpuMinors: [0] };
  const run = { id: '41:1', rootPid: 41, processes: [process], outputs: [] };
  const gpus = (second: number, utilization: number): GpusSample => ({
    ...head('gpus', second, 'gpu'),
    ...{ uuid: ['GPU-a'], index: [0], name: ['NVIDIA H200'], utilizationPercent: [utilization] },
    ...{ powerWatts: [utilization > 0 ? 650 : 76], powerLimitWatts: [700] },
  });
  const log = (second: number, text: string): LogSample => ({
    ...head('log', second),
    ...{ path: '/run/train.log', format: 'generic' },
    lines: [{ text, time: head('log', second).time, values: { step: second, loss: 2 } }],
  });
  const phase = (second: number, name: 'running' | 'ended'): RunSample => ({
    ...head('run', second, 'processes'),
    ...{ phase: name, run, candidates: [run] },
  });
  const samples: readonly Sample[] = [
    phase(0, 'running'),
    ...Array.from({ length: 30 }, (_, n) => [gpus(n, 97), log(n, `step ${n} loss 2.0`)]).flat(),
    phase(30, 'ended'),
    ...Array.from({ length: 20 }, (_, n) => gpus(31 + n, 0)),
  ];

  test('is judged as of the moment before, where it ended well', async () => {
    const path = await makeRecording({ folder: join(folder, 'ended'), samples });
    const { at, verdicts } = await json(path);
    expect([at, verdicts[0]?.situation]).toEqual([new Date(head('run', 29).time).toISOString(), 'compute-bound']);
    expect(await printed(path)).toMatch(/\nas of \d\d:\d\d:29, before the run ended at \d\d:\d\d:30\n/);
    expect((await json(path, { at: 'end' })).at).toBe(new Date(head('run', 50).time).toISOString());
  });
});

describe('what cannot be diagnosed is a sentence', () => {
  test.each<[string, string | undefined, Record<string, unknown>, RegExp]>([
    ['a recording and files', 'a.gz', { top: 'top.txt' }, /a\.gz would be a recording, and --top names saved output/],
    ['options of files alone', undefined, { utcOffset: '+02:00' }, /--utc-offset is about saved output/],
    ['a file that is not there', undefined, { log: ['no.log'] }, /no\.log does not exist/],
    ['an empty file', undefined, { log: [empty] }, /^There is nothing in these files that can be read\.$/],
    ['nothing recorded', undefined, {}, /^Nothing was recorded yet: \S+ is not there\./],
    ['an empty moment', 'a.gz', { at: '' }, /--at is empty; see traintop diagnose --help/],
    ['two from standard input', undefined, { log: ['-', '-'] }, /Only one file can come from standard input/],
    ['a moment that is none', undefined, { ...situation('queue_full'), at: 'noon' }, /--at: "noon" is no time/],
    ['another kind of file', undefined, { top: 'test/fixtures/import/h200/queue_full/train.log' }, /train\.log/],
  ])('%s', async (_, path, raw, sentence) => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'none'));
    const outcome = (async () => diagnose(readDiagnoseOptions(path, raw)))();
    await expect(outcome).rejects.toThrow(sentence);
    await expect(outcome).rejects.toThrow(UsageFault);
  });
});

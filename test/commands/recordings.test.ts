import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sample } from '../../src/model/samples.ts';
import { writeLock } from '../../src/recording/lock.ts';
import { demoStart, playDemo } from '../support/demo-recording.ts';
import { head, makeRecording } from '../support/made-recording.ts';
import { runTraintop } from './run-once.ts';

const state = mkdtempSync(join(tmpdir(), 'traintop-recordings-'));
const runs = join(state, 'traintop/runs');
afterAll(() => rmSync(state, { recursive: true, force: true }));

/** Without a run, and with a mark. */
const short: readonly Sample[] = [
  ...[0, 1, 2].map((second): Sample => ({ ...head('host', second), load1: second })),
  { ...head('mark', 2, 'user'), text: 'here' },
];

beforeAll(async () => {
  mkdirSync(runs, { recursive: true });
  await playDemo({ seconds: 20, folder: join(runs, '2026-06-12T09-41-00_demo'), startedAt: demoStart });
  const file = await makeRecording({ folder: join(runs, '2026-06-12T03-00-00_gpu7'), samples: short });
  await makeRecording({
    folder: join(runs, 'imported'),
    samples: short,
    header: { imported: ['smi.csv'], session: 'x' },
  });
  // This process writes it still.
  const lock = await open(join(runs, '2026-06-12T03-00-00_gpu7/.lock'), 'w');
  await writeLock(lock);
  await lock.close();
  copyFileSync(file, join(runs, 'a-copy.jsonl.gz'));
  writeFileSync(join(runs, 'cut.jsonl.gz'), readFileSync(file).subarray(0, 30));
  writeFileSync(join(runs, 'notes.txt'), 'a note\n');
  writeFileSync(join(runs, '.hidden'), '');
  mkdirSync(join(runs, 'empty\x1b[31m'));
  symlinkSync('2026-06-12T09-41-00_demo', join(runs, 'link'));
  execFileSync('mkfifo', [join(runs, 'pipe.jsonl.gz')]);
}, 60_000);

interface Listed {
  readonly folder: string;
  readonly recordings: readonly Readonly<Record<string, unknown>>[];
}

describe('recordings', () => {
  test('are listed, the newest first, with what they are of', async () => {
    const { code, output, errors } = await runTraintop(['recordings', '--json'], { XDG_STATE_HOME: state });
    expect(errors).toBe('');
    expect(code).toBe(0);
    const { folder, recordings } = JSON.parse(output) as Listed;
    expect(folder).toBe(runs);
    const named = (name: string) => recordings.find((each) => each['name'] === name);
    const read = recordings.filter(({ fault }) => fault === undefined);
    expect(read.map(({ name }) => name)).toEqual([
      ...['2026-06-12T09-41-00_demo', 'imported', 'a-copy.jsonl.gz', '2026-06-12T03-00-00_gpu7'],
    ]);
    expect(named('2026-06-12T09-41-00_demo')).toMatchObject({
      ...{ from: '2026-06-12T09:41:00.000Z', target: 'demo', state: 'closed', parts: 1 },
      ...{ bytes: expect.any(Number), seconds: expect.closeTo(20, 0) },
      run: expect.stringContaining('train_pipeline.py'),
    });
    expect(named('2026-06-12T03-00-00_gpu7')).toEqual({
      ...{ name: '2026-06-12T03-00-00_gpu7', path: join(runs, '2026-06-12T03-00-00_gpu7') },
      ...{ from: '2026-06-12T03:00:00.000Z', to: '2026-06-12T03:00:02.000Z', seconds: 2 },
      ...{ target: 'gpu7', hostname: 'gpu7.lan', events: 1, state: 'written', parts: 1, bytes: expect.any(Number) },
    });
    expect(named('imported')).toMatchObject({ imported: true });
    expect(named('a-copy.jsonl.gz')).not.toHaveProperty('state');
  });

  test('beside what cannot be read, each with its sentence', async () => {
    const { code, output, errors } = await runTraintop(['recordings'], { XDG_STATE_HOME: state });
    expect(errors).toBe('');
    expect(code).toBe(0);
    const lines = output.split('\n');
    expect(lines[0]).toMatch(/: 4 recordings, [\d.]+ kB$/);
    expect(lines[2]).toMatch(/^recording +length +size +events +state +host +run$/);
    expect(output).toMatch(/^2026-06-12T03-00-00_gpu7 +2 s .* 1 {2}recording {2}gpu7\.lan$/m);
    expect(output).toMatch(/^cut\.jsonl\.gz: .*no recording/m);
    expect(output).toMatch(/^notes\.txt: .*no recording/m);
    expect(output).toMatch(/^link: .*symbolic link/m);
    expect(output).toMatch(/^pipe\.jsonl\.gz: .*pipe/m);
    expect(output).toMatch(/^empty.*no recording in it/m);
    expect(output).not.toMatch(/\x1b|hidden/);
  });

  test('of which one is written only where that is sure', async () => {
    const states = async (folder: string) => {
      const { output } = await runTraintop(['recordings', '--json', folder]);
      return (JSON.parse(output) as Listed).recordings.map((each) => each['state']);
    };
    const from = join(runs, '2026-06-12T03-00-00_gpu7');
    const copies = mkdtempSync(join(tmpdir(), 'traintop-copies-'));
    const to = join(copies, '2026-06-12T03-00-00_gpu7');
    // With times of now, as cp gives them.
    cpSync(from, to, { recursive: true });
    expect(await states(copies)).toEqual(['cut']);
    const lock = JSON.parse(readFileSync(join(to, '.lock'), 'utf8')) as Record<string, unknown>;
    const own = { ...lock, inode: statSync(join(to, '.lock')).ino };
    const write = (changed: object) => writeFileSync(join(to, '.lock'), JSON.stringify(changed));
    write(own);
    expect(await states(copies)).toEqual(['written']);
    for (const [changed, state] of [
      [{ host: 'another' }, 'elsewhere'],
      [{ boot: 'before' }, 'cut'],
      [{ started: '1' }, 'cut'],
      [{ pid: 2 ** 30 }, 'cut'],
    ] as const) {
      write({ ...own, ...changed });
      expect(await states(copies)).toEqual([state]);
    }
    write({ ...own, host: 'another' });
    const { output } = await runTraintop(['doctor', to]);
    expect(output).toMatch(/end +another machine wrote it until 2026-06-12 \d\d:\d\d:02/);
    expect(output).not.toMatch(/still being written/);
    rmSync(copies, { recursive: true });
  });

  test('of which there are none yet', async () => {
    const { code, output, errors } = await runTraintop(['recordings'], { XDG_STATE_HOME: join(state, 'none') });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(/none\/traintop\/runs: no recordings\n$/);
  });

  test('in a folder that is not there', async () => {
    const { code, output, errors } = await runTraintop(['recordings', join(state, 'nowhere')]);
    expect(errors).toMatch(/^traintop: The folder .*nowhere cannot be listed \(ENOENT.*\n$/);
    expect({ code, output }).toEqual({ code: 2, output: '' });
  });
});

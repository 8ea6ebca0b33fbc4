import { execFileSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openLines } from '../../src/import/lines.ts';
import { mergeSamples } from '../../src/import/merge.ts';
import { mergeGpus } from '../../src/import/gpus.ts';
import { isHeader, layoutOf } from '../../src/import/smi-layout.ts';
import { surveyStacks } from '../../src/import/stacks-read.ts';
import { createTopText } from '../../src/import/top-text.ts';
import type { GpusSample, Sample } from '../../src/model/samples.ts';
import { fixtures, imported, ownFolder } from './imported.ts';

const { file } = ownFolder();

describe('times that cannot be of one run', () => {
  test.each([
    [
      'far.log',
      '2026-06-12 10:00:00 step 1\n2031-06-12 10:00:00 step 2\n',
      /^far\.log begins at 2026-06-12 10:00:00, and it ends at 2031-06-12 10:00:00: a recording spans a year at most\./,
    ],
    [
      'old.log',
      '1970-01-01 00:00:03 boot\n2026-06-12 10:00:00 step 2\n',
      /^old\.log begins at 1970-01-01 00:00:03, and it/,
    ],
    ['zones.log', '2026-06-12 10:00:00 step 1\n2031-06-12T10:00:00Z step 2\n', /it ends at 2031-06-12 10:00:00:/],
  ])('%s is refused with both', async (name, text, sentence) => {
    const log = await file(name, text);
    await expect(imported({ log: [log], utcOffset: 'Z' }, () => {})).rejects.toThrow(sentence);
  });

  test('lines of one log that tell the date, and those that do not, lie on one axis', async () => {
    const log = await file(
      'mixed.log',
      '[13:53:20] begins\n2026-11-29 13:53:21 step 1\n[13:53:22] step 2\n2026-11-29T12:53:23Z step 3\n',
    );
    await imported({ log: [log], utcOffset: '+01:00' }, ({ samples, recording }) => {
      const times = samples.flatMap((sample) => (sample.kind === 'log' ? sample.lines.map(({ time }) => time) : []));
      expect(times.map((time) => new Date(time).toISOString().slice(0, 19))).toEqual(
        [20, 21, 22, 23].map((second) => `2026-11-29T12:53:${second}`),
      );
      expect(recording.to).toBe(Date.parse('2026-11-29T12:53:23Z'));
    });
  });
});

describe('long lines', () => {
  const most = 60_000;

  test('are read in one go, whatever stands in them', async () => {
    for (const cell of ['a_'.repeat(most / 2), 'a._'.repeat(most / 3), 'a'.repeat(most), `a${' ['.repeat(most / 2)}`]) {
      expect(isHeader([`${cell}1`, '1'])).toBe(false);
      expect(layoutOf(['index', cell]).unused).toEqual([cell]);
    }
    const top = createTopText();
    for (const line of ['top - 10:00:00 up 4 min,  0 user,  load average: 2.18, 0.85, 0.33', '1'.repeat(most)])
      top.push(line);
    expect(top.push(`MiB Mem : ${'1'.repeat(most)}`)).toBe(true);
    const dump = await file(
      'dump-5.txt',
      `Process 5: python\nPython v3\n\nThread 5 (idle)\n    a${' ('.repeat(most / 2)}\n`,
    );
    const { dumps } = await surveyStacks(dirname(dump), 'stacks');
    expect(dumps[0]?.threads[0]?.frames).toEqual([]);
  });
});

test('only files of a folder of dumps are read, no pipe that nobody writes to', async () => {
  const folder = join(dirname(await file('here', '')), 'stacks');
  await mkdir(folder);
  await cp(join(fixtures, 'saved/stacks/dump-467-1.json'), join(folder, 'dump-467-1.json'));
  for (const name of ['err.txt', 'dump-467-2.json']) execFileSync('mkfifo', [join(folder, name)]);
  const { dumps } = await surveyStacks(folder, 'stacks');
  expect(dumps.map((dump) => dump.file)).toEqual(['dump-467-1.json']);
});

test('a disk that fails in the middle of gzip ends the reading', async () => {
  const packed = gzipSync('step 1\n'.repeat(1000), { level: 0 });
  const failing = async function* () {
    yield packed.subarray(0, 2000);
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  };
  const path = await file('log.gz', packed);
  const lines = openLines({ path, name: 'log.gz', read: () => Readable.from(failing()) });
  const all = async () => {
    for await (const some of lines.lines()) expect(some.length).toBeGreaterThan(0);
  };
  await expect(all()).rejects.toThrow('log.gz cannot be read (EIO: i/o error, read).');
});

describe('who takes no more', () => {
  const frame = (time: number): GpusSample => ({
    ...{ kind: 'gpus', host: 'h', source: 'gpu', time, receivedAt: time },
    ...{ uuid: ['u'], index: [0], name: [null] },
  });
  function opened(closed: string[], name: string) {
    return (async function* () {
      try {
        for (let time = 0; ; time += 1000) yield frame(time);
      } finally {
        closed.push(name);
      }
    })();
  }

  test('of frames leaves neither file open', async () => {
    const closed: string[] = [];
    const merged = mergeGpus({
      ...{ fast: opened(closed, 'fast'), slow: opened(closed, 'slow') },
      ...{ stepMs: 1000, identities: new Map() },
    });
    for await (const { time } of merged) if (time > 0) break;
    expect(closed).toEqual(['fast', 'slow']);
  });

  test('of streams because one fails at once leaves none of the others open', async () => {
    const closed: string[] = [];
    const failing: AsyncIterable<Sample> = (async function* () {
      yield* await Promise.reject<Sample[]>(new Error('broken'));
    })();
    const merged = mergeSamples([opened(closed, 'one'), failing, opened(closed, 'two')]);
    await expect(merged.next()).rejects.toThrow('broken');
    expect(closed).toEqual(['one', 'two']);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { LogSample, Sample, StacksSample } from '../../src/model/samples.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { at, fixtures, imported, lastOf, ownFolder, situation, states, textOf } from './imported.ts';

const { file } = ownFolder();
const logs = (samples: readonly Sample[]) => samples.filter((sample): sample is LogSample => sample.kind === 'log');
const lines = (samples: readonly Sample[]) => logs(samples).flatMap((sample) => sample.lines);
const clockOf = (time: number | undefined) => (time === undefined ? '' : new Date(time).toISOString().slice(11, 23));

test('a process that becomes another program has its new name', async () => {
  const [round = ''] = (await textOf(join(fixtures, 'h200/nccl_hang/stat.txt.gz'))).split(/^(?=== )/m).filter(Boolean);
  const stat = await file(
    'exec.txt',
    round.replace(/\(.*\)/g, '(bash)') + round.replace(/^== (\d+)/, (_, s) => `== ${Number(s) + 1}`),
  );
  await imported({ stat }, ({ samples }) => {
    const names = samples.flatMap((one) => (one.kind === 'run' ? [one.run?.processes[0]?.commandLine[0]] : []));
    expect(names).toHaveLength(2);
    expect(names[0]).toBe('[bash]');
    expect(names[1]).not.toBe('[bash]');
  });
});

test('unpacked, and packed again, it has its own times', async () => {
  await imported({ top: join(fixtures, 'h200/nccl_hang/top.txt.gz') }, async ({ recording: { from, to }, path }) => {
    const bare = await file('bare.jsonl', gunzipSync(await readFile(path)).toString());
    const recording = await openRecording(bare);
    expect([recording.from, recording.to]).toEqual([from, to]);
    await recording.close();
  });
});

test('what docs/import.md has one save: header, units, times in every file', () => {
  const saved = join(fixtures, 'saved');
  const files = { top: 'top.txt.gz', nvidiaSmi: 'smi.csv.gz', dmon: 'dmon.txt.gz', stat: 'stat.txt.gz' };
  const raw = Object.fromEntries(Object.entries(files).map(([option, name]) => [option, join(saved, name)]));
  return imported({ ...raw, log: [join(saved, 'train.log')], stacks: join(saved, 'stacks') }, ({ samples, text }) => {
    const now = lastOf(samples, 'gpus', Date.parse('2026-11-30T00:33:06.900Z'));
    // smi.csv 00:33:06.701, dmon.txt 00:33:07.
    expect(now).toMatchObject({
      uuid: ['GPU-11111111-2222-3333-4444-555555555555'],
      name: ['NVIDIA H200'],
      utilizationPercent: [100],
      powerWatts: [694.14],
      powerLimitWatts: [700],
      memoryTotalBytes: [143771 * 1024 * 1024],
      memoryTemperatureCelsius: [49],
      smActivePercent: [92],
      tensorHalfActivePercent: [49],
      pcieRxBytesPerSecond: [52 * 1024 * 1024],
      throttleReasons: [['power cap']],
      pstate: ['P0'],
    });
    expect(lastOf(samples, 'run')?.run?.processes.map(({ pid }) => pid)).toEqual([467]);
    expect(lastOf(samples, 'threads')?.tid).toHaveLength(34);
    expect(samples.filter(({ kind }) => kind === 'stacks')).toHaveLength(3);
    expect(text).not.toContain('could not be read');
    expect(text).toContain(
      'Taken for granted:\n  top.txt.gz and train.log tell the time without the date: the day nearest to the other files.\n',
    );
  });
});

describe('logs', () => {
  test('a line without a time came with the line before it; midnight is passed', async () => {
    const log = await file(
      'a.log',
      '[23:59:58] step 1\nand more\n[00:00:03] step 2\n',
      Date.parse('2026-11-30T00:00:03Z'),
    );
    await imported({ log: [log], utcOffset: 'Z' }, ({ samples, text }) => {
      expect(lines(samples).map(({ time, text: line }) => [new Date(time).toISOString().slice(8, 19), line])).toEqual([
        ['29T23:59:58', '[23:59:58] step 1'],
        ['29T23:59:58', 'and more'],
        ['30T00:00:03', '[00:00:03] step 2'],
      ]);
      expect(text).toContain('1 line without a time: at that of the line before');
    });
  });

  test('of before the other files stood in the log by then', () =>
    imported(situation('alloc_churn'), ({ samples, recording }) => {
      const [first] = logs(samples);
      expect(first).toMatchObject({ backlog: true });
      expect(clockOf(first?.receivedAt)).toBe('13:51:00.000');
      expect(clockOf(first?.lines[0]?.time)).toBe('13:50:56.000');
      expect(recording.from).toBe(at('13:51:00.000'));
      // Among them are no lines of after that.
      expect(first?.lines.every(({ time }) => time < at('13:51:00.000'))).toBe(true);
    }));

  test('several, one in UTC, one without times, one that is silent', async () => {
    const paths = [
      await file('utc.log', '2026-11-29T13:53:19Z step 1 | loss 2.5\n2026-11-29T13:53:20.500Z step 2 | loss 2.25\n'),
      await file('plain.log', 'step 1\nstep 2\n', at('13:53:25')),
      await file('silent.log', ''),
    ];
    await imported({ ...situation('nccl_hang'), log: paths }, ({ samples }) => {
      const of = (source: string) => logs(samples).filter((sample) => sample.source === source);
      expect(of('log').flatMap((sample) => sample.lines.map(({ time }) => clockOf(time)))).toEqual([
        '13:53:19.000',
        '13:53:20.500',
      ]);
      expect(of('log:2').flatMap((sample) => sample.lines.map(({ undated }) => undated))).toEqual([true, true]);
      expect(of('log:2').map(({ receivedAt }) => clockOf(receivedAt))).toEqual(['13:53:25.000']);
      expect(of('log:3')).toMatchObject([{ lines: [], path: 'silent.log' }]);
      expect(states(samples, 'log:3')).toEqual(['live']);
    });
  });

  test('of another time or zone is told', async () => {
    const log = await file('zone.log', '2026-11-29 03:53:19 step 1\n2026-11-29 03:53:20 step 2\n');
    await imported({ ...situation('nccl_hang'), log: [log] }, ({ text }) => {
      expect(text).toContain(
        'none of its times lies within those of the other files: of another time, or of another zone?',
      );
    });
  });

  test('escape sequences and bars, as of a live host', async () => {
    const log = await file(
      'bar.log',
      '\u001b[31m[13:53:19] red\u001b[0m\r\n 5%|▌    | 5/100 [00:01<00:19, 5.0it/s]\r10%|█   | 10/100 [00:02<00:18, 5.0it/s]\r',
    );
    await imported({ log: [log], utcOffset: 'Z' }, ({ samples }) => {
      expect(lines(samples).map(({ text }) => text)).toMatchObject(
        ['[13:53:19] red', / 5%/, /10%/].map((pattern) =>
          typeof pattern === 'string' ? pattern : expect.stringMatching(pattern),
        ),
      );
    });
  });
});

describe('stacks', () => {
  const stacks = (samples: readonly Sample[]) =>
    samples.filter((sample): sample is StacksSample => sample.kind === 'stacks');

  test('dumps as JSON and as text, a failed one, and what is not read', () =>
    imported(
      { ...situation('compute_bound'), stacks: join(fixtures, 'h200/compute_bound/stacks') },
      ({ samples, text }) => {
        const [native, first, ...more] = stacks(samples);
        expect(native).toMatchObject({ pid: 426, command: 'python3 -u scenarios.py compute_bound 40' });
        expect(native?.threads.map(({ tid, name }) => [tid, name])).toEqual([
          [426, 'MainThread'],
          [467, undefined],
        ]);
        expect(native?.threads[0]?.frames[1]).toEqual({
          function: 'pthread_cond_wait',
          file: 'libc.so.6',
          native: true,
        });
        expect(native?.threads[0]?.frames[10]).toEqual({
          function: '_engine_run_backward',
          file: 'torch/autograd/graph.py',
          line: 869,
        });
        expect(first?.threads.length).toBeGreaterThan(0);
        expect(more.map(({ failure }) => failure)).toEqual([
          undefined,
          'py-spy wrote nothing (Failed to get stack traces).',
          undefined,
        ]);
        expect(text).toContain('5 dumps of PID 426, 1 of them failed');
        expect(text).toContain('empty: dump-426-3.json');
        expect(text).toContain('what 34 threads waited in');
        expect(text).not.toContain('not read');
      },
    ));

  test('alone', () =>
    imported({ stacks: join(fixtures, 'h200/gil_bound/stacks') }, ({ samples }) => {
      expect(stacks(samples).map(({ pid }) => pid)).toEqual([2045, 2045]);
      expect(
        stacks(samples)
          .at(-1)
          ?.threads.some(({ name, ownsGil }) => name?.startsWith('tokenizer') && ownsGil),
      ).toBe(true);
    }));
});

test('a log is read by the patterns of the configuration, and as the format that is pinned', async () => {
  const log = [
    await file('taught.log', '2026-08-20 10:00:00 gadget 7 frob 2.25\n2026-08-20 10:00:01 step 5 | loss 2.5\n'),
  ];
  const config = await file(
    'taught.toml',
    `[[log]]\nname = "mine"\npattern = 'gadget (?<step>\\d+) frob (?<loss>\\S+)'\n`,
  );
  const values = (samples: readonly Sample[]) => lines(samples).map((line) => line.values);
  await imported({ log, config, utcOffset: 'Z' }, ({ samples }) =>
    expect(values(samples)).toMatchObject([
      { step: 7, loss: 2.25 },
      { step: 5, loss: 2.5 },
    ]),
  );
  await imported({ log, config, utcOffset: 'Z', logFormat: 'generic' }, ({ samples }) =>
    expect(values(samples)[0]?.loss).toBeUndefined(),
  );
  await expect(imported({ log, logFormat: 'zzz' }, () => {})).rejects.toThrow(
    '--log-format zzz is no format that is known',
  );
});

import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GpusSample, LogSample, Sample, StacksSample } from '../../src/model/samples.ts';
import { at, fixtures, imported, lastOf, situation } from './imported.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'traintop-import-test-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string | Buffer, changed = at('14:00:00')): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await utimes(path, changed / 1000, changed / 1000);
  return path;
}
const textOf = async (path: string) => gunzipSync(await readFile(path)).toString();
const frames = (samples: readonly Sample[]) => samples.filter((sample): sample is GpusSample => sample.kind === 'gpus');
const logs = (samples: readonly Sample[]) => samples.filter((sample): sample is LogSample => sample.kind === 'log');
const lines = (samples: readonly Sample[]) => logs(samples).flatMap((sample) => sample.lines);
const clockOf = (time: number | undefined) => (time === undefined ? '' : new Date(time).toISOString().slice(11, 23));
/** The states of a source, in order. */
const states = (samples: readonly Sample[], source: string) =>
  samples.flatMap((sample) =>
    sample.kind === 'source' && sample.source === source ? [`${sample.status} ${sample.reason ?? ''}`.trim()] : [],
  );

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

describe('GPUs', () => {
  test('dmon alone, of all of its forms', async () => {
    for (const [name, rounds, first] of [
      [
        'other/dmonT.txt',
        3,
        { powerWatts: [591, 519], smClockMhz: [1965, 1980], memoryUsedBytes: [3601 * 2 ** 20, 2883 * 2 ** 20] },
      ],
      ['saved/csv.txt', 3, { powerWatts: [112], temperatureCelsius: [37] }],
      ['saved/csvnounit.txt', 3, { powerWatts: [77], memoryTemperatureCelsius: [38] }],
      ['saved/gpmall.txt', 3, { utilizationPercent: [100], smActivePercent: [null], tensorActivePercent: [null] }],
    ] as const)
      await imported({ dmon: join(fixtures, name), utcOffset: 'Z', date: '2026-11-29' }, ({ samples }) => {
        expect(frames(samples)).toHaveLength(rounds);
        expect(frames(samples)[0]).toMatchObject(first);
      });
  });

  test('a round stands in the frames of its own second, and nowhere else', () =>
    imported(situation('nccl_hang'), ({ samples }) => {
      const all = frames(samples);
      // The first two rounds of GPM are `-`.
      expect(all[0]).toMatchObject({ temperatureCelsius: [33, 33], smActivePercent: [null, null] });
      // 13:53:22.6 to 23.6.
      const active = all.filter(({ time }) => time > at('13:53:22.900') && time <= at('13:53:23.600'));
      expect(active.map(({ smActivePercent }) => smActivePercent)).toEqual([
        [88, 84],
        [88, 84],
        [88, 84],
      ]);
      // gpm.txt goes on after smi250.csv: what only that told is absent then.
      expect(all.at(-1)).toMatchObject({ powerWatts: [121, 117] });
      expect(all.at(-1)).not.toHaveProperty('memoryUsedBytes');
    }));

  test('where the query is slower than dmon no frame has a value of another time', async () => {
    const rows = [0, 10, 20].map((second) => `2026/11/29 13:53:${String(10 + second)}.000, 0, ${second}, 500.00`);
    const smi = await file('slow.csv', `timestamp, index, utilization.gpu [%], power.draw [W]\n${rows.join('\n')}\n`);
    const counts = Array.from({ length: 21 }, (_, i) => ` 20261129 13:53:${String(10 + i)} 0 100 ${30 + i}`);
    const dmon = await file('dmon.txt', `#Date Time gpu sm gtemp\n#YYYYMMDD HH:MM:SS Idx % C\n${counts.join('\n')}\n`);
    await imported({ nvidiaSmi: smi, dmon, utcOffset: 'Z' }, ({ samples }) => {
      expect(
        frames(samples).map(({ time, temperatureCelsius: [temperature] = [] }) => [
          new Date(time).getSeconds(),
          temperature,
        ]),
      ).toEqual(counts.map((_, i) => [10 + i, 30 + i]));
      expect(
        frames(samples)
          .map(({ powerWatts }) => powerWatts?.[0])
          .filter((watts) => watts !== undefined),
      ).toEqual([500, 500, 500]);
    });
  });

  test('cells without values, a lost GPU, and rows that are none', async () => {
    const smi = await file(
      'faulty.csv',
      'index, timestamp, power.draw [W], utilization.gpu [%]\n' +
        '0, 2026/11/29 13:53:10.000, 120.50 W, 5 %\n1, 2026/11/29 13:53:10.001, [N/A], [GPU requires reset]\n' +
        '0, 2026/11/29 13:53:11.000, 121.50 W, 6 %\n' +
        'Unable to determine the device handle for GPU0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU\n' +
        '0, 2026/11/29 13:53:12.000, 122.50 W, 7 %\n',
    );
    await imported({ nvidiaSmi: smi, utcOffset: 'Z' }, ({ samples, text }) => {
      expect(frames(samples).map(({ powerWatts }) => powerWatts)).toEqual([[120.5, null], [121.5], [122.5]]);
      expect(frames(samples)[0]?.faults).toEqual([null, 'GPU requires reset']);
      expect(text).toContain('1 line could not be read, first line 5: Unable to determine');
    });
  });
});

describe('threads', () => {
  test('from top where nothing else tells them, the first frame without percentages', () =>
    imported(
      { top: join(fixtures, 'h200/nccl_hang/top.txt.gz'), date: '2026-11-29', utcOffset: 'Z' },
      ({ samples, text }) => {
        const [first, second] = samples.filter((sample) => sample.kind === 'threads');
        expect(first).not.toHaveProperty('intervalSeconds');
        expect(new Set(first?.cpuPercent)).toEqual(new Set([null]));
        expect(second).toMatchObject({ reader: 'top', intervalSeconds: 1 });
        const row = second?.tid.indexOf(2175) ?? -1;
        expect([second?.pid[row], second?.comm[row], second?.cpuPercent[row]]).toEqual([2166, 'pt_nccl_heartbt', 0]);
        expect(lastOf(samples, 'run')?.run?.processes.map(({ pid, commandLine }) => [pid, commandLine])).toEqual([
          [2165, ['[python3]']],
          [2166, ['[python3]']],
        ]);
        expect(text).toContain('top tells no processes: its 2 were told apart by their memory');
        expect(states(samples, 'gpu')).toEqual(['off no --nvidia-smi or --dmon was given']);
      },
    ));

  test('of a top of the whole host only those of the process that is named, the others are neighbours', async () => {
    const top = await textOf(join(fixtures, 'other/tophall.txt.gz'));
    const twice = await file('twice.txt', `${top}\n${top.replace('13:46:33', '13:46:34')}`);
    await imported({ top: twice, pid: '572', utcOffset: 'Z' }, ({ samples }) => {
      expect(new Set(lastOf(samples, 'threads')?.pid)).toEqual(new Set([572]));
      const busiest = lastOf(samples, 'busiest');
      expect(busiest?.threadsTotal).toBe(472);
      expect(busiest?.tid.filter((tid) => lastOf(samples, 'threads')?.tid.includes(tid))).toEqual([]);
    });
    await imported({ top: twice, utcOffset: 'Z' }, ({ samples }) => {
      expect(lastOf(samples, 'threads')).toBeUndefined();
      expect(states(samples, 'threads')).toEqual([
        "off twice.txt shows all threads of the host: name the run's process with --pid",
      ]);
    });
  });

  test('from pidstat, with their waits', () =>
    imported({ pidstat: 'test/fixtures/threads/pidstat-12.6.1-t-h-H.txt' }, ({ samples, recording }) => {
      const threads = lastOf(samples, 'threads', 1795960961_000);
      const row = threads?.tid.indexOf(12306) ?? -1;
      expect([threads?.cpuPercent[row], threads?.runQueuePercent[row]]).toEqual([86.14, 12.87]);
      expect(recording.header.hostname).toBe('node-0');
      expect(lastOf(samples, 'run')?.run?.processes[0]?.commandLine).toEqual(['[python (train)]']);
    }));

  test('a process that ends ends the run, and a round that is cut ends nothing', async () => {
    const rounds = (await textOf(join(fixtures, 'h200/nccl_hang/stat.txt.gz'))).split(/^(?=== )/m);
    const first = rounds.slice(0, 3).join('');
    const gone = await file('gone.txt', `${first}== 1795960400.5\n== 1795960401.5\n`);
    await imported({ stat: gone }, ({ samples }) => {
      expect(samples.flatMap((sample) => (sample.kind === 'run' ? [sample.phase] : []))).toEqual(['running', 'ended']);
      expect(samples.some((sample) => sample.kind === 'event' && sample.event === 'run ended')).toBe(true);
    });
    const cut = await file('cut.txt', `${first}${rounds[3]?.slice(0, 1500)}`);
    await imported({ stat: cut }, ({ samples, text }) => {
      expect(samples.flatMap((sample) => (sample.kind === 'run' ? [sample.phase] : []))).toEqual(['running']);
      expect(samples.filter(({ kind }) => kind === 'threads')).toHaveLength(3);
      expect(text).toContain('its last round is cut, and left out');
    });
  });

  test('gzip that was cut gives what came before', async () => {
    const whole = gzipSync(await textOf(join(fixtures, 'h200/queue_full/stat.txt.gz')));
    await imported({ stat: await file('cut.gz', whole.subarray(0, whole.length / 2)) }, ({ samples, text }) => {
      expect(samples.filter(({ kind }) => kind === 'threads').length).toBeGreaterThan(1);
      expect(text).toContain('its gzip data is cut or broken');
    });
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
        expect(native?.threads[0]?.frames[1]).toEqual({ function: 'pthread_cond_wait', file: 'libc.so.6' });
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
        expect(text).toContain('not read (this version has no place for it): wait.txt');
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

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, fixtures, frames, imported, ownFolder, situation } from './imported.ts';

const { file } = ownFolder();

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
      // All of one round, which came a moment after them.
      const came = new Set(active.flatMap(({ countersTime }) => countersTime ?? []));
      expect([...came]).toEqual([at('13:53:23.696')]);
      expect(all[0]).not.toHaveProperty('countersTime');
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

  test('a round that is cut by the end of the file is in the recording, without the GPU that is not in it', async () => {
    const round = (second: number) =>
      [0, 1].map((gpu) => `2026/11/29 13:53:1${second}.00${gpu}, ${gpu}, 10${second}.00 W`);
    const rows = ['timestamp, index, power.draw [W]', ...[0, 1, 2].flatMap(round), ...round(3).slice(0, 1)];
    const smi = await file('lost.csv', `${rows.join('\n')}\n`);
    await imported({ nvidiaSmi: smi, utcOffset: 'Z' }, ({ samples, text }) => {
      expect(frames(samples).map(({ index, powerWatts }) => [index, powerWatts])).toEqual([
        [
          [0, 1],
          [100, 100],
        ],
        [
          [0, 1],
          [101, 101],
        ],
        [
          [0, 1],
          [102, 102],
        ],
        [[0], [103]],
      ]);
      expect(frames(samples).at(-1)?.time).toBe(at('13:53:13.000'));
      expect(text).toContain('4 rounds of 2 GPUs');
    });
  });

  test('a file that goes on with other columns is read to there', async () => {
    const smi = await file(
      'two.csv',
      'timestamp, index, power.draw [W]\n2026/11/29 13:53:10.000, 0, 120.50 W\ntimestamp, index, power.draw [W]\n' +
        '2026/11/29 13:53:11.000, 0, 121.50 W\ntimestamp, index, temperature.gpu\n2026/11/29 13:53:12.000, 0, 55\n',
    );
    await imported({ nvidiaSmi: smi, utcOffset: 'Z' }, ({ samples, text }) => {
      expect(frames(samples).map(({ powerWatts }) => powerWatts)).toEqual([[120.5], [121.5]]);
      expect(text).toContain('2 lines below another header, of other columns, are left out');
    });
  });

  test('no escape sequence of a file reaches the terminal or the recording', async () => {
    const smi = await file(
      'evil.csv',
      'timestamp, index, name, evil.\u001b[31mname\u001b]0;x\u0007, power.draw\n2026/11/29 13:53:10.000, 0, H\u001b[2J200, x, 1.00\n\u001b[31mrow\n',
    );
    await imported({ nvidiaSmi: smi, utcOffset: 'Z', name: 'a\u001b[31mb' }, ({ samples, text, recording }) => {
      expect(JSON.stringify([samples, text, recording.header])).not.toMatch(/\\u001b|\u001b/);
      expect(frames(samples)[0]?.name).toEqual(['H200']);
    });
  });
});

test('half a minute of both commands says of no process that it holds a GPU, or that none does', async () => {
  const clockOf = (second: number) => new Date(Date.UTC(2026, 10, 30, 1, 0, second)).toISOString().slice(11, 19);
  const seconds = Array.from({ length: 60 }, (_, second) => clockOf(second));
  const smi = seconds.map((clock) => `2026/11/30 ${clock}.100, 0, 97 %, 690.10 W\n`);
  const dmon = seconds.map((clock) => ` 20261130 ${clock} 0 690 55 52\n`);
  await imported(
    {
      nvidiaSmi: await file('smi.csv', `timestamp, index, utilization.gpu [%], power.draw [W]\n${smi.join('')}`),
      dmon: await file('dmon.txt', `#Date Time gpu pwr gtemp mtemp\n#YYYYMMDD HH:MM:SS Idx W C C\n${dmon.join('')}`),
      utcOffset: 'Z',
    },
    ({ samples }) => {
      expect(samples.filter(({ kind }) => kind === 'gpus')).toHaveLength(60);
      expect(samples.filter(({ kind }) => kind === 'gpuProcesses')).toEqual([]);
    },
  );
});

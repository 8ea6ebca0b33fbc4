import { describe, expect, test } from 'vitest';
import type { Sample } from '../../src/model/samples.ts';
import { imported, ownFolder } from './imported.ts';

const { file } = ownFolder();

interface Row {
  readonly tid: number;
  readonly memory: string;
  readonly cpu?: number;
  readonly comm?: string;
}

const kthreadd: Row = { tid: 2, memory: '0 0 0', comm: 'kthreadd' };
const [one, two, rsync] = ['300.0g 1.1g 392572', '300.0g 1.0g 392476', '1.0g 0.1g 100'];

/** `top -H -b -d 1`, frame by frame; the busiest row first, as top has it. */
function topText(frames: readonly (readonly Row[])[]): string {
  const texts = frames.map((rows, second) =>
    [
      `top - 10:00:${String(second).padStart(2, '0')} up 4 min,  0 user,  load average: 2.18, 0.85, 0.33`,
      `Threads: ${rows.length} total,   2 running,  14 sleeping,   0 stopped,   0 zombie`,
      '%Cpu(s):  6.7 us,  1.5 sy,  0.0 ni, 91.5 id,  0.0 wa,  0.0 hi,  0.3 si,  0.0 st',
      '',
      '  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND',
      ...rows
        .toSorted((a, b) => (b.cpu ?? 0) - (a.cpu ?? 0))
        .map(
          ({ tid, memory, cpu = 0, comm = 'python3' }) =>
            `${tid} root      20   0 ${memory} S ${cpu.toFixed(1)}   0.4   0:10.45 ${comm}`,
        ),
      '',
    ].join('\n'),
  );
  return texts.join('\n');
}

/** `TID of PID`, each frame. */
const threads = (samples: readonly Sample[]) =>
  samples.flatMap((sample) =>
    sample.kind === 'threads' ? [sample.tid.map((tid, row) => `${tid} of ${sample.pid[row]}`).toSorted()] : [],
  );
const busiest = (samples: readonly Sample[]) =>
  new Set(samples.flatMap((sample) => (sample.kind === 'busiest' ? sample.tid : [])));
const ranks: readonly Row[] = [
  { tid: 1861, memory: one, cpu: 60 },
  { tid: 1862, memory: two, cpu: 50 },
  { tid: 1867, memory: one, cpu: 1 },
  { tid: 1872, memory: two },
];

describe('the threads of the processes that are named', () => {
  test('and of no other one, in a top that was told more', async () => {
    const top = await file('two.txt', topText([ranks, ranks, [...ranks, { tid: 1880, memory: two }]]));
    await imported({ top, pid: '1861', utcOffset: 'Z' }, ({ samples }) => {
      const own = ['1861 of 1861', '1867 of 1861'];
      expect(threads(samples)).toEqual([own, own, own]);
    });
    await imported({ top, utcOffset: 'Z' }, ({ samples }) =>
      expect(threads(samples).at(-1)).toEqual([
        '1861 of 1861',
        '1862 of 1862',
        '1867 of 1861',
        '1872 of 1862',
        '1880 of 1862',
      ]),
    );
  });

  test('in a top of the whole host, those too that begin later', async () => {
    const host: readonly Row[] = [kthreadd, { tid: 900, memory: rsync, cpu: 5, comm: 'rsync' }, ...ranks];
    const later: readonly Row[] = [
      { tid: 1999, memory: one, cpu: 90, comm: 'pt_autograd_0' },
      { tid: 2001, memory: '2.0g 0.2g 200', cpu: 30, comm: 'tar' },
    ];
    // Memory that grew while top read it: the thread is known by the next frame.
    const torn = later.map((row) => (row.tid === 1999 ? { ...row, memory: '300.0g 1.2g 392572' } : row));
    const frames = [host, host, host, [...host, ...torn], [...host, ...later], [...host, ...torn]];
    const top = await file('whole.txt', topText(frames));
    await imported({ top, pid: '1861', utcOffset: 'Z' }, ({ samples }) => {
      const [before, after] = [
        ['1861 of 1861', '1867 of 1861'],
        ['1861 of 1861', '1867 of 1861', '1999 of 1861'],
      ];
      expect(threads(samples)).toEqual([before, before, before, before, after, after]);
      expect(busiest(samples)).toEqual(new Set([1999, 2001, 1862, 900]));
    });
    await imported({ top, pid: '2001', utcOffset: 'Z' }, ({ samples }) =>
      expect(threads(samples).map((rows) => rows.length)).toEqual([0, 0, 0, 1, 1, 1]),
    );
  });

  test('what has ended has no memory to be known by', async () => {
    const host: readonly Row[] = [kthreadd, ...ranks];
    const ended = host.map((row) => (row.tid === 1861 ? { ...row, memory: '0 0 0' } : row));
    const top = await file(
      'ended.txt',
      topText([host, host, host, [...ended, { tid: 2100, memory: '0 0 0', cpu: 2, comm: 'kworker/0:1' }]]),
    );
    await imported({ top, pid: '1861', utcOffset: 'Z' }, ({ samples }) =>
      expect(threads(samples).at(-1)).toEqual(['1861 of 1861', '1867 of 1861']),
    );
  });

  test('are told once, in whatever order top has them', async () => {
    const turned = ranks.map((row) => (row.tid === 1862 ? { ...row, cpu: 70 } : row));
    const top = await file('turns.txt', topText([ranks, turned, ranks, turned]));
    await imported({ top, utcOffset: 'Z' }, ({ samples }) =>
      expect(samples.filter(({ kind }) => kind === 'run')).toHaveLength(1),
    );
  });
});

import { describe, expect, test } from 'vitest';
import type { GpusSample } from '../../../src/model/samples.ts';
import { createStage, event, gpus, healthy, log, runSample, said, sample, start, warmUp } from './made.ts';

const at = (second: number) => start + second * 1000;

describe('GPUs', () => {
  const play = (of: (s: number) => Partial<GpusSample>, seconds = 120) => {
    const stage = createStage();
    warmUp(stage);
    stage.play(200, 200 + seconds, (s) => {
      const [line, , cpu] = healthy(s);
      return line && cpu ? [line, gpus(s, 97, 650, of(s)), cpu] : [];
    });
    return stage.told();
  };

  test.each([
    ['just hot', { temperatureCelsius: [60, 86] }, ['231 gpu-hot GPU 1 ringing warning']],
    ['not yet', { temperatureCelsius: [60, 85] }, []],
    [
      'its memory',
      { temperatureCelsius: [60, 60], memoryTemperatureCelsius: [60, 96] },
      ['231 gpu-hot GPU 1 ringing warning'],
    ],
    ['warm memory', { temperatureCelsius: [60, 60], memoryTemperatureCelsius: [60, 95] }, []],
    [
      'GDDR6X bears more',
      { name: ['RTX 4090', 'RTX 4090'], temperatureCelsius: [60, 83], memoryTemperatureCelsius: [60, 104] },
      [],
    ],
    ['a power brake', { throttleReasons: [[], ['power brake']] }, ['257 gpu-throttled GPU 1 ringing warning']],
    ['the power cap is none', { throttleReasons: [['power cap'], ['power cap']] }, []],
    [
      'heat rings once',
      { temperatureCelsius: [60, 90], throttleReasons: [[], ['hw thermal']] },
      ['231 gpu-hot GPU 1 ringing warning'],
    ],
  ] as const)('%s', (_, of, told) => {
    expect(play(() => of)).toEqual(told);
  });

  test('a slowdown for a fifth of the time is none', () => {
    expect(play((s) => ({ throttleReasons: [[], s % 5 === 0 ? ['hw slowdown'] : []] }), 200)).toEqual([]);
  });

  test('one that idles for five minutes while the run goes on', () => {
    expect(play(() => ({ utilizationPercent: [97, 0] }), 340)).toEqual(['514 gpu-idle GPU 1 ringing warning']);
    expect(play((s) => ({ utilizationPercent: [97, s % 240 < 200 ? 0 : 90] }), 900)).toEqual([]);
  });

  test('new errors of memory ring, old ones do not', () => {
    expect(play((s) => ({ eccUncorrected: [0, s < 210 ? 7 : 8] }))).toEqual(['211 gpu-ecc GPU 1 ringing critical']);
    expect(play(() => ({ eccUncorrected: [3, 7] }))).toEqual([]);
  });
});

describe('faults of GPUs', () => {
  const places = { a: { address: '0000:18:00.0' }, b: { address: '0000:3b:00.0' } };
  const xid = (second: number, number: number, address = '00000000:3B:00') =>
    sample(second, {
      kind: 'kernel',
      lines: [{ time: at(second), what: 'xid', text: `NVRM: Xid ${number}`, xid: number, address }],
    });
  const begin = () => {
    const stage = createStage({ rules: { 'no-step': { off: true } } });
    stage.take(sample(0, { kind: 'facts', facts: { nvidia: { places, fields: [], gpuCount: 2 } } }));
    warmUp(stage, 20);
    return stage;
  };

  test.each([
    ['of hardware', xid(20, 63), ['20 gpu-xid GPU 1 ringing critical']],
    ['of a program', xid(20, 31), ['20 gpu-xid GPU 1 ringing warning']],
    ['of a GPU that is not ours', xid(20, 63, '0000:c7:00'), []],
    ['of before the watch', { ...xid(-60, 63), receivedAt: at(20) }, []],
  ])('%s', (_, line, told) => {
    const stage = begin();
    // The kernel's log is looked at again and again.
    stage.play(20, 120, () => [line]);
    expect(stage.told()).toEqual(told);
  });

  test('a GPU that is lost rings once, whatever else tells of it, until it is back', () => {
    const stage = begin();
    stage.take(event(20, 'gpu lost', 'GPU 1 (b): GPU is lost'), xid(22, 79));
    stage.take(
      sample(24, { kind: 'source', source: 'gpu', status: 'failed', reason: 'No GPU of this host answers any more.' }),
    );
    stage.play(25, 80, () => []);
    stage.take(event(80, 'gpu back', 'GPU 1 (b)'), sample(80, { kind: 'source', source: 'gpu', status: 'live' }));
    stage.play(81, 100, () => []);
    expect(stage.told()).toEqual(['20 gpu-lost GPU 1 ringing critical', '90 gpu-lost GPU 1 resolved critical']);
  });

  test.each([
    ['NVML that broke', 'This container has lost its GPU devices (as after a daemon-reload).', 60, 1],
    ['for a moment', 'This container has lost its GPU devices (as after a daemon-reload).', 25, 0],
    ['another failure', 'nvidia-smi gave no answer in time.', 60, 0],
  ])('%s', (_, reason, seconds, rings) => {
    const stage = begin();
    stage.play(20, 20 + seconds, (s) => [
      sample(s, { kind: 'source', source: 'gpu', status: s % 2 ? 'failed' : 'waiting', reason }),
    ]);
    stage.take(sample(20 + seconds, { kind: 'source', source: 'gpu', status: 'live' }));
    stage.play(21 + seconds, 40 + seconds, () => []);
    expect(stage.told().filter((each) => each.includes('nvml-broken ringing')).length).toBe(rings);
  });
});

describe('room', () => {
  const GB = 1e9;
  const host = (of: object) => (s: number) => [sample(s, { kind: 'host', ...of })];
  const disks =
    (of: { use?: string; total: number; left: number | ((s: number) => number); inodes?: number }) => (s: number) =>
      s % 30 > 0
        ? []
        : [
            sample(s, {
              ...{ kind: 'disks', path: ['/w/run'], use: [of.use ?? 'run'], mount: ['/w'], totalBytes: [of.total] },
              availableBytes: [typeof of.left === 'number' ? of.left : of.left(s)],
              ...{ totalInodes: [1000], freeInodes: [of.inodes ?? 900] },
            }),
          ];

  test.each([
    [
      'memory of the host',
      host({ memoryTotalBytes: 100 * GB, memoryAvailableBytes: 5 * GB }),
      ['30 memory-full ringing critical'],
    ],
    ['enough of it', host({ memoryTotalBytes: 100 * GB, memoryAvailableBytes: 6 * GB }), []],
    [
      'the limit of the cgroup first',
      host({
        memoryTotalBytes: 100 * GB,
        memoryAvailableBytes: 90 * GB,
        memoryLimitBytes: 20 * GB,
        memoryUsedBytes: 19.5 * GB,
      }),
      ['30 memory-full ringing critical'],
    ],
    ['/dev/shm', disks({ use: 'shm', total: GB, left: 0.05 * GB }), ['0 shm-full /w/run ringing critical']],
    ['a disk', disks({ total: 400 * GB, left: 20 * GB }), ['0 disk-full /w ringing critical']],
    ['a twentieth of a large one is room', disks({ total: 28_000 * GB, left: 1000 * GB }), []],
    [
      'one without files left',
      disks({ total: 400 * GB, left: 200 * GB, inodes: 10 }),
      ['0 disk-full /w ringing critical'],
    ],
    [
      'one that fills up',
      disks({ total: 4000 * GB, left: (s) => (800 - 0.5 * s) * GB }),
      ['240 disk-full /w ringing critical'],
    ],
    ['one that fills up slowly', disks({ total: 4000 * GB, left: (s) => (800 - 0.05 * s) * GB }), []],
  ])('%s', (_, play, told) => {
    const stage = createStage();
    stage.play(0, 300, play);
    expect(stage.told()).toEqual(told);
  });

  test('one that filled up does not ring to and fro where a checkpoint is deleted', () => {
    const stage = createStage();
    const left = (s: number) => (s < 300 ? 980 - 0.5 * s : 1040) * GB;
    stage.play(0, 300, disks({ total: 4000 * GB, left }));
    stage.play(300, 780, disks({ total: 4000 * GB, left }));
    expect(stage.told()).toEqual(['240 disk-full /w ringing critical']);
    stage.play(780, 1000, disks({ total: 4000 * GB, left }));
    expect(stage.told().at(-1)).toMatch(/^\d+ disk-full \/w resolved/);
  });
});

describe('queues', () => {
  const play = (first: number, then: number, tokens: number, seconds = 900) => {
    const stage = createStage();
    stage.take(runSample(0));
    const at = (s: number, depth: number, tokensPerSecond: number) => [
      log(s, [{ step: s, loss: 2, tokensPerSecond, queues: [{ name: 'q', depth, capacity: 60 }] }]),
    ];
    stage.play(0, 300, (s) => at(s, first, 1000));
    stage.play(300, 300 + seconds, (s) => at(s, then, tokens));
    return stage.told();
  };

  test.each([
    ['one that runs empty, and costs speed', 30, 0, 800, ['queue-empty q ringing warning']],
    ['one that fills, and costs speed', 30, 60, 800, ['queue-full q ringing warning']],
    ['one that costs none', 30, 60, 1000, []],
    ['one that always is full', 60, 60, 800, []],
    ['one that is neither', 30, 20, 800, []],
  ])('%s', (_, first, then, tokens, told) => {
    expect(play(first, then, tokens).map((each) => each.replace(/^\d+ /, ''))).toEqual(told);
  });

  test('for less than ten minutes it is silent', () => {
    expect(play(30, 0, 800, 590)).toEqual([]);
  });
});

describe('the link', () => {
  const down = (s: number) => [sample(s, { kind: 'link', state: 'lost', silentSince: at(20), reason: 'no answer' })];
  const up = (s: number) => sample(s, { kind: 'link', state: 'up' });

  test('it rings after a minute', () => {
    const stage = createStage();
    stage.take(up(0));
    stage.play(1, 30, () => []);
    stage.play(30, 79, down);
    expect(stage.told()).toEqual([]);
    stage.play(79, 90, down);
    stage.take(up(90));
    stage.play(91, 102, () => []);
    expect(stage.told()).toEqual(['80 link-lost ringing warning', expect.stringMatching(/^10\d link-lost resolved/)]);
  });

  test('not for the time that we slept, and not before it was up', () => {
    const stage = createStage();
    stage.play(0, 100, down);
    stage.take(up(100));
    stage.play(5000, 5030, down);
    expect(stage.told()).toEqual([]);
  });
});

describe('patterns of the user', () => {
  const patterns = [{ name: 'preempt', match: /preemption/ }];

  test('a line rings; those that follow are counted', () => {
    const stage = createStage({ patterns });
    stage.play(0, 400, (s) => (s % 10 === 0 ? [said(s, 'preemption notice')] : []));
    expect(stage.told().filter((each) => each.includes('ringing'))).toEqual([
      '0 pattern preempt ringing warning',
      '300 pattern preempt ringing warning',
    ]);
    expect(stage.all.at(2)?.text).toBe('preempt: preemption notice (and 29 such lines that were not told)');
  });

  test('what stood in the log before is no news', () => {
    const stage = createStage({ patterns });
    stage.play(0, 10, (s) => [{ ...said(s - 600, 'preemption'), receivedAt: at(s), backlog: true } as never]);
    expect(stage.told()).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { createThreadsGatherer } from '../../../../src/model/diagnosis/gather/threads.ts';
import type { LabelsSample, Sample } from '../../../../src/model/samples.ts';
import { playDemo } from '../../../support/demo-recording.ts';
import { fed, type Values } from './asked.ts';
import { samplesOf } from './saved.ts';
import { framesOf, rank, runOf, waitsOf } from './threads-made.ts';

const near = (value: number, by = 5) => expect.toSatisfy((given: number) => Math.abs(given - value) <= by, `${value}`);

describe('the threads of captured runs', () => {
  // Of GPU 0: what top showed of their main and autograd threads (README of the captures).
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['launch_bound', { mainCpu: near(50), autogradCpu: near(50), feedCpu: near(100, 2), rivals: 0, workers: 0 }],
    ['input_starved_inline', { mainCpu: near(97), autogradCpu: near(3), feedSystemShare: near(0, 2) }],
    ['input_starved_sleep', { mainCpu: near(4, 2), processCpu: near(7, 3) }],
    ['alloc_churn', { mainCpu: near(79), autogradCpu: near(21), feedSystemShare: near(18) }],
    ['gil_bound', { mainCpu: near(5), rivals: 3, rivalsCpu: near(97), oneCore: near(0) }],
    ['ddp_healthy', { mainCpu: near(63, 8), autogradCpu: near(36, 8), processCpu: near(100) }],
  ];
  it.each(cases)('%s', async (name, expected) => {
    const asked = fed(createThreadsGatherer(), await samplesOf(name, ['top', 'dmon', 'log']));
    expect(asked.values(1)).toMatchObject(expected);
  });

  it('tells which GPU of a process its backward passes are for', async () => {
    const asked = fed(createThreadsGatherer(), await samplesOf('queue_full', ['top', 'dmon', 'log']));
    expect([asked.values(1).autogradCpu, asked.values(2).autogradCpu]).toEqual([0, near(18)]);
  });

  it('tells nothing of the time since the last progress where no frame came since', async () => {
    const asked = fed(createThreadsGatherer(), await samplesOf('nccl_hang', ['top', 'dmon', 'log']));
    // The last frame of threads is half a second into the hang: nothing is told of later.
    expect(asked.values(1, { lateFrom: asked.to - 1000 })).not.toHaveProperty('mainSpins');
    expect(asked.values(0).processCpu).toEqual(near(200, 10));
  });
});

describe('the threads of the demo', () => {
  let pipeline: readonly Sample[];
  let ddp: readonly Sample[];
  beforeAll(async () => {
    const play = async (scenario: string) => {
      const samples: Sample[] = [];
      await playDemo({ scenario, seconds: 24, stepMs: 1000, onSample: (sample) => samples.push(sample) });
      return samples;
    };
    [pipeline, ddp] = [await play('healthy'), await play('straggler')];
  });

  it('has no training thread of a process with several GPUs whose main thread does nothing', () => {
    const values = fed(createThreadsGatherer(), pipeline).values(6);
    expect(values).toMatchObject({ autogradCpu: near(44, 15), workers: 4, workersBusy: 0, workersInDisk: 0 });
    for (const signal of ['mainCpu', 'feedCpu', 'mainSpins', 'rivals', 'mainSleeps'])
      expect(values).not.toHaveProperty(signal);
  });

  it('takes the threads that have the role of the GPU', () => {
    const asked = fed(createThreadsGatherer(), [...pipeline, namesOf(pipeline)]);
    const subject = asked.subjects[1];
    if (subject?.kind !== 'gpu') throw new Error('a GPU comes second');
    const values = asked.values(1, {}, { ...subject, role: 'target' });
    // Beside them work three drafters, five packers and four prefetchers, some near 10 %.
    expect(values).toMatchObject({
      mainCpu: near(88, 8),
      autogradCpu: 0,
      feedSystemShare: near(42),
      rivals: near(11, 2),
    });
  });

  it('gives each rank its own threads and loader workers, and the run the highest or all of them', () => {
    const asked = fed(createThreadsGatherer(), ddp);
    const ranks = asked.subjects.slice(1).map((_, i) => asked.values(i + 1));
    expect(ranks).toHaveLength(8);
    for (const values of ranks) expect(values).toMatchObject({ mainCpu: near(60, 20), workers: 2, rivals: 0 });
    const whole = asked.values(0);
    const highest = (signal: keyof Values) => Math.max(...ranks.map((each) => each[signal] ?? NaN));
    expect(whole).toMatchObject({ workers: 16, mainCpu: highest('mainCpu'), feedCpu: highest('feedCpu') });
    expect(whole.processCpu).toBeCloseTo(
      ranks.reduce((sum, { processCpu = NaN }) => sum + processCpu, 0),
      6,
    );
  });
});

/** Python's names, as a dump of the pipeline gives them: its threads follow one another by their TIDs. */
function namesOf(samples: readonly Sample[]): LabelsSample {
  const last = samples.findLast((sample) => sample.kind === 'threads');
  if (!last) throw new Error('no threads');
  const pid = last.pid[0] ?? 0;
  const names = [0, 1, 2, 3, 4].map((n) => `target-${n}`);
  const { host, time, receivedAt } = last;
  const base = { host, source: 'labels', time, receivedAt } as const;
  const none = names.map(() => null);
  return {
    ...{ ...base, kind: 'labels', pid: names.map(() => pid), tid: names.map((_, n) => pid + 1 + n) },
    ...{ name: names, rule: none, stack: none },
  };
}

describe('who does what', () => {
  const train = rank({ pid: 100, gpuMinors: [0] });

  it('does not take helpers of libraries for rivals, nor for loader workers', () => {
    const processes = [
      train,
      // It was forked: it has the device files of its parent open.
      { ...rank({ pid: 200, gpuMinors: [0] }), parentPid: 100 },
      { ...rank({ pid: 300, gpuMinors: [] }), parentPid: 100 },
      {
        ...rank({ pid: 400, gpuMinors: [] }),
        parentPid: 100,
        commandLine: ['python', '-m', 'torch._inductor.compile_worker'],
      },
      { ...rank({ pid: 500, gpuMinors: [] }), parentPid: 100, commandLine: ['/opt/bin/wandb-core'] },
    ];
    const samples = [
      runOf(processes),
      ...framesOf(10, [
        [100, 100, 'pt_main_thread', 80],
        [100, 101, 'cuda-EvtHandlr', 20],
        [100, 102, 'pt_nccl_watchdg', 30],
        [100, 103, 'pt_main_thread', 40],
        [100, 104, 'pt_main_thread', 5],
        [200, 200, 'pt_data_worker', 90, 'D'],
        [300, 300, 'python3', 30],
        [400, 400, 'python3', 50],
        [500, 500, 'wandb-core', 10],
      ]),
    ];
    expect(fed(createThreadsGatherer(), samples).values(0)).toMatchObject({
      ...{ mainCpu: 80, rivals: 1, rivalsCpu: 40, processCpu: 175 },
      ...{ workers: 2, workersCpu: 60, workersBusy: 50, workersInDisk: 50 },
    });
  });

  it('finds the process of a GPU by the number of its backward pass where nobody tells more', () => {
    const processes = [rank({ pid: 100 }), rank({ pid: 200 })];
    const rows = [100, 200].flatMap((pid, n) => [
      [pid, pid, 'python3', 50 + 10 * n] as const,
      [pid, pid + 1, 'cuda-EvtHandlr', 0] as const,
      [pid, pid + 2, 'pt_autograd_0', n === 0 ? 0 : 40] as const,
      [pid, pid + 3, 'pt_autograd_1', n === 0 ? 40 : 0] as const,
    ]);
    const asked = fed(createThreadsGatherer(), [runOf(processes), ...framesOf(10, rows)]);
    const of = (index: number) => asked.values(0, {}, { kind: 'gpu', uuid: `index:${index}`, index }).mainCpu;
    expect([of(0), of(1), of(2)]).toEqual([60, 50, undefined]);
  });

  it('tells how long they waited for a CPU, and nothing of it where the reader does not say', () => {
    const rows = [
      [100, 100, 'python3', 50, 'R', 12],
      [100, 101, 'pt_autograd_0', 30, 'R', 8],
    ] as const;
    const told = fed(createThreadsGatherer(), [runOf([train]), ...framesOf(10, rows)]).values(0);
    expect(told.runQueue).toBeCloseTo(20, 6);
    const silent = rows.map(([pid, tid, comm, cpu]) => [pid, tid, comm, cpu] as const);
    const values = fed(createThreadsGatherer(), [runOf([train]), ...framesOf(10, silent)]).values(0);
    expect(values).not.toHaveProperty('runQueue');
  });

  it('forgets another run', () => {
    const gatherer = createThreadsGatherer();
    fed(gatherer, [runOf([train]), ...framesOf(10, [[100, 100, 'python3', 50]])]);
    gatherer.forgetRun();
    expect(fed(gatherer, [runOf([rank({ pid: 100, gpuMinors: [0] })])]).values(0)).toEqual({ workers: 0 });
  });
});

describe('the time that is told of', () => {
  const samples = (percents: readonly number[]) => [
    runOf([rank({ pid: 100, gpuMinors: [0] })]),
    ...percents.flatMap((percent, n) => framesOf(1, [[100, 100, 'python3', percent]], n)),
  ];

  it('weighs frames by their part of it', () => {
    // Two whole frames of 100 %, and half of one of 20 %.
    const { values, to } = fed(createThreadsGatherer(), samples([0, 20, 100, 100]));
    expect(values(0, { from: to - 2500 }).mainCpu).toBeCloseTo(210 / 2.5, 6);
  });

  it('takes no frame for late that is mostly from before', () => {
    const { values, to } = fed(createThreadsGatherer(), samples([100, 100, 0]));
    expect(values(0, { lateFrom: to - 1400 }).mainSpins).toBe(0);
    expect(values(0, { lateFrom: to - 1600 }).mainSpins).toBeCloseTo(60 / 1.6, 6);
    expect(values(0, { lateFrom: to - 400 })).not.toHaveProperty('mainSpins');
  });

  it('begins anew where the clock was set back', () => {
    const all = [...samples([100, 100, 100]), ...framesOf(1, [[100, 100, 'python3', 10]], -60)];
    const { values } = fed(createThreadsGatherer(), all);
    expect(values(0).mainCpu).toBeCloseTo(10, 6);
  });
});

describe('what the training thread waits in', () => {
  const train = rank({ pid: 100, gpuMinors: [0] });
  const share = (looks: readonly (readonly [string | null, string | null, string?])[], pid = 100) => {
    const frames = framesOf(looks.length, [[100, 100, 'python3', 5]]);
    const waits = looks.map(([call, where, state = 'S'], n) => waitsOf(n, { pid, tid: pid, call, where, state }));
    return fed(createThreadsGatherer(), [runOf([train]), ...frames, ...waits]).values(0).mainSleeps;
  };

  it('counts looks in sleep, files, sockets and poll', () => {
    expect(share([['clock_nanosleep', null]])).toBe(100);
    expect(share([['poll', null], ['read', null], ['recvfrom', null], [null, 'hrtimer_nanosleep']])).toBe(100); // prettier-ignore
    expect(share([['futex', 'futex_do_wait'], ['ioctl', null]])).toBe(0); // prettier-ignore
    expect(share([['poll', null], ['poll', null, 'R']])).toBe(50); // prettier-ignore
  });

  it('takes the only process of a run that was repeated for it', () => {
    expect(share([['clock_nanosleep', null]], 999)).toBe(100);
  });
});

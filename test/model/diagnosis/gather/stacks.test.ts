import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readStacks, surveyStacks } from '../../../../src/import/stacks-read.ts';
import { createStacksGatherer } from '../../../../src/model/diagnosis/gather/stacks.ts';
import type { Sample, StacksSample } from '../../../../src/model/samples.ts';
import type { StackFrame } from '../../../../src/model/stacks.ts';
import { captureText } from '../../classes/h200.ts';
import type { Gatherer } from '../../../../src/model/diagnosis/gather/gatherer.ts';
import { fed, type Asked, type Values } from './asked.ts';
import { rank, runOf } from './threads-made.ts';

const at = Date.UTC(2026, 4, 1, 12);
const situations = readdirSync('test/fixtures/classes/h200');

/** What py-spy found in a captured run. */
async function stacksOf(name: string): Promise<readonly Sample[]> {
  const folder = await mkdtemp(join(tmpdir(), 'traintop-stacks-'));
  try {
    for (const packed of readdirSync(join('test/fixtures/classes/h200', name))) {
      const file = packed.replace(/\.gz$/, '');
      await writeFile(join(folder, file), captureText(name, file));
    }
    const survey = await surveyStacks(folder, name);
    return readStacks({ host: 'h', survey, timeOf: () => at });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Signals of the run, asked at so many seconds after its captures. */
const read = ({ values }: Asked, seconds = 0): Values => values(0, { to: at + seconds * 1000 });

const near = (value: number, by = 6) => expect.toSatisfy((given: number) => Math.abs(given - value) <= by, `${value}`);

describe('the stacks of captured runs', () => {
  const found = new Map<string, readonly Sample[]>();
  beforeAll(async () => {
    for (const name of situations) found.set(name, await stacksOf(name));
  });
  const samples = (name: string) => found.get(name) ?? [];
  /** They were repeated for their stacks: their PIDs are others. */
  const run = runOf([rank({ pid: 1 })]);
  const valuesOf = (name: string) => read(fed(createStacksGatherer(), [run, ...samples(name)]));

  // Training threads by the records of 4 s and five dumps, and the GIL by 400 looks.
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['alloc_churn', { stackSync: near(50), stackAllocator: near(3, 2), stackLaunch: near(26), stackInput: near(0, 2) }],
    ['compute_bound', { stackSync: 0, stackPython: near(0, 3), stackInput: near(0, 2), gilHeld: near(6, 2) }],
    [
      'launch_bound',
      { stackLaunch: near(24), stackPython: near(0, 3), stackInput: 0, gilHeld: near(18), gilRivals: 0 },
    ],
    ['input_starved_inline', { stackPython: near(92), stackInput: 0, gilHeld: near(92), gilRivals: 0 }],
    ['input_starved_sleep', { stackInput: near(94), stackPython: 0, gilHeld: near(1, 1) }],
    ['gil_bound', { stackGilWait: near(70), stackInput: near(12), gilHeld: near(98), gilRivals: near(92) }],
  ];
  it.each(cases)('%s', (name, expected) => expect(valuesOf(name)).toMatchObject(expected));

  it('tells the same where the functions of the run have other names', () => {
    const rename = (frame: StackFrame) =>
      frame.file.endsWith('scenarios.py') ? { ...frame, function: 'zork', file: '/home/u/my run/quux.py' } : frame;
    const renamed = samples('input_starved_inline').map((sample) => {
      if (sample.kind === 'profile') return { ...sample, frames: sample.frames.map(rename) };
      if (sample.kind !== 'stacks') return sample;
      return { ...sample, threads: sample.threads.map((each) => ({ ...each, frames: each.frames.map(rename) })) };
    });
    const values = read(fed(createStacksGatherer(), [run, ...renamed]));
    expect(values).toMatchObject({ stackPython: near(92), stackInput: 0 });
  });

  it('asks each thread of a record by itself whether it slept: without dumps and GIL nobody tells', () => {
    const records = samples('input_starved_sleep').filter(({ kind }) => kind !== 'stacks');
    const blind = records.filter((sample) => sample.kind !== 'profile' || sample.what === 'record');
    expect(read(fed(createStacksGatherer(), [run, ...blind]))).toMatchObject({ stackInput: 0, stackPython: 0 });
  });

  it('takes those of the last ten minutes', () => {
    const asked = fed(createStacksGatherer(), [run, ...samples('alloc_churn')]);
    expect(read(asked, 590)).toHaveProperty('stackSync');
    expect(read(asked, 610)).toEqual({});
  });

  it('takes the newest sitting alone: what was before may have been something else', () => {
    const later = samples('launch_bound').map((sample) => ({ ...sample, time: at + 200_000 }) as Sample);
    const both = [run, ...samples('input_starved_sleep'), ...later];
    expect(read(fed(createStacksGatherer(), both), 201)).toMatchObject({ stackLaunch: near(24), stackInput: 0 });
  });

  it('works a capture out when it comes, and not each time it is asked', () => {
    let looks = 0;
    const watched = samples('alloc_churn').map((sample) => {
      if (sample.kind !== 'profile') return sample;
      const { stacks, ...rest } = sample;
      return { ...rest, get stacks() { looks++; return stacks; } }; // prettier-ignore
    });
    const asked = fed(createStacksGatherer(), [run, ...watched]);
    const first = read(asked);
    const before = looks;
    for (let tick = 1; tick <= 50; tick++) expect(read(asked, tick)).toEqual(first);
    expect([before > 0, looks - before]).toEqual([true, 0]);
  });

  it('leaves out what is of the run before', () => {
    const gatherer = createStacksGatherer();
    const asked = fed(gatherer, [run, ...samples('alloc_churn')]);
    expect(read(asked)).toHaveProperty('stackSync');
    gatherer.forgetRun();
    expect(read(asked)).toEqual({});
  });

  it('tells it of a GPU by its process, where that is known', () => {
    const pids = new Set(samples('alloc_churn').flatMap((sample) => (sample.kind === 'stacks' ? sample.pid : [])));
    const [pid = 0] = pids;
    const asked = fed(createStacksGatherer(), [runOf([rank({ pid }), rank({ pid: 7 })]), ...samples('alloc_churn')]);
    const of = (own: number, index: number) => {
      const gpu = { kind: 'gpu', uuid: `GPU-${index}`, index, pid: own } as const;
      return asked.values(0, { to: at }, gpu);
    };
    expect(of(pid, 0)).toMatchObject({ stackSync: near(50) });
    expect(of(7, 1)).toEqual({});
  });
});

describe('who had the GIL', () => {
  const frames: readonly StackFrame[] = [{ function: 'work', file: '/app/train.py', line: 3 }];
  const dumps = (count: number) =>
    Array.from({ length: count }, (_, n): StacksSample => {
      const thread = (tid: number, name: string, ownsGil: boolean) => ({ tid, name, active: ownsGil, ownsGil, frames });
      const isMine = n % 4 === 0;
      return {
        ...{
          host: 'h',
          source: 'stacks',
          time: at,
          receivedAt: at,
          kind: 'stacks',
          pid: 5,
          command: 'python train.py',
        },
        threads: [thread(5, 'MainThread', isMine), thread(6, 'tokenizer-0', !isMine)],
      };
    });
  const run = runOf([rank({ pid: 5 })]);

  it('is told by dumps too, where there are enough of them', () => {
    const values = read(fed(createStacksGatherer(), [run, ...dumps(20)]));
    expect(values).toMatchObject({ gilHeld: 100, gilRivals: 75, stackGilWait: 75 });
    const few = read(fed(createStacksGatherer(), [run, ...dumps(19)]));
    expect(few).toHaveProperty('stackGilWait');
    expect(few).not.toHaveProperty('gilHeld');
  });

  it('asks the threads that have the role of the GPU', () => {
    const asked = fed(createStacksGatherer(), [run, ...dumps(20)]);
    const gpu = { kind: 'gpu', uuid: 'GPU-0', index: 0, pid: 5, role: 'tokenizer' } as const;
    expect(asked.values(0, { to: at }, gpu)).toMatchObject({ stackPython: 75, stackGilWait: 25, gilRivals: 25 });
  });

  it('tells nothing of a few looks', () => {
    expect(read(fed(createStacksGatherer(), [run, ...dumps(4)]))).toEqual({});
  });
});

describe('what only native frames show', () => {
  type Of = Pick<StackFrame, 'function' | 'file' | 'native'>;
  const module = { function: '_call_impl', file: 'torch/nn/modules/module.py' };
  const loop = { function: '<module>', file: '/app/train.py' };
  const backward = [{ function: '_engine_run_backward', file: 'torch/autograd/graph.py' }, loop];
  const own = (called: string) => ({ function: called, file: '/app/net.py' });
  const inDriver = { function: 'cuStreamSynchronize', file: 'libcuda.so.580', native: true as const };

  interface Look {
    readonly main: readonly Of[];
    readonly autograd?: readonly Of[];
    readonly native?: true;
  }

  const look = ({ main, autograd = [], native }: Look): StacksSample => {
    const framesOf = (all: readonly Of[]) => all.map((frame, line) => ({ ...frame, line }));
    const thread = (tid: number, name: string, frames: readonly Of[]) => ({
      ...{ tid, active: true, ownsGil: false, frames: framesOf(frames) },
      ...(name !== '' && { name }),
    });
    return {
      ...{ host: 'h', source: 'stacks', time: at, receivedAt: at, kind: 'stacks', pid: 5 },
      command: 'python train.py',
      ...(native && { native }),
      threads: [thread(5, 'MainThread', main), thread(9, '', autograd)],
    };
  };
  const run = runOf([rank({ pid: 5 })]);
  const readOf = (looks: readonly Look[], gatherer = createStacksGatherer()) =>
    read(fed(gatherer, [run, ...looks.map(look)]));
  const times = (count: number, one: Look) => Array.from({ length: count }, () => one);

  it('is a lower bound without them: a line that waits in a call looks like any other', () => {
    const plain = times(30, { main: [own('step'), loop] });
    const some = times(19, { main: [inDriver, own('step'), loop], native: true });
    const sure = [...some, { main: [own('step'), loop], native: true } as const];
    expect(readOf(plain, bounds(createStacksGatherer()))).toEqual({
      ...{ stackSync: 0, stackAllocator: 0, stackLaunch: 0, stackCopy: 0, stackCollective: 0 },
    });
    expect(readOf([...plain, ...some], bounds(createStacksGatherer()))).toMatchObject({ stackSync: 100 });
    expect(readOf([...plain, ...sure], bounds(createStacksGatherer()))).toEqual({});
    expect(readOf([...plain, ...sure])).toMatchObject({ stackSync: near(95) });
  });

  it('is guessed at by hooks of the run: of tensors in the thread of the backward pass, and around modules', () => {
    const ofTensor = { main: backward, autograd: [own('<lambda>')] };
    const ofModule = { main: [own('<lambda>'), module, loop] };
    const plain = { main: [own('forward'), module, loop] };
    expect(readOf([...times(3, ofTensor), ...times(2, ofModule), ...times(5, plain)])).toMatchObject({
      stackHooks: 50,
      stackSync: 0,
    });
    const thread = [own('tokenize'), { function: '_bootstrap', file: 'threading.py' }];
    expect(readOf(times(10, { main: backward, autograd: thread }))).toMatchObject({ stackHooks: 0 });
    expect(readOf(times(10, { main: [own('load'), loop] }))).toMatchObject({ stackHooks: 0 });
  });
});

/** What it tells as a lower bound. */
function bounds(gatherer: Gatherer): Gatherer {
  return {
    ...gatherer,
    read: (ask) =>
      gatherer.read({ ...ask, set: (signal, reading) => (reading.isLeast ? ask.set(signal, reading) : undefined) }),
  };
}

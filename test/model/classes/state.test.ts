import { describe, expect, test } from 'vitest';
import { classify, explainClass } from '../../../src/model/classes/classify.ts';
import { withThreadState, type ThreadEvidence } from '../../../src/model/classes/thread-state.ts';
import { createHistory } from '../../../src/model/history.ts';
import type { ProfileSample, StacksSample, ThreadsSample, WaitsSample } from '../../../src/model/samples.ts';
import { seriesName } from '../../../src/model/series-names.ts';
import { foldResults } from '../../../src/model/stacks/fold.ts';

const mine = [{ function: 'work', file: '/home/me/train.py', line: 3 }];
const at = Date.parse('2026-11-30T10:00:00Z');
const base = { host: 'h', source: 'stacks', time: at, receivedAt: at } as const;
const context = { run: undefined, threadNames: new Map<string, string>(), roleOf: () => undefined };

describe('code of the user', () => {
  test.each([
    ['GIL wait', { active: false, ownsGil: false, gilElsewhere: true }],
    ['lock wait', { active: false, ownsGil: false, gilElsewhere: true, stillIn: 'futex' }],
    ['idle', { active: false, ownsGil: false, gilElsewhere: true, stillIn: 'sleep' }],
    ['network I/O', { active: false, ownsGil: false, stillIn: 'poll' }],
    ['lock wait', { active: false, ownsGil: false, stillIn: 'child' }],
    ['idle', { active: false, ownsGil: false, stillIn: 'constructor' }],
    ['idle', { active: false, ownsGil: false }],
    ['native', { active: true, ownsGil: false }],
    ['Python', { active: true, ownsGil: true }],
    ['unknown', {}],
    ['unknown', { cpuShare: 0.9 }],
    ['Python', { cpuShare: 0.9, gilShare: 0.8 }],
    ['native', { cpuShare: 0.9, gilShare: 0.1 }],
    ['idle', { cpuShare: 0.1 }],
    ['lock wait', { stillIn: 'futex' }],
  ])('is %s where its state is %j', (expected, state) => {
    expect(classify(mine, state)).toBe(expected);
    expect(explainClass(mine, state).frame).toBeUndefined();
  });
});

describe('what is known of threads beside their stacks', () => {
  const frames = [...mine];
  const dump: StacksSample = {
    ...base,
    kind: 'stacks',
    pid: 1,
    command: 'train',
    threads: [
      { name: 'loop', tid: 2, active: true, ownsGil: true, frames },
      { name: 'sleeper', tid: 3, active: false, ownsGil: false, frames },
      { name: 'locked', tid: 4, active: false, ownsGil: false, frames },
      { name: 'contender', tid: 5, active: false, ownsGil: false, frames },
      { name: 'unnumbered', active: false, ownsGil: false, frames },
    ],
  };

  test('a thread that has not run for a second does not wait for the GIL', () => {
    const waits = waitsOf([
      [3, 'clock_nanosleep', 40_000],
      [4, 'futex', 1000],
      [5, 'futex', 400],
    ]);
    const result = withThreadState(dump, evidence({ waits }));
    expect(classesOf(foldResults([result], context).stacks)).toEqual({
      loop: 'Python',
      sleeper: 'idle',
      locked: 'lock wait',
      contender: 'GIL wait',
      unnumbered: 'GIL wait',
    });
    expect(withThreadState(dump, evidence({}))).toEqual(dump);
  });

  test('a record of a thread that slept, worked with the GIL, or without it', () => {
    const history = createHistory();
    const share = (tid: number, percent: number) => {
      for (let i = 0; i < 4; i++) history.add(threadsSample(at - i * 1000, tid, percent));
    };
    const profile: ProfileSample = {
      ...base,
      kind: 'profile',
      capture: 'r',
      what: 'record',
      pid: 1,
      command: 'train',
      rate: 20,
      seconds: 4,
      samples: 80,
      errors: 0,
      threads: [2, 3, 4, 5].map((tid) => ({ tid, name: `t${tid}` })),
      frames,
      stacks: [0, 1, 2, 3].map((thread) => ({ thread, frames: [0], count: 80 })),
    };
    const gil: ProfileSample = {
      ...profile,
      capture: 'g',
      what: 'gil',
      rate: 100,
      samples: 400,
      threads: [{ tid: 2 }, { tid: 3 }],
      stacks: [
        { thread: 0, frames: [0], count: 300 },
        { thread: 1, frames: [0], count: 20 },
      ],
    };
    for (const [tid, percent] of [[2, 95], [3, 90], [4, 3]] as const) share(tid, percent); // prettier-ignore
    expect(history.get(seriesName.thread(1, 2))).toBeDefined();
    const threads = threadsSample(at, 4, 3);
    const result = withThreadState(profile, { state: { results: [gil], threads }, history });
    expect(classesOf(foldResults([result], context).stacks)).toEqual({
      t2: 'Python',
      t3: 'native',
      t4: 'idle',
      t5: 'unknown',
    });
  });

  test('of a thread that does several things the shares say nothing of the rare ones', () => {
    const profile: ProfileSample = {
      ...base,
      kind: 'profile',
      capture: 'r',
      what: 'record',
      pid: 1,
      command: 'train',
      rate: 20,
      seconds: 5,
      samples: 100,
      errors: 0,
      threads: [{ tid: 2, cpuShare: 0.1 }],
      frames: [...mine, { function: 'log', file: '/home/me/train.py', line: 9 }],
      stacks: [
        { thread: 0, frames: [0], count: 95 },
        { thread: 0, frames: [1], count: 5 },
      ],
    };
    const { stacks } = foldResults([profile], context);
    expect(stacks.map(({ count, class: of }) => [count, of])).toEqual([
      [95, 'idle'],
      [5, 'unknown'],
    ]);
  });

  test('of many dumps, a thread that sleeps in Python code waits for the GIL where others mostly have it', () => {
    const many = (held: number): ProfileSample => ({
      ...base,
      kind: 'profile',
      capture: 'm',
      what: 'many',
      pid: 1,
      command: 'train',
      seconds: 9,
      samples: 10,
      errors: 0,
      threads: [
        { tid: 2, name: 'loop' },
        { tid: 3, name: 'other' },
      ],
      frames: mine,
      stacks: [
        { thread: 0, frames: [0], count: 10, active: 10, gil: held },
        { thread: 1, frames: [0], count: 10, active: 0, gil: 0 },
      ],
    });
    const classOf = (held: number) =>
      foldResults([many(held)], context).stacks.find(({ thread }) => thread === 'other')?.class;
    expect([classOf(10), classOf(5), classOf(4), classOf(0)]).toEqual(['GIL wait', 'GIL wait', 'idle', 'idle']);
  });
});

function classesOf(stacks: readonly { readonly thread: string; readonly class: string }[]): Record<string, string> {
  return Object.fromEntries(stacks.map(({ thread, class: of }) => [thread, of]));
}

function evidence(state: Partial<ThreadEvidence['state']>): ThreadEvidence {
  return { state: { results: [], ...state }, history: createHistory() };
}

function threadsSample(time: number, tid: number, percent: number): ThreadsSample {
  return {
    ...base,
    kind: 'threads',
    source: 'threads',
    reader: 'proc',
    intervalSeconds: 1,
    time,
    receivedAt: time,
    pid: [1],
    tid: [tid],
    comm: ['python3'],
    state: ['R'],
    cpuPercent: [percent],
    userPercent: [percent],
    systemPercent: [0],
    runQueuePercent: [0],
    core: [0],
  };
}

function waitsOf(rows: readonly (readonly [tid: number, call: string, forMs: number])[]): WaitsSample {
  const none = () => rows.map(() => null);
  return {
    ...base,
    kind: 'waits',
    source: 'waits',
    pid: rows.map(() => 1),
    tid: rows.map(([tid]) => tid),
    state: rows.map(() => 'S'),
    call: rows.map(([, call]) => call),
    since: rows.map(([, , forMs]) => at - forMs),
    ...{ file: none(), operand: none(), futex: none(), where: none(), notBefore: none() },
    ...{ voluntaryPerSecond: none(), involuntaryPerSecond: none(), cpus: none(), stack: none() },
    lacks: {},
  };
}

import { expect, test } from 'vitest';
import { signals, sources, type SignalName } from '../../../src/model/diagnosis/signals.ts';
import type { Situation } from '../../../src/model/situations.ts';
import { confidenceOf, cpu, gpu, rankedOf, steps, type Values } from './gpu-readings.ts';

const gil = (threads: number, mainCpu: number): Values =>
  cpu(mainCpu, 2, { rivals: threads, rivalsCpu: 100 - mainCpu, oneCore: 5, processCpu: 102 });
const workers = (busy: number, disk: number, count = 4): Values => ({
  workers: count,
  workersBusy: busy,
  workersInDisk: disk,
});

/** Steps of 35 ms on the GPU that take 16 ms to launch, and what is between them; runs that nobody captured, by their arithmetic. */
const variants: readonly (readonly [string, Situation, Values])[] = [
  ['sleeps of 50 ms', 'input-bound', { ...gpu(53, 92), ...cpu(16, 9) }],
  ['sleeps of 1 s', 'input-bound', { ...gpu(3.5, 90), ...cpu(2, 1) }],
  [
    'sleeps of 300 ms, and the loss is read in each step',
    'input-bound',
    {
      ...gpu(10, 90),
      ...cpu(11, 3),
      stackSync: 8,
      stackInput: 86,
      stackPython: 0,
      stackLaunch: 4,
      stackNative: 0,
      stackCopy: 0,
      gilHeld: 1,
      gilRivals: 0,
    },
  ],
  ['sleeps of 50 ms before a small model', 'input-bound', { ...gpu(5, 45), ...cpu(8, 4) }],
  ['Python for 50 ms', 'input-bound', { ...gpu(53, 92), ...cpu(88, 12) }],
  ['Python for 500 ms', 'input-bound', { ...gpu(6.5, 92), ...cpu(98, 1.5) }],
  ['Python for 20 ms before a small model', 'input-bound', { ...gpu(12, 35), ...cpu(87, 12) }],
  [
    'Python for 50 ms, and the loss is read in each step',
    'input-bound',
    {
      ...gpu(41, 92),
      ...cpu(91, 9),
      stackSync: 30,
      stackPython: 58,
      stackInput: 0,
      stackLaunch: 6,
      stackNative: 0,
      stackCopy: 0,
      gilHeld: 60,
      gilRivals: 0,
    },
  ],
  ['six workers of 50 ms a sample', 'input-bound', { ...gpu(52, 92), ...cpu(25, 12), ...workers(100, 0, 6) }],
  ['two workers of 20 ms a sample', 'input-bound', { ...gpu(43, 92), ...cpu(20, 10), ...workers(100, 0, 2) }],
  ['workers that read a slow disk', 'input-bound', { ...gpu(13, 90), ...cpu(6, 3), ...workers(0, 70) }],
  ['eight workers that are fast enough', 'compute-bound', { ...gpu(98, 92), ...cpu(60, 40), ...workers(100, 0, 8) }],
  ['100 tiny layers', 'launch-bound', { ...gpu(9, 0), ...cpu(55, 45) }],
  ['1000 tiny layers', 'launch-bound', { ...gpu(8, 1), ...cpu(48, 52) }],
  ['tiny layers without a backward pass', 'launch-bound', { ...gpu(18, 1), ...cpu(99, 0) }],
  ['small layers that fill less than half of the GPU', 'launch-bound', { ...gpu(45, 38), ...cpu(54, 46) }],
  [
    'a hook that reads a norm after each layer, in plain stacks',
    'sync-bound',
    {
      ...gpu(35, 65),
      ...cpu(50, 49),
      idleShare: 0,
      stackHooks: 32,
      stackPython: 0,
      stackInput: 0,
      stackNative: 2,
      gilHeld: 20,
      gilRivals: 0,
    },
  ],
  [
    'a wait after each of 24 layers, in native stacks',
    'sync-bound',
    {
      ...gpu(50, 35),
      ...cpu(66, 34),
      stackSync: 18,
      stackLaunch: 30,
      stackPython: 0,
      stackInput: 0,
      stackNative: 2,
      stackCopy: 0,
    },
  ],
  [
    'a wait after each of 24 layers, in plain stacks',
    'sync-bound',
    {
      ...gpu(50, 35),
      ...cpu(66, 34),
      stackSync: 0,
      stackLaunch: 24,
      stackPython: 0,
      stackInput: 0,
      stackNative: 20,
      stackCopy: 0,
    },
  ],
  ['two threads of Python', 'gil-contention', { ...gpu(4, 60), ...gil(2, 20) }],
  ['six threads of Python', 'gil-contention', { ...gpu(1, 60), ...gil(6, 5) }],
  [
    'the cache emptied after each step of a large model',
    'allocator-churn',
    { ...gpu(82, 85), ...cpu(82, 18), memoryMoves: 6, feedSystemShare: 20 },
  ],
  [
    'the cache emptied after each step of a small model',
    'allocator-churn',
    { ...gpu(30, 60), ...cpu(85, 15), memoryMoves: 9, feedSystemShare: 20 },
  ],
  ['matrix work', 'compute-bound', { ...gpu(99, 92), ...cpu(55, 45) }],
  [
    'matrix work, the loss read in each step',
    'compute-bound',
    {
      ...gpu(97, 90),
      ...cpu(58, 42),
      stackSync: 60,
      stackPython: 0,
      stackInput: 0,
      stackNative: 0,
      stackLaunch: 20,
      stackAllocator: 0,
      stackCopy: 0,
    },
  ],
  ['decoding', 'bandwidth-bound', { ...gpu(98, 95), ...cpu(80, 0), dramActive: 75, memoryBusy: 95, tensorActive: 8 }],
  ['copies of activations to the host', 'copy-bound', { ...gpu(30, 90), ...cpu(96, 5), pcieRate: 7000 }],
  [
    'too hot',
    'throttled',
    { ...gpu(99, 80), ...cpu(60, 40), thermalShare: 90, clockShare: 60, powerCapShare: 0, powerBrakeShare: 0 },
  ],
  [
    'at its usual power limit',
    'compute-bound',
    { ...gpu(99, 92), ...cpu(55, 45), powerCapShare: 95, clockShare: 92, powerBrakeShare: 0 },
  ],
  [
    'at half its power limit',
    'throttled',
    { ...gpu(99, 92), ...cpu(55, 45), powerCapShare: 100, clockShare: 55, powerBrakeShare: 0 },
  ],
  [
    'neighbours on all cores',
    'host-overloaded',
    { ...gpu(40, 90), ...cpu(40, 15), runQueue: 45, neighbourCores: 30, hostBusy: 99 },
  ],
  [
    'a cgroup of two cores',
    'host-overloaded',
    { ...gpu(40, 90), ...cpu(40, 15), runQueue: 40, neighbourCores: 0, hostBusy: 10, coreLimitShare: 100 },
  ],
];

test.each(variants)('%s: %s', (_what, situation, values) => {
  expect(firstOf({ ...steps, ...values })?.situation).toBe(situation);
});

const groups = [...new Set(Object.values(sources).map(({ source }) => source))];
const single = ['utilization', 'power', 'memory', 'clocks', 'reasons'] as const;
const partOf: Readonly<Record<(typeof single)[number], RegExp>> = {
  utilization: /^(lateU|u)tilization/,
  power: /[pP]ower(Rise|Fill|Share)?$/,
  memory: /^memoryMoves$/,
  clocks: /^clockShare$/,
  reasons: /^(thermal|powerCap|powerBrake)Share$/,
};

test.each(variants)('%s: not surely another thing than %s without any one source', (_what, situation, values) => {
  const of = (name: string) => sources[signals[name as SignalName].from].source;
  const all = Object.entries({ ...steps, ...values });
  const left = [
    ...groups.map((group) => [group, all.filter(([name]) => of(name) !== group)] as const),
    ...single.map((part) => [part, all.filter(([name]) => !partOf[part].test(name))] as const),
  ];
  for (const [gone, rest] of left) {
    const first = firstOf(Object.fromEntries(rest));
    // Held back by its power limit a GPU computes all the same: only its clock tells that it could do so faster.
    const isTrueToo = situation === 'throttled' && first?.situation === 'compute-bound' && gone === 'clocks';
    const isWrong = first && first.situation !== situation && first.confidence >= 0.6 && !isTrueToo;
    expect([gone, isWrong ? `${first.situation} ${first.confidence}` : undefined]).toEqual([gone, undefined]);
  }
});

test('threads that hold the lock while a run begins are told before that it begins', () => {
  const starts: Values = { steps: 0, runAge: 60, workingGpus: 0, memoryMoves: 0, ...gpu(0, 0), ...gil(3, 4) };
  expect(firstOf(starts, starts)).toMatchObject({ situation: 'gil-contention' });
  const loads: Values = { steps: 0, runAge: 60, workingGpus: 0, memoryMoves: 0, ...gpu(0, 0), ...cpu(100, 0) };
  expect(firstOf(loads, loads)).toMatchObject({ situation: 'warming-up' });
});

test('a GPU that waits for others is neither starved nor short of launches', () => {
  const idle = { ...gpu(4, 90), ...cpu(80, 20), queueFull: 100 };
  expect(firstOf({ ...steps, ...idle })?.confidence ?? 0).toBeLessThan(0.6);
});

test('one that spins in a collective is not busy with work', () => {
  const spinning = { ...gpu(100, 3), ...cpu(100, 0), lateTensor: 0 };
  expect(confidenceOf('compute-bound', { ...steps, ...spinning })).toBeUndefined();
  const peersWait = { ...gpu(95, 80), ...cpu(60, 40), peers: 1, peersSpinning: 100 };
  expect(confidenceOf('compute-bound', { ...steps, ...peersWait })).toBeLessThan(0.6);
});

function firstOf(values: Values, run: Values = {}) {
  return rankedOf(values, run)[0];
}

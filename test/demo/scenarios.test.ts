import { describe, expect, test } from 'vitest';
import { scenarioNames } from '../../src/config/scenario-names.ts';
import { scenarios } from '../../src/demo/scenarios/index.ts';
import { expectAlarms } from './expect-alarms.ts';
import { expectTruth } from './expect-truth.ts';
import { mean, playScenario, type Played } from './scenario-play.ts';

const targets = [0, 1, 2, 3, 4];
const drafters = [5, 6, 7];
const GiB = 2 ** 30;

/** What a scenario must show through the real parsers, beside its events: before it happens, and after. */
const shows: Readonly<Record<string, (played: Played) => void>> = {
  healthy: (played) => expectHealthy(played, 30, 300),

  'input-bound'(played) {
    expectHealthy(played, 30, 150);
    for (const gpu of [...targets, ...drafters]) {
      expect(played.gpu(gpu, 'utilizationPercent', 200, 420)).toBeLessThan(25);
      expect(played.gpu(gpu, 'powerWatts', 200, 420)).toBeWithin(150, 230);
    }
    // The readings jump: half of them are 0.
    const readings = played.of('gpus', 200, 420).map(({ utilizationPercent }) => utilizationPercent?.[0] ?? NaN);
    expect(readings.filter((value) => value === 0).length / readings.length).toBeWithin(0.35, 0.65);
    expect(Math.max(...readings)).toBeGreaterThan(25);
    expect(played.cpu(/pt_data_worker/, 200, 420)).toBeLessThan(8);
    expect(stateShare(played, /pt_data_worker/, 'D', 200, 420)).toBeGreaterThan(0.8);
    expect(mean(played.of('host', 200, 420).map(({ ioWaitPercent }) => ioWaitPercent ?? NaN))).toBeGreaterThan(2);
    expect(mean(queueHighs(played, 200, 420))).toBeLessThan(2);
  },

  'launch-bound'(played) {
    for (const gpu of [...targets, ...drafters]) {
      expect(played.gpu(gpu, 'powerWatts', 30, 150)).toBeGreaterThan(640);
      expect(played.gpu(gpu, 'utilizationPercent', 200, 420)).toBeGreaterThan(60);
      expect(played.gpu(gpu, 'powerWatts', 200, 420)).toBeLessThan(240);
      expect(played.gpu(gpu, 'memoryUtilizationPercent', 200, 420)).toBeLessThan(8);
      // Its main thread and that of autograd: one core.
      const cpu = played.cpu(41_269 + gpu, 200, 420) + played.cpu(new RegExp(`^pt_autograd_${gpu}$`), 200, 420);
      expect(cpu).toBeWithin(96, 102);
    }
    const tokens = (from: number, until: number) =>
      mean(played.lines(from, until).flatMap(({ values }) => values?.tokensPerSecond ?? []));
    expect(tokens(200, 420) / tokens(30, 150)).toBeWithin(0.12, 0.18);
  },

  'queue-full'(played) {
    expectHealthy(played, 30, 150);
    expect(mean(queueHighs(played, 200, 420))).toBeGreaterThan(59.5);
    for (const gpu of drafters) expect(played.gpu(gpu, 'utilizationPercent', 200, 420)).toBeGreaterThan(94);
    for (const gpu of targets) expect(played.gpu(gpu, 'powerWatts', 200, 420)).toBeWithin(280, 380);
    expect(played.cpu(41_208, 200, 420)).toBeLessThan(45);
  },

  'queue-empty'(played) {
    expectHealthy(played, 30, 150);
    expect(mean(queueHighs(played, 200, 420))).toBeLessThan(2);
    for (const gpu of targets) expect(played.gpu(gpu, 'utilizationPercent', 200, 420)).toBeGreaterThan(96);
    for (const gpu of drafters) expect(played.gpu(gpu, 'powerWatts', 200, 420)).toBeWithin(230, 340);
    const waits = stageMeans(played, 'queue.get_wait', 200, 420);
    expect(mean(waits)).toBeGreaterThan(300);
  },

  straggler(played) {
    const slow = 3;
    for (const gpu of [...targets, ...drafters]) {
      expect(played.gpu(gpu, 'powerWatts', 30, 150)).toBeGreaterThan(640);
      expect(played.gpu(gpu, 'powerWatts', 200, 420)).toBeWithin(330, 430);
      const utilization = played.gpu(gpu, 'utilizationPercent', 200, 420);
      if (gpu === slow) expect(utilization).toBeWithin(30, 65);
      else expect(utilization).toBeGreaterThan(98);
    }
    expect(mean(stageMeans(played, 'step.allreduce_wait', 200, 420))).toBeGreaterThan(400);
    expect(mean(stageMeans(played, 'step.allreduce_wait', 30, 150))).toBeLessThan(20);
    expect(rankCount(played)).toBe(8);
  },

  hang(played) {
    for (const gpu of [...targets, ...drafters]) {
      expect(played.gpu(gpu, 'powerWatts', 30, 180)).toBeGreaterThan(640);
      // Within ten seconds of it, and for ten minutes.
      for (const [from, until] of [
        [185, 195],
        [200, 780],
      ] as const) {
        expect(played.gpu(gpu, 'powerWatts', from, until)).toBeWithin(116, 126);
        expect(played.gpu(gpu, 'utilizationPercent', from, until)).toBe(gpu === 5 ? 0 : 100);
        expect(played.gpu(gpu, 'memoryUtilizationPercent', from, until)).toBe(0);
      }
    }
    expect(played.cpu(41_269, 200, 780)).toBeGreaterThan(97);
    expect(played.cpu(41_274, 200, 780)).toBeLessThan(1);
    expect(played.lines(181, 779)).toEqual([]);
    expectDead(played, 800, 846);
  },

  oom(played) {
    expectHealthy(played, 30, 118);
    expect(played.gpu(6, 'memoryUsedBytes', 236, 240)).toBeGreaterThan(136 * GiB);
    expect(played.gpu(5, 'memoryUsedBytes', 236, 240)).toBeLessThan(95 * GiB);
    expect(played.lines(239, 250).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('CUDA out of memory'),
    );
    expectDead(played, 260, 330);
  },

  restart(played) {
    expectHealthy(played, 30, 178);
    const runs = played.of('run', 0, 420).flatMap(({ run }) => run?.id ?? []);
    expect(new Set(runs).size).toBe(2);
    const pids = (from: number, until: number) => new Set(played.of('threads', from, until).flatMap(({ pid }) => pid));
    expect([...pids(270, 420)].filter((pid) => pids(0, 180).has(pid))).toEqual([]);
    const steps = (from: number, until: number) =>
      played.lines(from, until).flatMap(({ values }) => values?.step ?? []);
    const [last = NaN] = steps(0, 182).slice(-1);
    const [first = NaN] = steps(250, 300);
    expect(first).toBeLessThan(last - 30);
    for (const gpu of targets) {
      expect(played.gpu(gpu, 'powerWatts', 225, 250)).toBeWithin(116, 135);
      expect(played.gpu(gpu, 'memoryUsedBytes', 208, 211)).toBeLessThan(40 * GiB);
    }
    expect(mean(played.of('host', 215, 250).map((host) => host.runReadBytesPerSecond ?? NaN))).toBeGreaterThan(2e9);
    expectHealthy(played, 320, 420);
  },

  thermal(played) {
    expectHealthy(played, 30, 118);
    expect(played.gpu(2, 'temperatureCelsius', 195, 200)).toBeGreaterThan(82);
    expect(played.gpu(2, 'smClockMhz', 250, 420)).toBeWithin(1050, 1250);
    expect(played.gpu(2, 'powerWatts', 250, 420)).toBeLessThan(460);
    expect(played.gpu(1, 'smClockMhz', 250, 420)).toBeGreaterThan(1900);
    const reasons = played.of('gpus', 250, 420).map(({ throttleReasons }) => throttleReasons?.[2] ?? []);
    expect(reasons.every((each) => each.includes('sw thermal') && each.includes('hw thermal'))).toBe(true);
    const tokens = (from: number, until: number) =>
      mean(played.lines(from, until).flatMap(({ values }) => values?.tokensPerSecond ?? []));
    expect(tokens(250, 420) / tokens(30, 118)).toBeWithin(0.9, 0.94);
  },

  'nan-loss'(played) {
    expectHealthy(played, 30, 300);
    const losses = (from: number, until: number) =>
      played.lines(from, until).flatMap(({ values }) => values?.loss ?? []);
    const norms = (from: number, until: number) =>
      played.lines(from, until).flatMap(({ values }) => values?.gradNorm ?? []);
    expect([...losses(0, 190), ...norms(0, 188)].every(Number.isFinite)).toBe(true);
    expect(norms(190, 194)).toContain(Infinity);
    expect(losses(190, 194).every(Number.isFinite)).toBe(true);
    expect(losses(196, 300).every(Number.isNaN)).toBe(true);
  },

  'flaky-link'(played) {
    for (const { at, seconds } of played.scenario.drops ?? []) {
      expect(played.of('gpus', at + 1, at + seconds)).toEqual([]);
      expect(played.of('gpus', at - 5, at).length).toBeGreaterThan(3);
    }
    // The log's lines of the breaks were fetched afterwards: none is missing.
    const steps = played.lines(30, 390).flatMap(({ values }) => values?.step ?? []);
    expect(steps).toEqual(steps.map((_, i) => (steps[0] ?? NaN) + i));
    expectHealthy(played, 30, 400);
  },

  checkpoints(played) {
    for (const at of [120, 360, 600]) {
      for (const gpu of [...targets, ...drafters]) {
        expect(played.gpu(gpu, 'utilizationPercent', at + 4, at + 23)).toBe(0);
        expect(played.gpu(gpu, 'powerWatts', at + 4, at + 23)).toBeWithin(116, 122);
      }
      const writes = played.of('host', at + 4, at + 23).map((host) => host.runWriteBytesPerSecond ?? NaN);
      expect(mean(writes)).toBeGreaterThan(1.5e9);
      expect(played.lines(at, at + 2).map(({ text }) => text)).toContainEqual(
        expect.stringContaining('saving checkpoint'),
      );
    }
    for (const gpu of targets) expect(played.gpu(gpu, 'powerWatts', 295, 324)).toBeWithin(480, 580);
    expect(played.lines(293, 325).flatMap(({ values }) => values?.loss ?? [])).toEqual([]);
    expectHealthy(played, 30, 118);
    expectHealthy(played, 160, 288);
    expectHealthy(played, 400, 598);
  },
  'left-stopped': (played) => expectHealthy(played, 30, 300),
};

test('the command line knows all scenarios', () => {
  expect(scenarios.map(({ name }) => name)).toEqual([...scenarioNames]);
  expect(Object.keys(shows)).toEqual([...scenarioNames]);
});

describe.each(scenarios)('$name', (scenario) => {
  test('shows what is true of it, and its events are found', { timeout: 120_000 }, async () => {
    const played = await playScenario(scenario.name);
    shows[scenario.name]?.(played);
    expectPlain(played);
    expectTruth(played);
    expectAlarms(played);
  });
});

describe('chance', () => {
  const texts = async (seed: number) => {
    const { samples } = await playScenario('flaky-link', { seed, seconds: 180 });
    return samples.map((sample) => JSON.stringify(sample));
  };

  test('comes from the seed', { timeout: 120_000 }, async () => {
    const [one, same, other] = [await texts(27), await texts(27), await texts(28)];
    expect(one.length).toBeGreaterThan(300);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

/** The pipeline as it should be. */
function expectHealthy(played: Played, from: number, until: number) {
  for (const gpu of targets) {
    expect(played.gpu(gpu, 'utilizationPercent', from, until)).toBeWithin(90, 100);
    if (played.scenario.name !== 'thermal' || gpu !== 2)
      expect(played.gpu(gpu, 'powerWatts', from, until)).toBeGreaterThan(600);
  }
  for (const gpu of drafters) expect(played.gpu(gpu, 'powerWatts', from, until)).toBeWithin(450, 600);
  const queue = mean(queueHighs(played, from, until));
  expect(queue).toBeWithin(15, 50);
}

/** Nobody is there. */
function expectDead(played: Played, from: number, until: number) {
  for (const gpu of [...targets, ...drafters]) {
    expect(played.gpu(gpu, 'utilizationPercent', from, until)).toBe(0);
    expect(played.gpu(gpu, 'powerWatts', from, until)).toBeWithin(74, 79);
    expect(played.gpu(gpu, 'memoryUsedBytes', from, until)).toBeLessThan(GiB);
  }
  expect(played.of('run', 0, until).at(-1)?.phase).toBe('ended');
  expect(played.lines(from, until)).toEqual([]);
}

/** No figure is none, but where the log says so; no thread uses more than a core. */
function expectPlain({ scenario, samples }: Played) {
  const wrong = samples.filter(
    (sample) =>
      !isFinite(sample) || (sample.kind === 'threads' && sample.cpuPercent.some((percent) => (percent ?? 0) > 101)),
  );
  if (scenario.name === 'nan-loss') expect(wrong.every(({ kind }) => kind === 'log')).toBe(true);
  else expect(wrong).toEqual([]);
}

function isFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isFinite);
}

const queueHighs = (played: Played, from: number, until: number) =>
  played.lines(from, until).flatMap(({ values }) => values?.queues?.flatMap(({ high }) => high ?? []) ?? []);

const stageMeans = (played: Played, name: string, from: number, until: number) =>
  played
    .lines(from, until)
    .flatMap(
      ({ values }) => values?.stages?.flatMap((stage) => (stage.name === name ? (stage.averageMs ?? []) : [])) ?? [],
    );

/** How often threads with that name, or TID, were found in a state. */
function stateShare(played: Played, which: RegExp | number, state: string, from: number, until: number): number {
  const states = played
    .of('threads', from, until)
    .flatMap((frame) =>
      frame.tid.flatMap((tid, i) =>
        (typeof which === 'number' ? tid === which : which.test(frame.comm[i] ?? '')) ? (frame.state[i] ?? []) : [],
      ),
    );
  return states.filter((each) => each === state).length / states.length;
}

function rankCount(played: Played): number {
  const run = played.of('run', 0, Infinity).at(-1)?.run;
  return new Set(run?.processes.flatMap(({ rank }) => rank ?? [])).size;
}

expect.extend({
  toBeWithin: (received: number, low: number, high: number) => ({
    pass: received >= low && received <= high,
    message: () => `expected ${received} to be within ${low} and ${high}`,
  }),
});

declare module 'vitest' {
  // As vitest declares it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  interface Matchers<T = any> {
    toBeWithin(low: number, high: number): T;
  }
}

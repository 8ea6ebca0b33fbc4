import { describe, expect, test } from 'vitest';
import { gpuMemoryMib, powerLimitWatts } from '../../src/demo/gpu.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { scenarios } from '../../src/demo/scenarios/index.ts';
import { area, strength, type Span } from '../../src/demo/span.ts';

const startedAt = 1_700_000_000_000;
const cores = 128;

describe.each(scenarios)('every second of $name', (scenario) => {
  const machine = createMachine({ seed: 27, startedAt, scenario });
  const seconds = Array.from({ length: scenario.seconds }, (_, second) => second);
  const moments = seconds.map((second) => ({ second, up: machine.startUp + second }));

  test('has GPUs that could be', () => {
    const wrong: string[] = [];
    let before = machine.gpus(machine.startUp - 1);
    for (const { second, up } of moments) {
      const isHeld = machine.run(up) !== undefined;
      const gpus = machine.gpus(up);
      for (const gpu of gpus) {
        const { index, watts, smMhz, celsius, utilization, memoryUtilization, memoryUsedMib, tensorPercent } = gpu;
        const say = (what: string) => wrong.push(`${second} s, GPU ${index}: ${what} in ${JSON.stringify(gpu)}`);
        if (isHeld ? watts < 115 || watts > powerLimitWatts + 5 : watts < 74 || watts > 79) say('power');
        if (tensorPercent < 1 && watts > 150) say('power without work');
        if (tensorPercent > 30 && watts < 350 && smMhz > 1900) say('work without power');
        if (tensorPercent > utilization && utilization > 0 && second > 0 && tensorPercent > 30) say('work in no time');
        if (smMhz > 1980 || (isHeld && smMhz < 1000) || smMhz % 15 !== 0) say('clock');
        if (celsius < 28 || celsius > 92) say('temperature');
        // A die cools and warms by its heat sink: within a second no more than a third of what it can come to.
        if (Math.abs(celsius - (before[index]?.celsius ?? celsius)) > 11) say('temperature at once');
        if (utilization < 0 || utilization > 100 || memoryUtilization > utilization) say('utilization');
        if (memoryUsedMib > gpuMemoryMib || memoryUsedMib < 0) say('memory');
        if (!Object.values(gpu).every((value) => typeof value !== 'number' || Number.isFinite(value))) say('no number');
      }
      before = gpus;
    }
    expect(wrong).toEqual([]);
  });

  test('has GPUs that do as much arithmetic as the log counts tokens', () => {
    // More is possible for the same tokens (further heads, a cache that finds nothing), less is not.
    const wrong = (scenario.effects ?? []).flatMap(({ pace = 1, gpus = [] }) =>
      gpus.filter(({ work = 1, smMhz }) => smMhz === undefined && work < 0.8 * pace).map(({ of }) => ({ of, pace })),
    );
    expect(wrong).toEqual([]);
  });

  test('has no two threads of a process that fill a core with Python: they would share one', () => {
    const wrong: string[] = [];
    // Who waits for the GPU, or is in the backward pass, has let go of the GIL.
    const native: ReadonlySet<string> = new Set(['synchronize', 'all_reduce', '_engine_run_backward']);
    for (const { second, up } of moments.filter(({ second }) => second % 10 === 0)) {
      const full = machine.threads(up).filter((thread) => {
        const { systemShare, stack } = machine.shape(thread, up);
        return !native.has(stack[0]?.[0] ?? 'synchronize') && machine.rate(thread, up) * (1 - systemShare) > 60;
      });
      if (new Set(full.map(({ pid }) => pid)).size < full.length)
        wrong.push(`${second} s: ${full.map(({ key }) => key).join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });

  test('has compute-bound only while its GPUs compute', () => {
    const wrong: string[] = [];
    for (const { situation, scope, ...span } of scenario.truth.findings) {
      if (situation !== 'compute-bound') continue;
      for (const { second, up } of moments) {
        if (strength(span, second) < 1 || strength({ ...span, from: span.from + 10 }, second) < 1) continue;
        if (span.until !== undefined && span.every === undefined && second >= span.until) continue;
        const gpus = machine.gpus(up).filter(({ index }) => scope.gpus?.includes(index) ?? true);
        const mean = gpus.reduce((sum, { tensorPercent }) => sum + tensorPercent, 0) / gpus.length;
        if (mean < 15) wrong.push(`${second} s: tensor ${mean}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('has threads that share its cores', () => {
    const wrong: string[] = [];
    for (const { second, up } of moments.filter(({ second }) => second % 3 === 0)) {
      const rates = machine.threads(up).map((thread) => machine.rate(thread, up));
      if (!rates.every((rate) => rate >= 0 && rate <= 100)) wrong.push(`${second} s: ${rates.join(' ')}`);
      if (rates.reduce((sum, rate) => sum + rate, 0) > cores * 100)
        wrong.push(`${second} s: more cores than there are`);
      const { low, high } = machine.queue(up);
      if (!(low >= 0 && low <= high && high <= 60)) wrong.push(`${second} s: queue ${low} to ${high}`);
    }
    expect(wrong).toEqual([]);
  });

  test('has counters that never fall', () => {
    const last = new Map<number, readonly number[]>();
    const wrong: string[] = [];
    for (const { second, up } of moments.filter(({ second }) => second % 2 === 0)) {
      for (const thread of machine.threads(up)) {
        const { runNs, waitNs, userTicks, systemTicks } = machine.cpu(thread, up);
        const now = [runNs, waitNs, userTicks, systemTicks];
        const before = last.get(thread.tid) ?? now;
        // Two seconds, and the second that is not over yet.
        const most = [2.001e9, Infinity, 201, 201];
        if (!now.every((n, i) => n >= (before[i] ?? n) && n - (before[i] ?? n) <= (most[i] ?? 0)))
          wrong.push(`${second} s, ${thread.key}: ${before.join(' ')} to ${now.join(' ')}`);
        last.set(thread.tid, now);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('has a truth about times that are played', () => {
    for (const { from, until = Infinity, ramp = 0, every = Infinity } of scenario.effects ?? []) {
      expect(until - from).toBeGreaterThanOrEqual(ramp);
      expect(every).toBeGreaterThanOrEqual(until - from + ramp);
    }
    for (const { from, until = Infinity } of scenario.truth.findings) {
      expect(from).toBeLessThan(scenario.seconds);
      expect(until).toBeGreaterThan(from);
    }
    for (const { at, within } of scenario.truth.events) expect(at + within).toBeLessThanOrEqual(scenario.seconds);
    // Something can be seen to change, where something does.
    expect(
      Math.min(...(scenario.effects ?? []).map((effect) => (effect.nativeLeavesStopped ? Infinity : effect.from))),
    ).toBeGreaterThanOrEqual(90);
  });
});

describe('a span', () => {
  const spans: readonly (readonly [string, Span])[] = [
    ['for ever', { from: 10 }],
    ['with a ramp', { from: 10, ramp: 8 }],
    ['with an end', { from: 10, until: 40, ramp: 8 }],
    ['without a ramp', { from: 10, until: 40 }],
    ['that comes again', { from: 10, until: 30, ramp: 4, every: 50 }],
  ];

  test.each(spans)('%s holds as much as its area says', (_, span) => {
    let sum = 0;
    const step = 0.01;
    const wrong: number[] = [];
    for (let n = 0; n < 20_000; n++) {
      const at = n * step;
      const now = strength(span, at);
      if (now < 0 || now > 1 || Math.abs(area(span, at) - sum) > 0.05) wrong.push(at);
      sum += strength(span, at + step / 2) * step;
    }
    expect(sum).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  test('comes again', () => {
    const span = { from: 10, until: 30, every: 50 };
    expect([5, 20, 40, 70, 90].map((at) => strength(span, at))).toEqual([0, 1, 0, 1, 0]);
  });
});

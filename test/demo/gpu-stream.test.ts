import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { gpuCollector } from '../../src/collectors/gpu/index.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { gpu } from '../../src/demo/players/gpu-stream.ts';
import { findScenario } from '../../src/demo/scenarios/index.ts';
import type { GpusSample, Sample } from '../../src/model/samples.ts';
import { contextOf } from '../collectors/gpu/read.ts';

const startedAt = 1_700_000_000_000;

/** What the parser makes of the demo's GPUs in so many seconds, from a second of the scenario on. */
function play(scenario: string, from: number, seconds: number) {
  const clock = createManualClock(startedAt);
  const machine = createMachine({ seed: 27, startedAt, scenario: findScenario(scenario)! });
  clock.advance(from * 1000);
  const [plan] = gpuCollector.plans(contextOf(8));
  if (!plan || 'off' in plan) throw new Error('no plan');
  const parser = plan.parser();
  const samples: Sample[] = [];
  gpu({
    machine,
    clock,
    body: plan.body,
    shellPid: 1,
    print: (text) => {
      for (const line of text.split('\n')) samples.push(...parser.push(line, clock.now(), line.length + 1));
    },
    printError: () => {},
    every: (ms, fn) => clock.every(ms, fn),
    after: (ms, fn) => clock.after(ms, fn),
    finish: () => {},
  });
  clock.advance(seconds * 1000);
  const frames = samples.filter((sample): sample is GpusSample => sample.kind === 'gpus');
  return { frames, last: frames.at(-1)!, rejected: parser.rejected };
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

describe("the demo's GPUs between frames", () => {
  test('are read four times a second: alike in a healthy run, in bursts where they starve', () => {
    const healthy = play('healthy', 0, 5);
    expect(healthy.rejected).toBe(0);
    for (const { utilizationReadings } of healthy.frames.slice(1))
      for (const each of utilizationReadings ?? [])
        expect([each?.length, spread(each ?? []) < 20, Math.min(...(each ?? [])) > 60]).toEqual([4, true, true]);
    const starved = play('input-bound', 180, 30).frames.flatMap((frame) => frame.utilizationReadings?.[0] ?? []);
    const idle = starved.filter((value) => value <= 5).length / starved.length;
    expect(idle).toBeGreaterThan(0.35);
    expect(idle).toBeLessThan(0.65);
    expect(spread(starved)).toBeGreaterThan(20);
  });

  test('tell by their counters who works and who spins', () => {
    const healthy = play('hang', 10, 25).last;
    for (const value of healthy.tensorActivePercent ?? []) expect(value).toBeGreaterThan(40);
    for (const value of healthy.smActivePercent ?? []) expect(value).toBeGreaterThan(85);
    const { truth } = findScenario('hang')!;
    const since = truth.findings.find(({ situation }) => situation === 'collective-hang')!.from;
    const hung = play('hang', since + 15, 25).last;
    const stuck = hung.utilizationPercent?.indexOf(0) ?? -1;
    expect(stuck).toBeGreaterThanOrEqual(0);
    hung.index.forEach((index) => {
      const sm = hung.smActivePercent?.[index];
      if (index === stuck) expect(sm).toBe(0);
      else expect([sm, hung.smOccupancyPercent?.[index]]).toEqual([18, 4]);
      expect([hung.tensorActivePercent?.[index], hung.dramActivePercent?.[index]]).toEqual([0, 0]);
    });
  });

  test('have counters from the third second, and newer ones in a minute and a half, as eight GPUs have', () => {
    const { frames, rejected } = play('healthy', 0, 100);
    const since = (second: number) => (frames[second]?.countersTime?.[0] ?? NaN) - startedAt;
    expect([1, 3, 90, 93].map(since)).toEqual([NaN, 2000, 2000, 92_000]);
    expect(rejected).toBe(0);
  });
});

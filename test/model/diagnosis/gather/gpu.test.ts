import { beforeAll, describe, expect, test } from 'vitest';
import { createGpuGatherer } from '../../../../src/model/diagnosis/gather/gpu.ts';
import type { GpusSample } from '../../../../src/model/samples.ts';
import { head, start } from '../../made.ts';
import { at } from '../../../import/imported.ts';
import { fed, type Asked } from './asked.ts';
import { samplesOf } from './saved.ts';

const mebibyte = 2 ** 20;

/** A frame of one GPU with a context, or of several by lists. */
function frame(second: number, more: Partial<GpusSample> = {}): GpusSample {
  const uuid = more.uuid ?? ['GPU-a'];
  return {
    kind: 'gpus',
    ...head(start + second * 1000, 'gpu'),
    uuid,
    index: uuid.map((_, i) => i),
    name: uuid.map(() => 'H200'),
    ...more,
  };
}

/** A frame a second from second 0 on. */
const frames = (count: number, of: (second: number) => Partial<GpusSample>) =>
  Array.from({ length: count }, (_, second) => frame(second, of(second)));
const signalsOf = (samples: readonly GpusSample[], window = {}) => fed(createGpuGatherer(), samples).values(1, window);

describe('signals of GPUs in captures', () => {
  let hang: Asked;
  beforeAll(async () => void (hang = fed(createGpuGatherer(), await samplesOf('nccl_hang'))));

  test('in a hang one GPU spins at the power of an idle one, and the seconds before are no part of it', () => {
    // The ranks stopped at 13:53:24.9; the files end at 13:53:28.7.
    const window = { lateFrom: at('13:53:25.000') };
    const spinning = hang.values(1, window);
    expect(spinning).toMatchObject({ lateUtilization: 100, lateTensor: 0, lateDram: 0, peers: 1, peersSpinning: 0 });
    expect(spinning.latePower).toBeGreaterThan(120);
    expect(spinning.latePower).toBeLessThan(125);
    expect(spinning.latePowerRise).toBeLessThan(2);
    expect(hang.values(2, window)).toMatchObject({ lateUtilization: 0, peersSpinning: 100, peersBusy: 0 });
  });

  test('while both compute, nobody spins', () => {
    const to = at('13:53:24.900');
    const window = { from: to - 2000, to, lateFrom: to - 1500 };
    const busy = hang.values(1, window);
    expect(busy).toMatchObject({ peersSpinning: 0, peersBusy: 100, powerCapShare: 100, thermalShare: 0 });
    expect(busy.utilization).toBeGreaterThan(98);
    expect(busy.latePower).toBeGreaterThan(600);
    expect(busy.clockShare).toBeGreaterThan(90);
  });

  test('memory goes up and down where the cache is emptied at every step, and stands elsewhere', async () => {
    const moves = async (name: string) =>
      fed(createGpuGatherer(), await samplesOf(name)).values(1, { from: 0 }).memoryMoves;
    expect(await moves('alloc_churn')).toBeGreaterThan(5);
    // It has a warm-up of 4 GiB.
    expect(await moves('compute_bound')).toBe(0);
  });

  test('small kernels leave SMs empty: the counters are held against the use of their own time', async () => {
    const fill = async (name: string) =>
      fed(createGpuGatherer(), await samplesOf(name)).values(1, { from: 0 }).kernelFill ?? NaN;
    expect(await fill('launch_bound')).toBe(0);
    expect(await fill('input_starved_inline')).toBeGreaterThan(70);
    expect(await fill('ddp_healthy')).toBeGreaterThan(80);
  });
});

describe('signals of GPUs by made frames', () => {
  test('readings in between count, not the frame', () => {
    const readings = { utilizationPercent: [0], utilizationReadings: [[100, 0, 100, 0]] };
    expect(signalsOf(frames(10, () => readings))).toMatchObject({
      utilization: 50,
      idleShare: 50,
      utilizationSpread: 50,
    });
    expect(signalsOf(frames(10, (n) => ({ utilizationPercent: [n % 2 === 0 ? 90 : 80] })))).toMatchObject({
      utilization: 85,
      idleShare: 0,
      utilizationSpread: 5,
    });
  });

  test('what nobody told is absent', () => {
    const told = Object.keys(signalsOf(frames(5, () => ({ utilizationPercent: [50] }))));
    expect(told).toContain('idleShare');
    expect(told.filter((signal) => /power|clock|sm|tensor|dram|memory|Rate|thermal|Fill/i.test(signal))).toEqual([]);
    expect(signalsOf(frames(5, () => ({ utilizationPercent: [null], powerWatts: [null] })))).toEqual({ peers: 0 });
  });

  test('frames that no longer come say nothing of now', () => {
    const asked = fed(createGpuGatherer(), [...frames(10, () => ({ utilizationPercent: [90] }))]);
    const from = start;
    expect(asked.values(1, { from, to: asked.to + 5000 }).utilization).toBe(90);
    expect(asked.values(1, { from, to: asked.to + 7000 }).utilization).toBeUndefined();
  });

  test('power of a second that was half before the silence is no part of it', () => {
    const stopped = frames(10, (n) => ({ utilizationPercent: [100], powerWatts: [n < 6 ? 600 : 120] }));
    const values = signalsOf(stopped, { lateFrom: start + 4800 });
    expect(values.latePower).toBe(120);
    expect(signalsOf(stopped.slice(0, 6), { lateFrom: start + 4800 }).latePower).toBeUndefined();
  });

  test('counters of every ten seconds are late by two rounds, and a frame that still has them is no new round', () => {
    const seldom = frames(40, (n) => ({
      tensorActivePercent: [n < 30 ? 40 : 0],
      countersTime: [start + Math.floor(n / 10) * 10_000],
    }));
    const of = (lateFrom: number) => signalsOf(seldom, { from: start, lateFrom: start + lateFrom }).lateTensor;
    expect(of(9000)).toBe(0);
    expect(of(12_000)).toBeUndefined();
    expect(signalsOf(seldom, { from: start }).tensorActive).toBe(30);
  });

  describe('counters that come in bursts, a minute apart', () => {
    /** The only burst came at second 20; use and power from second 30 on. */
    const burst = (
      percent: number | null,
      watts: number | null,
      more: (second: number) => Partial<GpusSample> = () => ({}),
    ) =>
      frames(80, (n) => ({
        utilizationPercent: [n < 30 ? 100 : percent],
        powerWatts: [n < 30 ? 690 : watts],
        ...(n >= 20 && { smActivePercent: [90], tensorActivePercent: [45] }),
        ...{ countersTime: [start + 20_000], countersRoundMs: [1000] },
        ...more(n),
      }));

    test('hold for now where the GPU is as busy and draws as much as then', () => {
      expect(signalsOf(burst(98, 660))).toMatchObject({ smActive: 90, tensorActive: 45, kernelFill: 90 });
      expect(signalsOf(burst(91, 625))).toMatchObject({ smActive: 90 });
    });

    test.each([
      ['it waits in a kernel', 100, 121],
      ['it draws less', 100, 610],
      ['it is less busy', 85, 690],
      ['its power is not told', 100, null],
      ['its use is not told', null, 690],
    ])('hold no longer where %s', (_, percent, watts) => {
      const values = signalsOf(burst(percent, watts));
      expect(values.smActive ?? values.tensorActive ?? values.kernelFill).toBeUndefined();
    });

    test('count where they are in the window, and for the late seconds only when they were measured in these', () => {
      const seconds = (n: number) => start + n * 1000;
      const values = (from: number, lateFrom: number) =>
        signalsOf(burst(100, 121), { from: seconds(from), lateFrom: seconds(lateFrom) });
      expect(values(15, 17)).toMatchObject({ smActive: 90, lateTensor: 45 });
      expect(values(15, 18)).not.toHaveProperty('lateTensor');
      expect(values(21, 22)).not.toHaveProperty('smActive');
      expect(signalsOf(burst(98, 660))).not.toHaveProperty('lateTensor');
    });

    test('are over when frames no longer have them', () => {
      const gone = (n: number) => (n < 70 ? {} : { smActivePercent: [null], tensorActivePercent: [null] });
      expect(signalsOf(burst(100, 690, gone))).not.toHaveProperty('smActive');
      const asked = fed(createGpuGatherer(), burst(100, 690));
      expect(asked.values(1, { to: asked.to + 7000 })).not.toHaveProperty('smActive');
    });
  });

  test('a clock that is set back begins anew', () => {
    const later = frames(10, () => ({ utilizationPercent: [90] })).map((each) => ({
      ...each,
      receivedAt: each.receivedAt + 3_600_000,
    }));
    expect(signalsOf([...later, ...frames(3, () => ({ utilizationPercent: [10] }))]).utilization).toBe(10);
  });

  test('hw slowdown beside hw thermal is the heat', () => {
    const by = (reasons: readonly string[]) => signalsOf(frames(3, () => ({ throttleReasons: [reasons] })));
    expect(by(['hw slowdown', 'hw thermal'])).toMatchObject({
      thermalShare: 100,
      powerBrakeShare: 0,
      powerCapShare: 0,
    });
    expect(by(['hw slowdown', 'power brake'])).toMatchObject({ thermalShare: 0, powerBrakeShare: 100 });
    expect(by(['power cap', 'sw thermal'])).toMatchObject({ thermalShare: 100, powerCapShare: 100 });
  });

  test('clocks of a GPU without work say nothing; of one at work they are held against the maximum', () => {
    const clocked = (utilizationPercent: number, smClockMaxMhz?: number) =>
      signalsOf(
        frames(4, () => ({
          utilizationPercent: [utilizationPercent],
          smClockMhz: [990],
          ...(smClockMaxMhz !== undefined && { smClockMaxMhz: [smClockMaxMhz] }),
        })),
      ).clockShare;
    expect(clocked(0, 1980)).toBeUndefined();
    expect(clocked(90, 1980)).toBe(50);
    expect(clocked(90)).toBe(100);
  });
});

describe('memory that moves', () => {
  const moves = (mib: (n: number) => number) =>
    signalsOf(frames(11, (n) => ({ memoryUsedBytes: [mib(n) * mebibyte] }))).memoryMoves;

  test('turns of 16 MiB or more count', () => {
    expect(moves((n) => 4000 + (n % 2) * 16)).toBe(9);
    expect(moves((n) => 4000 + (n % 2) * 15)).toBe(0);
  });

  test('a warm-up only grows, and small steps of one way are one', () => {
    expect(moves((n) => 1000 + n * 500)).toBe(0);
    expect(moves((n) => (n < 5 ? 1000 + n * 10 : 1050 - (n - 5) * 10))).toBe(1);
  });
});

describe('power above idle', () => {
  const context = [5000 * mebibyte];
  const idle = { utilizationPercent: [0], powerWatts: [118], memoryUsedBytes: context };
  const at = (watts: number, more: Partial<GpusSample> = {}) => ({
    ...{ utilizationPercent: [100], powerWatts: [watts], memoryUsedBytes: context },
    ...more,
  });
  const rise = (samples: readonly GpusSample[]) =>
    signalsOf(samples, { from: samples.at(-1)?.receivedAt ?? 0 }).powerRise;

  test('lies between what it drew without work and its limit', () => {
    const limit = { powerLimitWatts: [700] };
    expect(rise(frames(9, (n) => (n < 6 ? { ...idle, ...limit } : at(409, limit))))).toBeCloseTo(50, 5);
    expect(rise(frames(9, (n) => (n < 6 ? { ...idle, ...limit } : at(121, limit))))).toBeLessThan(1);
  });

  test('where it never was without work a sixth of the limit stands for that', () => {
    const limit = { powerLimitWatts: [700] };
    expect(rise(frames(5, () => at(690, limit)))).toBeGreaterThan(95);
    expect(rise(frames(5, () => at(122, limit)))).toBeLessThan(2);
  });

  test('a power cap that lasts is the limit where none is told; one for a moment is not', () => {
    const capped = { throttleReasons: [['power cap']] };
    expect(rise(frames(5, () => at(690, capped)))).toBe(100);
    expect(rise(frames(5, (n) => at(180, n % 2 === 0 ? capped : {})))).toBeUndefined();
  });

  test('without a limit little stays little, and where nothing tells it is absent', () => {
    expect(rise(frames(9, (n) => (n < 6 ? idle : at(121))))).toBeLessThan(3);
    expect(rise(frames(5, () => at(119)))).toBeUndefined();
  });

  test('readings of 0 % between bursts are no idle GPU', () => {
    const bursts = frames(12, (n) => at(n < 10 ? 180 : 400, { utilizationPercent: [n % 3 === 0 ? 30 : 0] }));
    expect(rise(bursts)).toBeUndefined();
  });
});

describe('other GPUs of the run', () => {
  const two = (second: number, [mine, its]: readonly [number, number], watts: number, counters = {}) =>
    frame(second, {
      uuid: ['GPU-a', 'GPU-b'],
      utilizationPercent: [mine, its],
      memoryUsedBytes: [5000 * mebibyte, 5000 * mebibyte],
      powerWatts: [118, watts],
      powerLimitWatts: [700, 700],
      ...counters,
    });
  const peersOf = (of: (second: number) => GpusSample) => signalsOf(Array.from({ length: 8 }, (_, n) => of(n)));

  test('busy at little power is spinning, at more it is work', () => {
    expect(peersOf((n) => two(n, [0, 100], 125))).toMatchObject({ peersSpinning: 100, peersBusy: 0, behindPeers: 100 });
    expect(peersOf((n) => two(n, [0, 100], 400))).toMatchObject({ peersSpinning: 0, peersBusy: 100 });
    expect(peersOf((n) => two(n, [100, 0], 125))).toMatchObject({ peersSpinning: 0, peersBusy: 0, behindPeers: -100 });
  });

  test('one of another role does other work', () => {
    const roles = { kind: 'gpuRoles', ...head(start, 'user'), gpu: [0], role: ['actor'] } as const;
    const asked = fed(createGpuGatherer(), [roles, ...Array.from({ length: 8 }, (_, n) => two(n, [20, 100], 600))]);
    const values = asked.values(1);
    expect(values).toMatchObject({ peers: 1, peersBusy: 100 });
    expect(values.behindPeers).toBeUndefined();
  });

  test('little power with many SMs or tensor cores at work is no spinning', () => {
    const counters = (sm: number, tensor: number) => ({ smActivePercent: [0, sm], tensorActivePercent: [0, tensor] });
    expect(peersOf((n) => two(n, [0, 100], 125, counters(18, 0))).peersSpinning).toBe(100);
    expect(peersOf((n) => two(n, [0, 100], 125, counters(60, 0))).peersSpinning).toBe(0);
    expect(peersOf((n) => two(n, [0, 100], 125, counters(18, 10))).peersSpinning).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import { createHostGatherer } from '../../../../src/model/diagnosis/gather/host.ts';
import type { BusiestSample, HostSample, Sample } from '../../../../src/model/samples.ts';
import { head, start, threads } from '../../made.ts';
import { fed } from './asked.ts';

const host = (second: number, more: Partial<HostSample>): HostSample => ({
  kind: 'host',
  ...head(start + second * 1000, 'host'),
  ...more,
});
const busiest = (second: number, rows: readonly (readonly [pid: number | null, tid: number, percent: number])[]) =>
  ({
    kind: 'busiest',
    ...head(start + second * 1000, 'busiest'),
    pid: rows.map(([pid]) => pid),
    tid: rows.map(([, tid]) => tid),
    user: rows.map(() => 'x'),
    comm: rows.map(() => 'x'),
    state: rows.map(() => 'R'),
    cpuPercent: rows.map(([, , percent]) => percent),
  }) satisfies BusiestSample;
const run = (...pids: readonly number[]): Sample => ({
  kind: 'run',
  ...head(start, 'processes'),
  phase: 'running',
  candidates: [],
  run: {
    id: '1:1',
    rootPid: 1,
    processes: pids.map((pid) => ({ pid, commandLine: [], gpuMinors: [] })),
    outputs: [],
  },
});
const valuesOf = (...samples: readonly Sample[]) => fed(createHostGatherer(), samples).values(0);

describe('signals of the host', () => {
  test('are means of the window in the units of the catalogue', () => {
    const frames = [0, 2, 4].map((n) =>
      host(n, {
        ...{ runWriteBytesPerSecond: n * 1e9, runReadBytesPerSecond: 0, diskBusyPercent: 90, ioWaitPercent: 3 },
        ...{ busyPercent: 40, cpuPressurePercent: 1, memoryPressurePercent: 2, ioPressurePercent: 3 },
      }),
    );
    expect(valuesOf(...frames)).toEqual({
      ...{ writeRate: 2000, readRate: 0, diskBusy: 90, ioWait: 3, hostBusy: 40 },
      ...{ cpuPressure: 1, memoryPressure: 2, ioPressure: 3 },
    });
  });

  test('what the host does not tell is absent', () => {
    expect(valuesOf(host(0, { busyPercent: 10 }))).toEqual({ hostBusy: 10 });
  });

  test('neighbours are neither the run nor its monitor', () => {
    const rows = [
      [1, 1, 100],
      [1, 2, 100],
      [null, 2, 100],
      [50, 50, 30],
      [70, 70, 250],
      [null, 80, 50],
    ] as const;
    const samples = [run(1), threads(start, [10, 10]), host(0, { costPids: [50] }), busiest(1, rows)];
    expect(valuesOf(...samples).neighbourCores).toBe(3);
    expect(valuesOf(run(1), busiest(1, [[1, 1, 100]])).neighbourCores).toBe(0);
  });

  test('CPU of the run is held against the limit of its cgroup, where it has one', () => {
    const both = [threads(start, [150, 50]), threads(start + 1000, [300, 100])];
    expect(valuesOf(...both, host(1, { coreLimit: 4 })).coreLimitShare).toBe(75);
    expect(valuesOf(...both, host(1, {})).coreLimitShare).toBeUndefined();
    // A first frame has no shares.
    const first = { ...threads(start, [0]), cpuPercent: [null] };
    expect(valuesOf(first, host(1, { coreLimit: 4 })).coreLimitShare).toBeUndefined();
  });

  test('what comes seldom is kept for three of its periods, and what no longer comes is absent', () => {
    const seldom = [0, 20].map((n) => busiest(n, [[9, 9, 100]]));
    const after = (second: number) => valuesOf(run(1), ...seldom, host(second, { busyPercent: 1 }));
    expect(after(79).neighbourCores).toBe(1);
    expect(after(81).neighbourCores).toBeUndefined();
    const often = [0, 1, 2].map((n) => host(n, { busyPercent: 50 }));
    expect(valuesOf(...often, threads(start + 8000, [1])).hostBusy).toBe(50);
    expect(valuesOf(...often, threads(start + 9000, [1])).hostBusy).toBeUndefined();
  });
});

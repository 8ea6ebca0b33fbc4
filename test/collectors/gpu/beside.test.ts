import { describe, expect, it } from 'vitest';
import { gpuCollector } from '../../../src/collectors/gpu/index.ts';
import { createGpuParser } from '../../../src/collectors/gpu/parse.ts';
import { columnsOf, contextOf, fixture, gpusOf, listedFields } from './read.ts';

const at = Date.UTC(2026, 10, 29, 13, 46);
const MiB = 1024 * 1024;

/** A parser, and the frame of a round of two GPUs so many seconds after the start. */
function reader(slow: readonly string[] = []) {
  const parser = createGpuParser(
    contextOf(2),
    columnsOf('index', 'uuid', 'utilizationPercent', 'name'),
    slow.length > 0 ? columnsOf('index', 'smClockMaxMhz') : [],
  );
  const push = (line: string, seconds = 0) => gpusOf(parser.push(line, at + seconds * 1000, 10));
  const round = (seconds = 0) => [0, 1].flatMap((i) => push(`${i}, GPU-${i}, 50, X`, seconds));
  return { parser, push, round };
}

describe('readings of utilization between frames', () => {
  it('stand in the next frame, oldest first, and in no other', () => {
    const { parser, push, round } = reader();
    for (const value of [0, 100, 3, 97]) {
      push(`0, ${value}`);
      push(`1, ${value === 0 ? '[N/A]' : 50}`);
    }
    expect(round()).toMatchObject([
      {
        utilizationReadings: [
          [0, 100, 3, 97],
          [50, 50, 50],
        ],
      },
    ]);
    push('1, 12');
    expect(round()).toMatchObject([{ utilizationReadings: [null, [12]] }]);
    expect('utilizationReadings' in (round()[0] ?? {})).toBe(false);
    expect(parser.rejected).toBe(0);
  });

  it('are the newest 64 where frames come seldom', () => {
    const { push, round } = reader();
    for (let i = 0; i < 100; i++) push(`0, ${i}`);
    const readings = round()[0]?.utilizationReadings?.[0];
    expect([readings?.length, readings?.[0], readings?.at(-1)]).toEqual([64, 36, 99]);
  });

  it('stay with their frame where it waits for what is asked seldom', () => {
    const { push, round } = reader(['waits']);
    push('0, 10');
    expect(round()).toEqual([]);
    push('0, 20');
    expect(round().map(({ utilizationReadings }) => utilizationReadings)).toEqual([
      [[10], null],
      [[20], null],
    ]);
  });

  it('may come within a round', () => {
    const { push } = reader();
    for (const line of ['0, GPU-0, 50, X', '0, 7']) expect(push(line)).toEqual([]);
    expect(push('1, GPU-1, 50, X')).toMatchObject([{ index: [0, 1], utilizationReadings: [[7], null] }]);
  });
});

describe("the GPU's own counters", () => {
  const gpm = fixture('dmon-gpm.txt').split('\n');
  /** The round of these rows is the third of a real dmon: the first two have no values. */
  const third = gpm.slice(0, 8);

  it('are read from a real dmon, in our units, and not those that the other query tells', () => {
    const { parser, push, round } = reader();
    for (const line of gpm.slice(0, 6)) push(`gpm ${line}`);
    expect(Object.keys(round()[0] ?? {})).not.toContain('smActivePercent');
    for (const line of gpm.slice(6, 8)) push(`gpm ${line}`);
    const [frame] = round();
    expect(frame).toMatchObject({
      utilizationPercent: [50, 50],
      graphicsActivePercent: [53, 71],
      smActivePercent: [45, 62],
      smOccupancyPercent: [9, 24],
      tensorActivePercent: [36, 27],
      dramActivePercent: [10, 25],
      pcieTxBytesPerSecond: [1205 * MiB, 79 * MiB],
      pcieRxBytesPerSecond: [25 * MiB, 1246 * MiB],
      nvlinkTxBytesPerSecond: [0, 0],
    });
    expect(frame).not.toHaveProperty('powerWatts');
    expect(parser.rejected).toBe(0);
  });

  it('stay for a minute and a quarter, then they are absent', () => {
    const { push, round } = reader();
    for (const line of third) push(`gpm ${line}`, 0);
    const [kept] = round(75);
    expect(kept).toMatchObject({ smActivePercent: [45, 62], countersRoundMs: [1000, 1000] });
    expect(kept).toMatchObject({ countersTime: [(kept?.receivedAt ?? 0) - 75_000, (kept?.receivedAt ?? 0) - 75_000] });
    expect(round(76)[0]).not.toHaveProperty('smActivePercent');
    expect(round(77)[0]).not.toHaveProperty('countersTime');
    push(`gpm ${third[6]}`, 80);
    const [half] = round(81);
    expect(half).toMatchObject({
      ...{ smActivePercent: [45, null], countersRoundMs: [1000, null] },
      countersTime: [(half?.receivedAt ?? 0) - 1000, null],
    });
  });

  it('are absent of a GPU that is lost since', () => {
    const { push, round } = reader();
    for (const line of third) push(`gpm ${line}`, 0);
    round(1);
    push('lost 1 GPU is lost', 2);
    push('rows 1', 2);
    expect(push('0, GPU-0, 50, X', 3)).toMatchObject([{ smActivePercent: [45, null], faults: [null, 'GPU is lost'] }]);
  });

  it('are nothing, without a word, where a GPU or driver has none', () => {
    const { parser, push, round } = reader();
    const said = ['GPM metrics are not supported', '', '    0', '    0 50', 'Invalid combination of input arguments.'];
    for (const line of [...said, ...gpm.slice(0, 4), '    0 50', '# Idx']) push(`gpm ${line}`);
    expect(round()[0]).not.toHaveProperty('smActivePercent');
    expect(parser.rejected).toBe(0);
  });
});

describe('the pace', () => {
  const bodyOf = (gpuCount: number, intervalMs: number, fields = listedFields) => {
    const context = contextOf(gpuCount, { nvidia: { fields, gpuCount } });
    const [plan] = gpuCollector.plans({ ...context, options: { ...context.options, intervalMs } });
    return plan && 'body' in plan ? plan.body : '';
  };

  it.each([
    [1, 1000, 250],
    [8, 1000, 250],
    [8, 30_000, 250],
    [9, 1000, 500],
    [64, 30_000, 2000],
  ])('of readings of %d GPUs at %d ms is %d ms', (gpus, intervalMs, pace) => {
    expect(bodyOf(gpus, intervalMs)).toMatch(new RegExp(`query-gpu=index,utilization.gpu .* -lms ${pace};`));
  });

  it.each([
    [1, 60],
    [4, 60],
    [5, 70],
    [8, 90],
    [64, 540],
  ])('of counters of %d GPUs is a burst every %d s', (gpus, seconds) => {
    expect(bodyOf(gpus, 1000)).toMatch(new RegExp(`dmon -s u -d 1 -c 3 .*[^]*; sleep ${seconds - 3};`));
  });

  it('of readings is none where frames come as often, and where the driver does not know the field', () => {
    for (const body of [bodyOf(16, 500), bodyOf(32, 1000), bodyOf(8, 1000, ['index', 'uuid', 'name'])])
      expect(body).not.toMatch(/query-gpu=index,utilization.gpu /);
  });
});

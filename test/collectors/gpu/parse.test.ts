import { describe, expect, it } from 'vitest';
import { chooseColumns, type FieldId } from '../../../src/collectors/gpu/fields.ts';
import { createGpuParser } from '../../../src/collectors/gpu/parse.ts';
import { columnsOf, contextOf, fixture, gpusOf, listedFields, processesOf } from './read.ts';
import { readSamples } from '../made-context.ts';

const captured: readonly FieldId[] = [
  'index',
  'uuid',
  'name',
  'utilizationPercent',
  'memoryUtilizationPercent',
  'memoryUsedBytes',
  'memoryTotalBytes',
  'temperatureCelsius',
  'powerWatts',
  'powerLimitWatts',
  'smClockMhz',
  'memoryClockMhz',
  'pstate',
  'fanPercent',
  'throttleReasons',
  'pcieGeneration',
  'pcieWidth',
  'eccUncorrected',
  'mig',
];
const at = Date.UTC(2026, 10, 29, 13, 46);
const MiB = 1024 * 1024;

/** The captures, as their query would be read by us; the Samples must not depend on how the bytes were cut. */
const captures: readonly {
  readonly file: string;
  readonly ids: readonly FieldId[];
  readonly gpus: number;
  readonly frames: number;
  readonly rejected: number;
}[] = [
  { file: 'query-once.txt', ids: captured, gpus: 2, frames: 1, rejected: 0 },
  { file: 'query-loop.txt', ids: ['timestamp', ...captured], gpus: 2, frames: 10, rejected: 0 },
  {
    file: 'query-loop-200ms.txt',
    ids: ['timestamp', 'index', 'utilizationPercent', 'memoryUtilizationPercent', 'powerWatts', 'memoryUsedBytes'],
    gpus: 2,
    frames: 15,
    rejected: 0,
  },
  { file: 'query-bad-field.txt', ids: captured, gpus: 2, frames: 0, rejected: 0 },
  { file: 'query-legacy-names.txt', ids: captured, gpus: 2, frames: 0, rejected: 3 },
  { file: 'cells-without-values.txt', ids: captured.slice(0, 9), gpus: 5, frames: 1, rejected: 0 },
];

describe('the GPU parser', () => {
  it.each(captures)('reads $file alike wherever it is cut', ({ file, ids, gpus, frames, rejected }) => {
    const bytes = Buffer.from(fixture(file));
    const parse = (cut: number) => readSamples(createGpuParser(contextOf(gpus), columnsOf(...ids)), bytes, cut, at);
    const whole = parse(0);
    expect(gpusOf(whole.samples)).toHaveLength(frames);
    expect(whole.rejected).toBe(rejected);
    const text = JSON.stringify(whole);
    for (let cut = 1; cut <= bytes.length; cut++) expect(JSON.stringify(parse(cut)), `cut at ${cut}`).toBe(text);
  });

  it('reads every value of a real H200 in our units', () => {
    const parser = createGpuParser(contextOf(2), columnsOf('timestamp', ...captured));
    const [first] = gpusOf(readSamples(parser, Buffer.from(fixture('query-loop.txt')), 0, at).samples);
    expect(first).toEqual({
      kind: 'gpus',
      host: 'node-0',
      source: 'gpu',
      time: Date.UTC(2026, 10, 29, 13, 45, 53, 34),
      receivedAt: at,
      uuid: ['GPU-11111111-2222-3333-4444-555555555555', 'GPU-66666666-7777-8888-9999-000000000000'],
      index: [0, 1],
      name: ['NVIDIA H200', 'NVIDIA H200'],
      utilizationPercent: [61, 77],
      memoryUtilizationPercent: [14, 35],
      memoryUsedBytes: [3601 * MiB, 2883 * MiB],
      memoryTotalBytes: [143771 * MiB, 143771 * MiB],
      temperatureCelsius: [57, 57],
      powerWatts: [569.22, 525.4],
      powerLimitWatts: [700, 700],
      smClockMhz: [1965, 1980],
      memoryClockMhz: [3201, 3201],
      pstate: ['P0', 'P0'],
      fanPercent: [null, null],
      throttleReasons: [['power cap'], []],
      pcieGeneration: [5, 5],
      pcieWidth: [16, 16],
      eccUncorrected: [0, 0],
      mig: ['Disabled', 'Disabled'],
    });
  });

  it('reads what our script gave on a real H200, wherever it is cut', () => {
    const bytes = Buffer.from(fixture('stream-h200.txt'));
    const parse = (cut: number) =>
      readSamples(createGpuParser(contextOf(1), chooseColumns(listedFields)), bytes, cut, at);
    const whole = parse(0);
    expect(whole.rejected).toBe(0);
    expect(gpusOf(whole.samples)).toHaveLength(13);
    expect(processesOf(whole.samples).at(-1)).toMatchObject({ pid: [414, 414], name: ['python3', 'python3'] });
    expect(gpusOf(whole.samples).at(-1)).toMatchObject({
      memoryUsedBytes: [621 * MiB],
      powerWatts: [122.83],
      memoryTemperatureCelsius: [38],
      persistence: ['Enabled'],
    });
    expect(gpusOf(whole.samples).at(-1)).not.toHaveProperty('faults');
    const text = JSON.stringify(whole);
    for (let cut = 1; cut <= bytes.length; cut++) expect(JSON.stringify(parse(cut)), `cut at ${cut}`).toBe(text);
  });

  it('takes local time with the offset of zone and clock, and bears a zone that has changed since', () => {
    const time = (utcOffsetMinutes: number, clockOffsetMs: number) => {
      const context = contextOf(1, { utcOffsetMinutes, clockOffsetMs });
      const parser = createGpuParser(context, columnsOf('timestamp', 'index', 'uuid', 'name'));
      return parser.push('2026/11/29 19:16:00.500, 0, GPU-1, X', at + 900, 40)[0]?.time;
    };
    expect(time(330, 0)).toBe(at + 500);
    expect(time(330, 3000)).toBe(at + 500 - 3000);
    expect(time(0, 0)).toBe(at + 500);
  });

  it('keeps what a cell without a value tells, and shows no number for it', () => {
    const bytes = Buffer.from(fixture('cells-without-values.txt'));
    const parser = createGpuParser(contextOf(5), columnsOf(...captured.slice(0, 9)));
    const [frame] = gpusOf(readSamples(parser, bytes, 0, at).samples);
    expect(frame?.faults).toEqual([
      'Insufficient Permissions',
      'GPU requires reset; Unknown Error',
      null,
      'ERR!',
      null,
    ]);
    expect(frame?.memoryUsedBytes).toEqual([null, null, 12 * MiB, 5 * MiB, null]);
    expect(frame?.utilizationPercent).toEqual([null, null, 0, null, null]);
    expect(frame?.powerWatts).toEqual([295.1, null, null, 100, null]);
    expect(frame?.name).toEqual(['NVIDIA H200', 'NVIDIA H200', 'NVIDIA H200', 'NVIDIA H200', null]);
  });

  it('reads a name with commas when it stands last', () => {
    const parser = createGpuParser(contextOf(1), columnsOf('index', 'uuid', 'name'));
    const [sample] = gpusOf(parser.push('0, GPU-1, Quadro, with, \u001b[31mcommas', at, 30));
    expect(sample?.name).toEqual(['Quadro, with, commas']);
  });

  it('shows what the driver recommends', () => {
    const parser = createGpuParser(contextOf(2), columnsOf('index', 'uuid', 'recovery', 'name'));
    parser.push('0, GPU-1, None, X', at, 30);
    const [sample] = gpusOf(parser.push('1, GPU-2, Drain and Reset, X', at, 30));
    expect(sample?.faults).toEqual([null, 'driver asks for: Drain and Reset']);
  });

  it('ends a frame when the next round begins, and then knows how many rows a round has', () => {
    const parser = createGpuParser(contextOf(3), columnsOf('index', 'uuid', 'name'));
    const push = (index: number) => gpusOf(parser.push(`${index}, GPU-${index}, X`, at, 10)).map((s) => s.index);
    expect([push(0), push(2), push(0), push(2), push(0)]).toEqual([[], [], [[0, 2]], [[0, 2]], []]);
    // One comes back at the end of a round: the frame is given again, whole.
    expect([push(2), push(3), push(0), push(2), push(3)]).toEqual([[[0, 2]], [[0, 2, 3]], [], [], [[0, 2, 3]]]);
  });

  it('keeps a lost GPU as a row under its UUID beside the healthy ones', () => {
    const parser = createGpuParser(contextOf(2), columnsOf('index', 'uuid', 'utilizationPercent', 'name'));
    for (const i of [0, 1]) parser.push(`${i}, GPU-${i}, 50, X`, at, 10);
    const why = 'Unable to determine the device handle for GPU0000:09:00.0: GPU is lost.  Reboot the system';
    for (const line of [`lost 0 ${why}`, 'lost 7 ', 'rows 1']) parser.push(line, at, 10);
    const [sample] = gpusOf(parser.push('1, GPU-1, 60, X', at, 10));
    expect(sample).toMatchObject({
      uuid: ['GPU-0', 'GPU-1', 'index:7'],
      name: ['X', 'X', null],
      utilizationPercent: [null, 60, null],
      faults: ['GPU is lost. Reboot the system', null, 'does not answer'],
    });
  });

  it('never throws and counts what it cannot read', () => {
    const parser = createGpuParser(contextOf(2), columnsOf(...captured));
    const lines = [...fixture('table.txt').split('\n').filter(Boolean), ', , ,', '\u001b[2J', 'app x', 'lost', 'rows'];
    expect(lines.flatMap((line) => parser.push(line, at, 1))).toEqual([]);
    expect(parser.rejected).toBe(lines.length);
  });
});

describe('what hardly changes, and is asked for seldom', () => {
  const made = () =>
    createGpuParser(
      contextOf(2),
      columnsOf('index', 'uuid', 'utilizationPercent', 'name'),
      columnsOf('index', 'smClockMaxMhz', 'fanPercent', 'mig'),
    );
  const reader = (parser = made()) => {
    const push = (line: string) => gpusOf(parser.push(line, at, 30));
    return { parser, push, round: (use: number) => [0, 1].flatMap((i) => push(`${i}, GPU-${i}, ${use}, X`)) };
  };

  it('holds up the first frame, and stands in all frames from there on', () => {
    const { push, round } = reader();
    expect(round(50)).toEqual([]);
    expect(push('slow 0, 1980, [N/A], Disabled')).toEqual([]);
    const all = { smClockMaxMhz: [1980, 1980], fanPercent: [null, 40], mig: ['Disabled', 'Enabled'] };
    expect(push('slow 1, 1980, 40, Enabled')).toMatchObject([{ utilizationPercent: [50, 50], ...all }]);
    expect(round(60)).toMatchObject([{ utilizationPercent: [60, 60], ...all }]);
    expect([push('slow 0, 1980, [N/A], Disabled'), push('slow 1, 1980, 55, Enabled')].flat()).toEqual([]);
    expect(round(70)).toMatchObject([{ fanPercent: [null, 55] }]);
  });

  it('may come first', () => {
    const { push, round } = reader();
    for (const i of [0, 1]) push(`slow ${i}, 1980, 40, Enabled`);
    expect(round(50)).toMatchObject([{ fanPercent: [40, 40] }]);
  });

  it('is not waited for beyond the next frame, nor when none comes or the stream ends', () => {
    const late = reader();
    expect(late.round(50)).toEqual([]);
    expect(late.round(60).map((frame) => frame.utilizationPercent)).toEqual([
      [50, 50],
      [60, 60],
    ]);
    const none = reader();
    none.round(50);
    expect([none.push('slow Unable to determine the device handle'), none.push('slow end')].flat()).toMatchObject([
      { utilizationPercent: [50, 50] },
    ]);
    const short = reader();
    short.round(50);
    expect(gpusOf(short.parser.end(at))).toMatchObject([{ utilizationPercent: [50, 50] }]);
    expect('fanPercent' in (late.round(70)[0] ?? {})).toBe(false);
  });

  it('is not shown of a GPU that is lost, and tells its own faults only', () => {
    const { push, round } = reader();
    push('slow 0, 1980, ERR!, Disabled');
    push('slow 1, [GPU requires reset], [GPU requires reset], [GPU requires reset]');
    expect(round(50)).toMatchObject([{ faults: ['ERR!', null], fanPercent: [null, null] }]);
    for (const line of ['lost 0 GPU is lost.', 'rows 1']) push(line);
    expect(push('1, GPU-1, 60, X')).toMatchObject([{ smClockMaxMhz: [null, null], faults: ['GPU is lost.', null] }]);
  });
});

describe('the processes on the GPUs', () => {
  const rows =
    'app GPU-1111, 572, 3592, python3\napp GPU-2222, 9, [N/A], ./train, with, commas\napp GPU-2222, 10, 14, [Not Found]\n';
  const parse = (cut: number) => readSamples(createGpuParser(contextOf(2), []), Buffer.from(rows), cut, at);

  it('are read alike wherever the bytes are cut, names with commas and memory without a value too', () => {
    const whole = parse(0);
    expect(processesOf(whole.samples)).toMatchObject([
      {
        uuid: ['GPU-1111', 'GPU-2222', 'GPU-2222'],
        pid: [572, 9, 10],
        memoryBytes: [3592 * MiB, null, 14 * MiB],
        name: ['python3', './train, with, commas', '[Not Found]'],
      },
    ]);
    for (let cut = 1; cut <= rows.length; cut++) expect(parse(cut)).toEqual(whole);
  });

  it('are none after two silent rounds, as long as the source of rows lives', () => {
    const parser = createGpuParser(contextOf(1), columnsOf('index', 'uuid', 'name'));
    const after = (seconds: number) => processesOf(parser.push('0, GPU-1, X', at + seconds * 1000, 10));
    expect([after(0), after(24)].flat()).toEqual([]);
    expect(after(26)).toMatchObject([{ pid: [], time: at + 26_000 }]);
    expect(after(27)).toEqual([]);
    parser.push('app end', at + 28_000, 8);
    expect(after(100)).toEqual([]);
  });

  it('refuse a header and errors', () => {
    const parser = createGpuParser(contextOf(2), []);
    for (const line of fixture('apps-header.txt').split('\n').filter(Boolean)) parser.push(`app ${line}`, at, 1);
    parser.push('app No devices were found', at, 1);
    expect(parser.rejected).toBe(1);
  });
});

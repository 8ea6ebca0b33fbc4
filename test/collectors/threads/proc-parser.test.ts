import { describe, expect, it } from 'vitest';
import { createProcParser } from '../../../src/collectors/threads/proc-parser.ts';
import type { ThreadsSample } from '../../../src/model/samples.ts';
import { facts, fixture, samplesOf } from './read.ts';

const create = () => createProcParser({ host: 'node-0', facts: facts() });
const read = (text: string) => samplesOf(create(), Buffer.from(text)).samples as ThreadsSample[];
const row = (frame: ThreadsSample | undefined, tid: number) => {
  const at = frame?.tid.indexOf(tid) ?? -1;
  if (!frame || at < 0) return undefined;
  return [frame.cpuPercent[at], frame.userPercent[at], frame.systemPercent[at], frame.runQueuePercent[at]];
};

describe('the frames of the clocked reader', () => {
  it('gives the same Samples however the bytes are cut', () => {
    const bytes = fixture('proc-frames.txt');
    const whole = samplesOf(create(), bytes);
    expect(whole.samples).toHaveLength(5);
    expect(whole.rejected).toBe(0);
    for (let cut = 1; cut < bytes.length; cut++) expect(samplesOf(create(), bytes, cut)).toEqual(whole);
  });

  it('keeps idle threads at 0, lets dead ones go and takes new processes up', () => {
    const frames = samplesOf(create(), fixture('proc-frames.txt')).samples as ThreadsSample[];
    expect(frames.map((frame) => frame.tid.length)).toEqual([7, 7, 8, 9, 2]);
    expect(frames.map((frame) => frame.intervalSeconds)).toEqual([undefined, 0.7, 0.7, 0.71, 0.7]);
    expect(frames[0]?.time).toBe(1_000_000 + 1_616_550);
    expect(row(frames[0], 20502)).toEqual([null, null, null, null]);
    expect(row(frames[1], 20502)).toEqual([29.65, 26.68, 2.97, 8.53]);
    expect(row(frames[1], 20455)).toEqual([0, 0, 0, 0]);
    // Began in this frame, in a process that was known: all it used was within it, in no whole tick.
    expect(row(frames[1], 20526)).toEqual([0.02, null, null, 0]);
    // An older process that is new to us: nobody knows what it used within the frame.
    expect(row(frames[2], 20508)).toEqual([null, null, null, null]);
    expect(row(frames[3], 20508)?.[0]).toBeCloseTo(4.92);
    expect(frames[0]?.comm).toContain('nl\ufffdb) S 1');
    expect(frames[0]?.comm).toContain('end\ufffd');
    expect(frames[1]?.core[1]).toBe(0);
  });

  it('counts ticks where schedstat cannot be read', () => {
    const frames = read('T 10.00\n5 5 1 R 0 100 50 - - (a)\n.\nT 11.00\n5 5 1 R 0 120 60 - - (a)\n.\n');
    expect(row(frames[1], 5)).toEqual([30, 20, 10, null]);
  });

  it('takes a TID that was given again for another thread', () => {
    const frames = read('T 10.00\n5 7 1 S 0 0 0 9000000000 0 (old)\n.\nT 11.00\n5 7 900 S 0 1 0 10000000 0 (new)\n.\n');
    expect(row(frames[1], 7)?.[0]).toBe(1);
    expect(frames[1]?.comm).toEqual(['new']);
  });

  it('adds the times of a short row to those of the row before', () => {
    const frames = read(
      'T 10.00\n5 7 1 S 0 100 50 9000000000 1000000 (a)\n.\nT 11.00\n7 R 3 110 50 150000 20000\n.\n' +
        'T 12.00\n.\nT 13.00\n7 R 3 130 50 250000 0\n.\n',
    );
    expect(frames.map((frame) => row(frame, 7))).toEqual([
      [null, null, null, null],
      [15, 15, 0, 2],
      [0, 0, 0, 0],
      [25, 25, 0, 0],
    ]);
    expect(frames[3]).toMatchObject({ pid: [5], tid: [7], comm: ['a'], state: ['R'], core: [3] });
  });

  it('counts ticks in short rows too', () => {
    const frames = read('T 10.00\n5 5 1 R 0 100 50 - - (a)\n.\nT 11.00\n5 R 0 120 60 - -\n.\n');
    expect(row(frames[1], 5)).toEqual([30, 20, 10, null]);
  });

  it('keeps a thread whose TID was another process’s until then', () => {
    const frames = read(
      'T 10.00\n5 5 1 S 0 0 0 1 0 (a)\n5 7 1 S 0 0 0 1 0 (old)\n.\n' +
        'T 11.00\n6 7 900 S 0 1 0 10000000 0 (new)\n- 5 7\n.\nT 12.00\n7 S 0 1 0 500000 0\n.\n',
    );
    expect(frames[1]).toMatchObject({ pid: [5, 6], tid: [5, 7], comm: ['a', 'new'] });
    expect(row(frames[2], 7)?.[0]).toBe(50);
  });

  it('gives no frame for ticks that waited on a stalled link and were read at once', () => {
    const frames = read(
      'T 10.00\n5 5 1 S 0 0 0 1000000000 0 (a)\n.\nT 14.00\n5 5 1 S 0 0 0 3000000000 0 (a)\n.\nT 14.00\n.\n' +
        'T 14.01\n5 5 1 S 0 0 0 3010000000 0 (a)\n.\nT 15.00\n5 5 1 S 0 0 0 3500000000 0 (a)\n.\n',
    );
    expect(frames.map((frame) => frame.time)).toEqual([1_010_000, 1_014_000, 1_015_000]);
    expect(row(frames[2], 5)?.[0]).toBe(50);
  });

  it('shows no share above one core', () => {
    const frames = read('T 10.00\n5 5 1 R 0 0 0 1 0 (a)\n.\nT 11.00\n5 5 1 R 0 101 0 1010000001 5000000000 (a)\n.\n');
    expect(row(frames[1], 5)).toEqual([100, 100, 0, 100]);
  });

  it('counts what it cannot read and goes on', () => {
    const { samples, rejected } = samplesOf(
      create(),
      Buffer.from('T x\nhello\n5 5 1 R\n5 R 0 1 1 1 1\n- 1\nT 10.00\n5 5 1 R -1 0 0 1 0 (a)\n.\n.\n'),
    );
    expect(rejected).toBe(5);
    expect(samples).toMatchObject([{ tid: [5], core: [null] }]);
  });
});

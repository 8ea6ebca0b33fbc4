import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/collectors/lines.ts';
import { createLogParser } from '../../../src/collectors/log/parser.ts';
import { mark } from '../../../src/collectors/log/script.ts';
import type { LogSample, Sample } from '../../../src/model/samples.ts';

const folder = new URL('../../fixtures/log/', import.meta.url);
const names = readdirSync(folder);
const receivedAt = Date.UTC(2026, 10, 29, 14, 0, 0);
const create = () =>
  createLogParser({ host: 'h', source: 'log', path: '/x.log', clock: { utcOffsetMinutes: 0, clockOffsetMs: 0 } });

const isLog = (sample: Sample): sample is LogSample => sample.kind === 'log';

/** Everything in one read, or cut at `at`, with the head of an empty file before it: all lines are live. */
function readCut(bytes: Buffer, at?: number) {
  const parser = create();
  const splitter = createLineSplitter(true);
  const whole = Buffer.concat([Buffer.from(`${mark} at 7 0 0 \n`), bytes]);
  const parts = at === undefined ? [whole] : [whole.subarray(0, at), whole.subarray(at)];
  const samples = parts.flatMap((part) => splitter.push(part).flatMap((l) => parser.push(l.text, receivedAt, l.bytes)));
  samples.push(...(parser.quiet?.(receivedAt) ?? []));
  return { lines: samples.filter(isLog).flatMap((s) => s.lines), position: parser.position(), samples };
}

describe('captured logs cut at every byte border', () => {
  it.each(names)(
    '%s',
    (name) => {
      const bytes = readFileSync(new URL(name, folder));
      const { lines, position } = readCut(bytes);
      expect(lines.length).toBeGreaterThanOrEqual(name === 'situation-gil_bound.log' ? 0 : 1);
      const last = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13));
      expect(position).toEqual({ inode: '7', offset: last + 1 });
      const expected = JSON.stringify(lines);
      // The reader is tried on small files at every border; its cost grows with the square of the size.
      const stride = bytes.length > 2500 ? 7 : 1;
      for (let at = 1; at < bytes.length; at += stride) {
        const cut = readCut(bytes, at);
        if (JSON.stringify(cut.lines) !== expected || cut.position?.offset !== last + 1)
          throw new Error(`differs when cut at ${at}`);
      }
    },
    120_000,
  );
});

describe('the parser', () => {
  it('drops the rest of a line with which it begins, and counts it', () => {
    const parser = create();
    parser.push(`${mark} at 7 1000 499 `, 1, 30);
    parser.push('half a line', 1, 12);
    parser.push('step 1 | loss 2', 1, 16);
    const [sample] = parser.quiet?.(2) ?? [];
    expect(sample).toMatchObject({ lines: [{ text: 'step 1 | loss 2' }], endOffset: 527, backlog: true });
  });

  it('tells the backlog from what comes live', () => {
    const parser = create();
    parser.push(`${mark} at 7 16 0 `, 1, 30);
    parser.push('step 1 | loss 2', 5, 16);
    const samples = [...parser.push('step 2 | loss 2', 6, 16), ...(parser.quiet?.(7) ?? [])] as LogSample[];
    expect(samples.map((s) => [s.backlog, s.lines.length, s.endOffset])).toEqual([
      [true, 1, 16],
      [undefined, 1, 32],
    ]);
    // Without a stamp, the time of a backlog's line is the sample's: it says nothing.
    expect(samples[0]?.lines[0]?.time).toBe(samples[0]?.receivedAt);
  });

  it('gives a flood in few samples', () => {
    const parser = create();
    parser.push(`${mark} at 7 0 0 `, 0, 30);
    const samples: Sample[] = [];
    for (let i = 0; i < 20_000; i++) samples.push(...parser.push(`line ${i}`, Math.floor(i / 20), 10));
    samples.push(...(parser.quiet?.(1000) ?? []));
    expect(samples.filter(isLog).reduce((sum, s) => sum + s.lines.length, 0)).toBe(20_000);
    expect(samples.length).toBeLessThanOrEqual(50);
  });

  it('gives a steady trickle that is never quiet', () => {
    const parser = create();
    parser.push(`${mark} at 7 0 0 `, 0, 30);
    const samples: Sample[] = [];
    for (let i = 0; i < 100; i++) samples.push(...parser.push(`line ${i}`, i * 50, 10));
    expect(samples.length).toBeGreaterThan(10);
  });

  it('counts from the beginning again after a truncation and a replacement, and says so', () => {
    const parser = create();
    parser.push(`${mark} at 7 0 0 `, 0, 30);
    parser.push('step 1', 0, 7);
    parser.push(`${mark} truncated`, 0, 30);
    parser.push('step 2', 0, 7);
    parser.push(`${mark} replaced`, 0, 30);
    expect(parser.position()).toEqual({ inode: '', offset: 0 });
    const [sample] = parser.quiet?.(1) ?? [];
    expect((sample as LogSample).lines.map((l) => l.text)).toEqual([
      'step 1',
      '-- the file was truncated: reading it from its beginning --',
      'step 2',
      '-- the file was replaced: reading the new one from its beginning --',
    ]);
  });

  it('goes on after a restart, and takes a line of the log that looks like its mark for text', () => {
    const parser = create();
    parser.push(`${mark} at 7 0 0 `, 0, 30);
    parser.push('a', 0, 2);
    parser.push(`${mark} at 9 9 9 `, 0, 30);
    parser.push('half', 0, 5);
    parser.push(`${mark} end`, 0, 30);
    expect(parser.position()).toEqual({ inode: '7', offset: 32 });
    parser.restart({ utcOffsetMinutes: 0, clockOffsetMs: 0 });
    parser.push(`${mark} at 7 40 31 `, 0, 30);
    parser.push('', 0, 1);
    parser.push('b', 0, 2);
    parser.quiet?.(0);
    expect(parser.position()).toEqual({ inode: '7', offset: 34 });
  });

  it('reads stamps by the clocks as they were compared before a restart', () => {
    const parser = create();
    parser.push(`${mark} at 7 0 0 `, receivedAt, 30);
    parser.restart({ utcOffsetMinutes: 60, clockOffsetMs: 10_000 });
    parser.push(`${mark} at 7 40 0 `, receivedAt, 30);
    parser.push('2026-11-29 14:59:00 step 1', receivedAt, 27);
    const [sample] = parser.quiet?.(receivedAt) ?? [];
    expect((sample as LogSample).lines[0]?.time).toBe(receivedAt - 70_000);
  });

  it('rejects what comes before the head', () => {
    const parser = create();
    parser.push('noise', 0, 6);
    expect([parser.rejected, parser.position(), parser.quiet?.(0)]).toEqual([1, undefined, []]);
  });
});

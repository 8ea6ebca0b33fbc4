import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLineSplitter, type Line } from '../../../src/collectors/lines.ts';
import { createLogParser, type LogParser } from '../../../src/collectors/log/parser.ts';
import { followScript, mark } from '../../../src/collectors/log/script.ts';
import type { LogSample, Sample } from '../../../src/model/samples.ts';

const folder = new URL('../../fixtures/log/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
const receivedAt = Date.UTC(2026, 10, 29, 14, 0, 0);
const zero = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
const where = { onHost: '/x.log', shown: '/x.log' };
const create = () => createLogParser({ host: 'h', source: 'log', path: where, clock: zero });

/** The script's words up to the first byte of the file `inode` with `size` bytes, of which all from `from` on come. */
const opened = (inode: number, size: number, from: number, changed = 1000) => [
  `${mark} hello`,
  `${mark} path ${inode} ${size} ${changed}`,
  `${mark} looked 2000`,
  `${mark} at ${inode} ${size} ${from} ${changed}`,
];

function open(parser: LogParser, words: readonly string[], at = 0) {
  return words.flatMap((line) => parser.push(line, at, line.length + 1));
}

const texts = (samples: readonly Sample[]) => samples.filter(isLog).flatMap((s) => s.lines.map((l) => l.text));

const isLog = (sample: Sample): sample is LogSample => sample.kind === 'log';

/** The lines of a stream that comes in these parts, with the head of an empty file before it. */
function split(parts: readonly Buffer[]) {
  const splitter = createLineSplitter(true);
  const head = opened(7, 0, 0).map((line) => `${line}\n`);
  return [Buffer.from(head.join('')), ...parts].flatMap((part) => splitter.push(part));
}

/** What is read of these lines: all of them are live. */
function readAll(split: readonly Line[]) {
  const parser = create();
  const samples = split.flatMap(({ text, bytes }) => parser.push(text, receivedAt, bytes));
  samples.push(...(parser.quiet?.(receivedAt) ?? []));
  return { lines: samples.filter(isLog).flatMap((s) => s.lines), position: parser.position() };
}

describe('captured logs cut at every byte border', () => {
  it.each(names)(
    '%s',
    (name) => {
      const bytes = readFileSync(new URL(name, folder));
      const whole = split([bytes]);
      const { lines, position } = readAll(whole);
      expect(lines.length).toBeGreaterThanOrEqual(name === 'situation-gil_bound.log' ? 0 : 1);
      const last = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13));
      expect(position).toMatchObject({ inode: '7', offset: last + 1 });
      const each = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
      expect(readAll(split(each))).toEqual({ lines, position });
      // What the parser reads it reads of lines: they are the same wherever the stream is cut.
      const expected = JSON.stringify(whole);
      const stride = bytes.length > 2500 ? 7 : 1;
      for (let at = 1; at < bytes.length; at += stride) {
        const cut = split([bytes.subarray(0, at), bytes.subarray(at)]);
        if (JSON.stringify(cut) !== expected) throw new Error(`differs when cut at ${at}`);
      }
    },
    120_000,
  );
});

describe('the parser', () => {
  it('drops the rest of a line with which it begins, and counts it', () => {
    const parser = create();
    const size = 300_000;
    open(parser, opened(7, size, size - 262_144 - 1));
    expect(parser.ask?.()).toBe(`l 0 0 0\nf 7 ${size - 262_144 - 1} @`);
    parser.push('half a line', 1, 12);
    parser.push('step 1 | loss 2', 1, 16);
    const [sample] = parser.quiet?.(2) ?? [];
    const endOffset = size - 262_144 - 1 + 28;
    expect(sample).toMatchObject({ lines: [{ text: 'step 1 | loss 2' }], endOffset, backlog: true });
  });

  it('tells the backlog from what comes live', () => {
    const parser = create();
    open(parser, opened(7, 16, 0), 5000);
    parser.push('step 1 | loss 2', 5000, 16);
    const samples = [...parser.push('step 2 | loss 2', 6000, 16), ...(parser.quiet?.(7000) ?? [])] as LogSample[];
    expect(samples.map((s) => [s.backlog, s.lines.length, s.endOffset])).toEqual([
      [true, 1, 16],
      [undefined, 1, 32],
    ]);
    // Without a stamp, a line of the backlog was written when the file was last written to, at the latest.
    expect(samples[0]?.lines[0]).toMatchObject({ time: 5000, undated: true });
    const late = create();
    open(late, opened(7, 16, 0, 3), 5000);
    late.push('step 1 | loss 2', 5000, 16);
    const [sample] = late.quiet?.(5001) as LogSample[];
    expect(sample?.lines[0]).toMatchObject({ time: 3000, undated: true });
  });

  it('gives what waits when the stream ends, but for the newest line, which may be no whole one', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    for (const text of ['first', 'second', 'third']) expect(parser.push(text, 100, 6)).toEqual([]);
    expect(texts(parser.ended?.(150) ?? [])).toEqual(['first', 'second']);
    expect(parser.ended?.(160)).toEqual([]);
  });

  it('gives a steady trickle that is never quiet', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    const samples: Sample[] = [];
    for (let i = 0; i < 100; i++) samples.push(...parser.push(`line ${i}`, i * 50, 10));
    expect(samples.length).toBeGreaterThan(10);
  });

  it('goes on after a restart, and drops what the end of the channel closed', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    parser.push('a', 0, 2);
    parser.push('half', 0, 5);
    parser.restart(zero, where);
    expect(parser.position()).toMatchObject({ inode: '7', offset: 2, seen: { text: 'a', end: 1 } });
    parser.push(`${mark} hello`, 0, 30);
    expect(parser.ask?.()).toBe('l 7 1 1');
    for (const words of ['path 7 9 1', 'text 7  61', 'looked 5'])
      parser.push(`${mark} ${words}`, 0, mark.length + 2 + words.length);
    expect(parser.ask?.()).toBe('f 7 2 @');
  });

  it('reads no rotated file twice when the link is lost among them', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    open(parser, ['one', 'two']);
    parser.quiet?.(1);
    parser.restart(zero, where);
    parser.ask?.();
    const rotatedTo = (first: number) => [
      `${mark} hello`,
      `${mark} path 10 90 2005`,
      ...[9, 8, 7].map((inode, i) => `${mark} file ${inode} ${inode === 7 ? 12 : 0} 2004 /x.log.${first + i}`),
      `${mark} looked 2010`,
    ];
    open(parser, [...rotatedTo(1), `${mark} at 7 12 8 2004`]);
    expect(texts([...open(parser, ['three']), ...open(parser, [`${mark} end`])])).toEqual([]);
    expect(texts(open(parser, [`${mark} at 8 0 0 2004`]))).toEqual(['three', expect.stringMatching(/rotated/)]);
    parser.restart(zero, where);
    parser.ask?.();
    open(parser, rotatedTo(2));
    expect(parser.ask?.()).toBe('l 8 0 0\nr 8 0 /x.log.3');
    open(parser, [`${mark} at 8 0 0 2004`, `${mark} end`]);
    expect(parser.ask?.()).toBe('r 9 0 /x.log.2');
    open(parser, [`${mark} at 9 0 0 2004`, `${mark} end`]);
    expect(parser.ask?.()).toBe('f 10 0 @');
  });

  it('reads stamps by the clocks as they were compared before a restart', () => {
    const parser = create();
    open(parser, opened(7, 0, 0), receivedAt);
    parser.restart({ utcOffsetMinutes: 60, clockOffsetMs: 10_000 }, where);
    open(parser, opened(7, 40, 0, receivedAt / 1000 + 10), receivedAt);
    parser.push('2026-11-29 14:59:00 step 1', receivedAt, 27);
    const [sample] = parser.quiet?.(receivedAt) ?? [];
    expect((sample as LogSample).lines[0]?.time).toBe(receivedAt - 70_000);
  });

  it('rejects what comes before the head', () => {
    const parser = create();
    parser.push('noise', 0, 6);
    expect([parser.quiet?.(0), parser.rejected, parser.position()]).toEqual([[], 1, undefined]);
  });

  it('takes the words before its mark for the rest of a line, and reads that line again', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    parser.push('one', 0, 4);
    const stop = `ha${mark} stop moved 6`;
    parser.push(stop, 0, stop.length + 1);
    expect(parser.position()).toMatchObject({ offset: 4 });
    expect(parser.ask?.()).toMatch(/l 7 3 3$/);
  });

  it('knows the file anew where tail says that it was truncated', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    parser.ask?.();
    const spelt = /T=(\S+)\$T/.exec(followScript('/x'))?.[1] ?? '';
    const said = `half${spelt}/usr/bin/tail: 'standard input': file truncated`;
    const samples = [...parser.push('one', 0, 4), ...parser.push(said, 0, said.length + 1)];
    expect(parser.ask?.()).toBe('s');
    samples.push(...parser.push('new', 0, 4), ...(parser.quiet?.(1) ?? []));
    expect(parser.position()).toMatchObject({ offset: 4 });
    expect(texts(samples)).toEqual(['one', 'half', expect.stringMatching(/truncated.* after byte 8/), 'new']);
    expect(samples.filter(isLog).flatMap((s) => s.lines.flatMap((l) => l.gap ?? []))).toEqual([
      { reason: 'truncated', fromOffset: 8 },
    ]);
    // The log says so itself: a line like any other.
    parser.push("tail: 'standard input': file truncated", 0, 40);
    expect(parser.ask?.()).toBeUndefined();
  });

  it('goes on where a tail began anew that says nothing', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    for (let i = 0; i < 10; i++) parser.push(`line ${i}`, 0, 7);
    const stop = `li${mark} stop behind 16`;
    parser.push(stop, 0, stop.length + 1);
    // 72 bytes came, 16 of them of the file as it is now.
    expect(parser.position()).toMatchObject({ offset: 14 });
    expect(texts(parser.quiet?.(1) ?? []).at(-1)).toMatch(/after byte 56/);
  });

  it('gives no line twice of a file that was truncated and has grown', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    const samples = ['old 1', 'old 2'].flatMap((line) => parser.push(line, 0, 6));
    parser.tick(where);
    // Truncated, and 18 bytes written: tail goes on at 12.
    samples.push(...parser.push('new 3', 0, 6));
    const stop = `${mark} stop changed 18`;
    samples.push(...parser.push(stop, 0, stop.length + 1));
    samples.push(...open(parser, opened(7, 18, 0).slice(1)));
    for (const line of ['new 1', 'new 2', 'new 3']) samples.push(...parser.push(line, 0, 6));
    samples.push(...(parser.quiet?.(1) ?? []));
    expect(texts(samples).filter((text) => !text.startsWith('--'))).toEqual([
      'old 1',
      'old 2',
      'new 3',
      'new 1',
      'new 2',
    ]);
  });

  it('says that nothing stands at the path any more, and reads on', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    parser.push('one', 0, 4);
    parser.quiet?.(1);
    parser.ask?.();
    const given = open(parser, [
      `ha${mark} stop away 6`,
      `${mark} path`,
      `${mark} open 7 6 1000`,
      `${mark} looked 2000`,
    ]);
    expect(texts([...given, ...(parser.quiet?.(1) ?? [])])).toEqual([
      '-- the log was removed or renamed: what is written to it is still read, another is waited for at /x.log on h --',
    ]);
    expect(parser.ask?.()).toBe('l 7 3 3\nf 7 4 =');
    const more = open(parser, [`${mark} at 7 6 4 1000`, 'half', `${mark} idle`]);
    expect(texts([...more, ...(parser.quiet?.(1) ?? [])])).toEqual(['half']);
  });

  it('tells the script a new path once', () => {
    const parser = create();
    open(parser, opened(7, 0, 0));
    parser.push('one', 0, 4);
    parser.quiet?.(1);
    expect(parser.tick(where)).toBe('t 4');
    const there = { onHost: '/x.log.1', shown: '/x.log.1' };
    expect([parser.tick(there), parser.tick(there)]).toEqual(['p /x.log.1\nt 4', 't 4']);
  });
});

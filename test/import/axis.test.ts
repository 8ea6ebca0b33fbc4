import { describe, expect, test } from 'vitest';
import { alignRounds } from '../../src/import/align.ts';
import { placeFiles, zoneText, type Timed } from '../../src/import/axis.ts';
import type { FileKind, Span } from '../../src/import/files.ts';

const utc = (text: string) => Date.parse(`${text}Z`);
const timed = (kind: FileKind, span: Span, modifiedAt?: number): Timed => ({
  file: { kind, path: kind, name: kind, ...(modifiedAt !== undefined && { modifiedAt }) },
  span,
});
const stat = (from: string, seconds = 10) =>
  timed('stat', { clock: 'epoch', from: utc(from), to: utc(from) + seconds * 1000 });
const smi = (from: string, seconds = 10, modifiedAt?: number) =>
  timed('nvidia-smi', { clock: 'wall', from: utc(from), to: utc(from) + seconds * 1000 }, modifiedAt);
const top = (clock: string, seconds = 10, modifiedAt?: number) => {
  const from = utc(`1970-01-01T${clock}`);
  return timed('top', { clock: 'day', from, to: from + seconds * 1000 }, modifiedAt);
};
const dmon = (seconds: number, modifiedAt?: number) =>
  timed('dmon', { clock: 'rounds', from: 0, to: seconds * 1000 }, modifiedAt);
/** Where each file begins on the axis. */
const begins = (files: readonly Timed[], more: Partial<Parameters<typeof placeFiles>[0]> = {}) => {
  const axis = placeFiles({ files, zoneHere: () => 120, ...more });
  return files.map(({ span }, i) => new Date(span.from + (axis.shifts[i] ?? NaN)).toISOString().slice(0, 19));
};
const zoneOf = (files: readonly Timed[], more: Partial<Parameters<typeof placeFiles>[0]> = {}) =>
  placeFiles({ files, zoneHere: () => 120, ...more }).utcOffsetMinutes;

describe('the zone', () => {
  test.each([0, 120, 330, 345, -480, 825, -720])('of %i minutes is what makes files begin together', (minutes) => {
    const local = new Date(utc('2026-11-29T13:53:17') + minutes * 60_000).toISOString().slice(0, 19);
    const files = [stat('2026-11-29T13:53:18'), smi(local), top(local.slice(11))];
    expect(zoneOf(files)).toBe(minutes);
    expect(begins(files)).toEqual(['2026-11-29T13:53:18', '2026-11-29T13:53:17', '2026-11-29T13:53:17']);
  });

  test('is what the user says', () => {
    expect(zoneOf([smi('2026-11-29T13:53:17')], { utcOffsetMinutes: -300 })).toBe(-300);
    expect(begins([smi('2026-11-29T13:53:17')], { utcOffsetMinutes: -300 })).toEqual(['2026-11-29T18:53:17']);
  });

  test('is told by a file that was changed last at its last line, and only by such a one', () => {
    const at = utc('2026-11-29T13:53:28');
    const file = smi('2026-11-29T14:53:17', 10, at);
    expect(zoneOf([file])).toBe(60);
    expect(placeFiles({ files: [file], zoneHere: () => 120 }).assumed).toEqual([
      "The host's time zone is UTC+01:00: by that nvidia-smi was last changed at its last line (else give --utc-offset)",
    ]);
    expect(zoneOf([smi('2026-11-29T14:53:17', 10, at + 40_000)])).toBe(120);
  });

  test("is this machine's where nothing tells it, and that is said", () => {
    expect(placeFiles({ files: [smi('2026-11-29T13:53:17')], zoneHere: () => 120 }).assumed).toEqual([
      "No file tells the host's time zone: it is taken to be this machine's, UTC+02:00 (else give --utc-offset)",
    ]);
  });

  test('is one by which the files lie beside one another, where they did not begin together', () => {
    const files = [stat('2026-11-29T13:20:00', 600), smi('2026-11-29T18:05:00', 2 * 3600)];
    expect(zoneOf(files)).toBe(300);
  });
});

describe('the date', () => {
  test('of a time of day is the day nearest to the other files', () => {
    expect(begins([stat('2026-11-29T23:59:59'), top('00:00:01')], { utcOffsetMinutes: 0 })[1]).toBe(
      '2026-11-30T00:00:01',
    );
    expect(begins([stat('2026-11-30T00:00:01'), top('23:59:58')], { utcOffsetMinutes: 0 })[1]).toBe(
      '2026-11-29T23:59:58',
    );
  });

  test('is that of the last change, on which the last frame was, where no other file has one', () => {
    const file = top('23:59:55', 10, utc('2026-11-30T00:00:06'));
    expect(begins([file], { utcOffsetMinutes: 0 })).toEqual(['2026-11-29T23:59:55']);
    expect(begins([top('13:00:00', 10, utc('2026-11-30T09:00:00'))], { utcOffsetMinutes: 0 })).toEqual([
      '2026-11-29T13:00:00',
    ]);
  });

  test('is what the user says', () => {
    expect(begins([top('13:00:00')], { utcOffsetMinutes: 60, date: utc('2026-03-01T00:00:00') })).toEqual([
      '2026-03-01T12:00:00',
    ]);
  });

  test('of standard input is not known', () => {
    expect(() => begins([top('13:00:00')])).toThrow('Nothing tells the date of top: give it with --date YYYY-MM-DD.');
  });
});

describe('rounds without times', () => {
  test('begin with the other files', () => {
    expect(begins([stat('2026-11-29T13:53:18'), dmon(10)])[1]).toBe('2026-11-29T13:53:18');
    expect(begins([smi('2026-11-29T13:53:17'), stat('2026-11-29T13:53:18'), dmon(10)])[2]).toBe('2026-11-29T13:53:17');
  });

  test('end when the file was changed last, where it is alone', () => {
    expect(begins([dmon(10, utc('2026-11-29T13:53:28'))])).toEqual(['2026-11-29T13:53:18']);
  });

  test('lie where their power is that of another file', () => {
    const step = (at: number) => (at < 5000 ? 100 : at < 8000 ? 700 : 300);
    const readings = Array.from({ length: 80 }, (_, i) => ({ time: i * 250, index: 0, watts: step(i * 250) }));
    const rounds = Array.from({ length: 12 }, (_, i) => new Map([[0, step(i * 1000 + 3500)]]));
    const at = alignRounds({ rounds, stepMs: 1000, start: 0, readings });
    expect(at).toBeGreaterThan(3000);
    expect(at).toBeLessThanOrEqual(4000);
    // Where it is even, or right already, they stay.
    const even = readings.map((reading) => ({ ...reading, watts: 118 }));
    expect(
      alignRounds({ rounds: rounds.map(() => new Map([[0, 118]])), stepMs: 1000, start: 0, readings: even }),
    ).toBeUndefined();
    expect(alignRounds({ rounds, stepMs: 1000, start: 3500, readings })).toBeUndefined();
    // Another GPU says nothing.
    expect(
      alignRounds({ rounds: rounds.map(() => new Map([[1, 118]])), stepMs: 1000, start: 0, readings }),
    ).toBeUndefined();
  });
});

test('a zone is written as people write it', () => {
  expect([0, 120, -570, 345].map(zoneText)).toEqual(['UTC', 'UTC+02:00', 'UTC-09:30', 'UTC+05:45']);
});

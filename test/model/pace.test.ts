import { describe, expect, it } from 'vitest';
import { keepPace, silence, type Pace } from '../../src/model/pace.ts';
import type { LogLine, LogSample } from '../../src/model/samples.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);
const line = (seconds: number, more: Partial<LogLine> = {}): LogLine => ({
  text: 'x',
  time: start + seconds * 1000,
  ...more,
});

function take(before: Pace | undefined, receivedAt: number, lines: readonly LogLine[], more: Partial<LogSample> = {}) {
  const at = start + receivedAt * 1000;
  const head = { kind: 'log', host: 'h', source: 'log', path: '/x', format: 'generic' } as const;
  return keepPace(before, { ...head, time: at, receivedAt: at, lines, ...more }, lines);
}

/** Live lines at these seconds. */
const live = (...seconds: number[]) =>
  seconds.reduce<Pace | undefined>((pace, at) => take(pace, at, [line(at)]), undefined);
const quietAt = (pace: Pace | undefined, seconds: number) => silence(pace, start + seconds * 1000);

describe('silence', () => {
  it('is long after three times the usual pause', () => {
    const slow = live(0, 20, 40, 60, 80);
    expect(quietAt(slow, 139)).toEqual({ ageMs: 59_000, isLong: false });
    expect(quietAt(slow, 141)).toEqual({ ageMs: 61_000, isLong: true });
  });

  it('of a fast log is not long before 10 s, and where no pace is known before 30 s', () => {
    const fast = live(...Array.from({ length: 100 }, (_, i) => i / 4));
    expect(quietAt(fast, 24.75 + 9)?.isLong).toBe(false);
    expect(quietAt(fast, 24.75 + 11)?.isLong).toBe(true);
    expect(quietAt(live(0), 29)?.isLong).toBe(false);
    expect(quietAt(live(0), 31)?.isLong).toBe(true);
  });

  it('goes by the pauses between blocks of a log that is written in blocks', () => {
    const block = (at: number) => Array.from({ length: 60 }, (_, i) => line(at - 60 + i));
    const pace = [60, 120, 180].reduce<Pace | undefined>((before, at) => take(before, at, block(at)), undefined);
    expect(quietAt(pace, 350)).toEqual({ ageMs: 171_000, isLong: false });
  });

  it('does not count one long pause for usual', () => {
    const pace = live(0, 1, 2, 3, 4, 5, 6, 7, 8, 608, 609, 610);
    expect(quietAt(pace, 622)?.isLong).toBe(true);
  });

  it('of what stood in the file before counts from its last change, whatever zone its stamps are of', () => {
    const lines = [0, 5, 10].map((seconds) => line(seconds - 7200));
    const pace = take(undefined, 100, lines, { backlog: true, writtenAt: start + 40_000 });
    expect(quietAt(pace, 100)).toEqual({ ageMs: 60_000, isLong: true });
    expect(quietAt(take(pace, 101, [line(101)]), 105)?.isLong).toBe(false);
  });

  it('is never negative, also after the clock of this machine was set back', () => {
    const pace = live(1000, 1001, 5);
    expect(quietAt(pace, 4)).toEqual({ ageMs: 0, isLong: false });
    expect(quietAt(take(pace, 6, [line(6)]), 40)).toMatchObject({ ageMs: 34_000, isLong: true });
  });

  it('is not known before the first line', () => {
    expect(take(undefined, 0, [])).toBeUndefined();
    expect(silence(undefined, start)).toBeUndefined();
  });
});

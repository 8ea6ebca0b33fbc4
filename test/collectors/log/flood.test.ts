import { describe, expect, it } from 'vitest';
import { createLogParser } from '../../../src/collectors/log/parser.ts';
import { mark } from '../../../src/collectors/log/script.ts';
import type { LogSample, Sample } from '../../../src/model/samples.ts';

/** A parser that has opened an empty file. */
function create() {
  const clock = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
  const path = { onHost: '/x.log', shown: '/x.log' };
  const parser = createLogParser({ host: 'h', source: 'log', path, clock });
  for (const word of ['hello', 'path 7 0 1000', 'looked 2000', 'at 7 0 0 1000'])
    parser.push(`${mark} ${word}`, 0, mark.length + word.length + 2);
  return parser;
}

/** Lines of steps from a time on, so many a millisecond, and what was given of them. */
function push(parser: ReturnType<typeof create>, init: { from: number; ms: number; perMs: number }) {
  const { from, ms, perMs } = init;
  const samples: Sample[] = [];
  for (let i = 0; i < ms * perMs; i++)
    samples.push(...parser.push(`step ${i} | loss 2`, from + Math.floor(i / perMs), 20));
  samples.push(...(parser.quiet?.(from + ms) ?? []));
  const logs = samples.filter((sample): sample is LogSample => sample.kind === 'log');
  const lines = logs.flatMap((log) => log.lines);
  return {
    samples: samples.length,
    lines: lines.length,
    read: lines.filter(({ values }) => values).length,
    unread: logs.reduce((sum, { unreadLines = 0 }) => sum + unreadLines, 0),
  };
}

describe('a flood', () => {
  it('comes in few samples', () => {
    const { lines, samples } = push(create(), { from: 0, ms: 1000, perMs: 20 });
    expect(lines).toBe(20_000);
    expect(samples).toBeLessThanOrEqual(50);
  });

  it('is read as far as there is time, and kept whole', () => {
    // 20,000 at once, and 20 a millisecond from then on.
    const read = 20_000 + 749 * 20;
    const { samples: _, ...given } = push(create(), { from: 0, ms: 750, perMs: 80 });
    expect(given).toEqual({ lines: 60_000, read, unread: 60_000 - read });
  });

  it('is read less while more is always there, until the reader has caught up', () => {
    const parser = create();
    parser.caughtUp?.();
    expect(push(parser, { from: 0, ms: 500, perMs: 20 }).unread).toBe(0);
    // Of the second beyond the first half the room of before, cut to 4,000, and 4 a millisecond.
    expect(push(parser, { from: 500, ms: 1001, perMs: 20 }).unread).toBe(20 * 1000 - 4000 - 4 * 999);
    parser.caughtUp?.();
    expect(push(parser, { from: 5000, ms: 400, perMs: 20 }).unread).toBe(0);
  });

  it('is not late because a silence was before it', () => {
    const parser = create();
    parser.caughtUp?.();
    expect(push(parser, { from: 60_000, ms: 1, perMs: 15_000 }).unread).toBe(0);
  });
});

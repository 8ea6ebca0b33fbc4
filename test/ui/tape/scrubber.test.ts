import { describe, expect, test } from 'vitest';
import { scrubber, type ScrubberInput } from '../../../src/ui/tape/scrubber.ts';
import { event, mark } from '../made-tape.ts';

const draw = (change: Partial<ScrubberInput>) =>
  scrubber({ from: 0, to: 1000, position: 0, events: [], holes: [], width: 12, ...change });
const text = (change: Partial<ScrubberInput>) =>
  draw(change)
    .map((segment) => segment.text)
    .join('');

describe('a scrubber', () => {
  test('has the place that is shown between what was and what comes', () => {
    expect(text({ position: 0 })).toBe('├●─────────┤');
    expect(text({ position: 350 })).toBe('├━━━●──────┤');
    expect(text({ position: 1000 })).toBe('├━━━━━━━━━●┤');
    expect(text({ position: 350, seeking: 720 })).toBe('├━━━●───○──┤');
  });

  test('of a recording of one moment stands at its start', () => {
    expect(text({ to: 0 })).toBe('├●─────────┤');
  });

  test('is always as wide as its place, or is not there', () => {
    for (let width = 3; width < 90; width++) expect(text({ width, position: 999 })).toHaveLength(width);
    expect(text({ width: 2 })).toBe('');
  });

  test('marks, errors, warnings and other events have shapes of their own; an error is seen before all', () => {
    const events = [
      event(100, 'run started', ''),
      mark(250, 'look'),
      event(420, 'link lost', ''),
      event(650, 'run ended', ''),
    ];
    expect(text({ events, position: 990 })).toBe('├━┴■━▲━▼━━●┤');
    expect(text({ events: [event(420, 'link lost', ''), mark(430, ''), event(440, 'link back', '')] })).toBe(
      '├●───▲─────┤',
    );
    const bad = draw({ events }).find((segment) => segment.text === '▲');
    expect(bad?.tone).toBe('bad');
  });

  test('a hole is a hole, also a short one of a cell, and not one of less', () => {
    expect(text({ holes: [{ from: 300, to: 610 }] })).toBe('├●──   ────┤');
    expect(text({ holes: [{ from: 340, to: 440 }] })).toBe('├●── ──────┤');
    expect(text({ holes: [{ from: 340, to: 400 }] })).toBe('├●─────────┤');
    expect(text({ holes: [{ from: 950, to: 1100 }] })).toMatch(/^├●─{8}.┤$/);
  });

  test('its ends point out of it while it loops', () => {
    expect(text({ loop: { from: 0, to: 1000 } })).toBe('◂●─────────▸');
  });
});

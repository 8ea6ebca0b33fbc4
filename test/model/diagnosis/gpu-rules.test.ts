import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/model/diagnosis/judge.ts';
import type { Clue, Rule } from '../../../src/model/diagnosis/rule.ts';
import { rules } from '../../../src/model/diagnosis/rules/index.ts';
import type { Readings, SignalName } from '../../../src/model/diagnosis/signals.ts';
import type { GpuSubject } from '../../../src/model/diagnosis/subjects.ts';
import { thresholds } from '../../../src/model/diagnosis/thresholds.ts';

const gpu: GpuSubject = { kind: 'gpu', uuid: 'GPU-1', index: 1 };
const ofGpus = rules.filter((rule) => rule.of === 'gpu');

describe.each(ofGpus.map((rule) => [`${rule.situation} ${rule.cause ?? ''}`.trim(), rule] as const))(
  '%s',
  (_name, rule) => {
    const clear = clearly(rule);
    const asked = confidence(rule, clear);

    test('holds where all that it asks for is clearly so', () => {
      expect(asked).toBe(rule.most ?? 1);
    });

    test.each(borders(rule.must))('needs %s', (_border, signal, inside, outside) => {
      expect(confidence(rule, { ...clear, [signal]: { value: inside } })).toBeDefined();
      expect(confidence(rule, { ...clear, [signal]: { value: outside } })).toBeUndefined();
    });

    test.each(borders(rule.speaksFor))('is surer with %s', (_border, signal, inside, outside) => {
      const surer = confidence(rule, { ...clear, [signal]: { value: inside } });
      const unsure = confidence(rule, { ...clear, [signal]: { value: outside } });
      expect(surer).toBeGreaterThan(unsure ?? 0);
      expect(unsure ?? 0).toBeLessThan(asked ?? 0);
    });

    test.each(borders(rule.speaksAgainst))('is less sure with %s', (_border, signal, inside, outside) => {
      // A signal may speak for a rule in one range and against it in another.
      if (rule.must.concat(rule.speaksFor).some((clue) => clue.signal === signal)) return;
      expect(confidence(rule, { ...clear, [signal]: { value: inside } }) ?? 0).toBeLessThan(asked ?? 0);
      expect(confidence(rule, { ...clear, [signal]: { value: outside } })).toBe(asked);
    });

    test.each(missable(rule))('without %s it is less sure, and says what is missing', (signal, clue) => {
      const rest = { ...clear };
      for (const each of [clue, ...(clue.or ?? [])]) delete rest[each.signal];
      const without = judge(rule, gpu, rest);
      if (!without) return;
      expect(without.confidence).toBeLessThan(asked ?? 0);
      expect(without.untold.map((untold) => untold.signal)).toContain(signal);
    });

    test('tells a user what to look at and what to do', () => {
      expect(rule.explains).toMatch(/^[A-Z].*\.$/);
      expect(rule.next.length).toBeGreaterThan(0);
    });
  },
);

test('each border has its reason', () => {
  for (const [name, { because }] of Object.entries(thresholds))
    expect([name, because.length > 10]).toEqual([name, true]);
});

/** Readings far on the right side of each border. */
function clearly(rule: Rule): Readings {
  const readings: Readings = {};
  for (const clue of [...rule.must, ...rule.speaksFor, ...(rule.ceiling?.unless ?? [])].filter(
    ({ optional }) => !optional,
  )) {
    const before = readings[clue.signal]?.value;
    readings[clue.signal] = { value: within(clue, before) };
  }
  return readings;
}

function within({ least, most }: Clue, before?: number): number {
  const low = least ? thresholds[least].value : undefined;
  const high = most ? thresholds[most].value : undefined;
  if (low !== undefined && high !== undefined) return (low + high) / 2;
  const value = low !== undefined ? Math.max(low * 1.1, low) : (high ?? 0) * 0.9;
  // Two clues on one signal: the one that asks for more.
  return before === undefined ? value : low !== undefined ? Math.max(before, value) : Math.min(before, value);
}

/** Each border of each clue: what is asked, the signal, a value a little inside, one a little outside. */
function borders(clues: readonly Clue[]): readonly (readonly [string, SignalName, number, number])[] {
  return clues.flatMap(({ signal, least, most }) => [
    ...(least ? [[`${signal} at least ${thresholds[least].value}`, signal, ...around(least, 1)] as const] : []),
    ...(most ? [[`${signal} at most ${thresholds[most].value}`, signal, ...around(most, -1)] as const] : []),
  ]);
}

function around(name: keyof typeof thresholds, side: 1 | -1): readonly [number, number] {
  const { value } = thresholds[name];
  const step = Math.max(0.01, Math.abs(value) * 0.01);
  return [value + side * step, value - side * step];
}

/** Clues that a user is told of where they are missing. */
function missable(rule: Rule): readonly (readonly [SignalName, Clue])[] {
  return [...rule.must, ...rule.speaksFor].filter(({ optional }) => !optional).map((clue) => [clue.signal, clue]);
}

function confidence(rule: Rule, readings: Readings): number | undefined {
  return judge(rule, gpu, readings)?.confidence;
}

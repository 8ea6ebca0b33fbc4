import { expect, test } from 'vitest';
import { createMachine } from '../../src/demo/machine.ts';
import { logFileOf } from '../../src/demo/players/log-file.ts';
import { findScenario } from '../../src/demo/scenarios/index.ts';

const startedAt = 1_700_000_000_000;
const hours = 12;

const machineOf = (name: string) => {
  const scenario = findScenario(name);
  if (!scenario) throw new Error(name);
  return createMachine({ seed: 27, startedAt, scenario });
};

test('keeps the newest megabyte of a night, and every byte of it is read once', () => {
  const machine = machineOf('checkpoints');
  const file = logFileOf(machine);
  let size = file.grow(machine.startUp);
  let lines = file.read(0).split('\n').length - 1;
  expect(lines).toBeGreaterThan(1800);
  const steps: number[] = [];
  for (let second = 0; second <= hours * 3600; second += 5) {
    const now = file.grow(machine.startUp + second);
    const text = now > size ? file.read(size) : '';
    expect(text.length).toBe(now - size);
    steps.push(...[...text.matchAll(/\] step (\d+)\//g)].map(([, step]) => Number(step)));
    lines += text.split('\n').length - 1;
    size = now;
  }
  expect(size).toBeGreaterThan(3 * 2 ** 20);
  expect(file.read(0).length).toBeLessThan(2 ** 20 + 5000);
  // A step is written once, and none is left out.
  expect(steps).toEqual(steps.map((_, i) => (steps[0] ?? NaN) + i));
});

test('is the same however often one looks', () => {
  const texts = [0.5, 7, 113].map((stepSeconds) => {
    const machine = machineOf('restart');
    const file = logFileOf(machine);
    file.grow(machine.startUp);
    for (let second = 0; second < 420; second += stepSeconds) file.grow(machine.startUp + second);
    file.grow(machine.startUp + 420);
    return file.read(0);
  });
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).toBe(texts[0]);
  expect(texts[0]).toContain('resumed at step 5800');
});

import { expect, test } from 'vitest';
import type { Readings } from '../../../src/model/diagnosis/signals.ts';
import { confidenceOf, cpu, gpu, ofReadings, rankedOf, readingsOf, steps, type Values } from './gpu-readings.ts';

const filled: Values = { ...steps, ...gpu(35, 65), ...cpu(52, 47), idleShare: 0 };

test('kernels that fill the GPU, with gaps: nothing but native stacks tells launches from waits, and both are told', () => {
  const plain = { ...filled, stackPython: 0, stackInput: 0, stackNative: 2, stackHooks: 0, gilHeld: 20, gilRivals: 0 };
  for (const values of [filled, plain]) {
    const all = rankedOf(values);
    expect(all.map(({ situation }) => situation).sort()).toEqual(['launch-bound', 'sync-bound']);
    for (const verdict of all) {
      expect(verdict.confidence).toBeLessThan(0.6);
      expect(verdict.missing).toContainEqual(expect.objectContaining({ signal: 'stackSync', key: 'D' }));
    }
  }
  const native = { ...plain, stackLaunch: 60, stackCopy: 0, stackAllocator: 0 };
  expect(rankedOf({ ...native, stackSync: 20 })[0]).toMatchObject({ situation: 'sync-bound' });
  expect(rankedOf({ ...native, stackSync: 0 }).map(({ situation }) => situation)).toEqual(['launch-bound']);
});

test('what plain stacks cannot see is missing, and does not speak against anything', () => {
  const copies: Values = { ...steps, ...gpu(30, 90), ...cpu(96, 5), pcieRate: 7000 };
  const blind: Readings = { ...readingsOf(copies), stackCopy: { value: 2, isLeast: true } };
  const seen: Readings = { ...readingsOf(copies), stackCopy: { value: 2 } };
  const sure = (readings: Readings) => ofReadings('copy-bound', readings)?.confidence ?? 0;
  expect(sure(blind)).toBe(sure(readingsOf(copies)));
  expect(sure(seen)).toBeLessThan(sure(blind));
  expect(sure({ ...blind, stackCopy: { value: 40, isLeast: true } })).toBeGreaterThan(sure(blind));
});

test('where neither clocks nor reasons are told, nobody knows whether it could be faster', () => {
  const untold: Values = { ...steps, ...gpu(99, 92), ...cpu(55, 45) };
  delete untold.thermalShare;
  expect(confidenceOf('compute-bound', { ...untold, thermalShare: 0 })).toBeGreaterThanOrEqual(0.75);
  expect(confidenceOf('compute-bound', { ...untold, clockShare: 95 })).toBeGreaterThanOrEqual(0.75);
  expect(confidenceOf('compute-bound', untold)).toBeLessThan(0.75);
  const missing = ofReadings('compute-bound', readingsOf(untold))?.untold.map(({ signal }) => signal);
  expect(missing).toEqual(expect.arrayContaining(['clockShare', 'thermalShare']));
});

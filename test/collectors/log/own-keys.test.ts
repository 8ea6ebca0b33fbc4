import { expect, it } from 'vitest';
import { createLogReader } from '../../../src/collectors/log/reader.ts';

it('reads keys that objects have themselves as any others', () => {
  const reader = createLogReader();
  const text = '{"step": 5, "loss": 2.5, "__proto__": 1, "__proto__": 2, "constructor": 3, "hasOwnProperty": 4}';
  const [record] = [...reader.push({ text }), ...reader.flush()];
  expect(record?.values).toMatchObject({ step: 5, loss: 2.5 });
  expect(Object.entries(record?.values?.other ?? {})).toEqual(
    expect.arrayContaining([
      ['__proto__', 2],
      ['constructor', 3],
    ]),
  );
});

it('takes no seconds since 1970 for a time that something took', () => {
  const reader = createLogReader();
  const text =
    '{"step": 5, "loss": 2.5, "time_ms": 1592934000123, "update_time": 1602084052.5, "eta": 1602084052, "step_time": 0.5}';
  const [record] = [...reader.push({ text }), ...reader.flush()];
  expect(record?.values).toMatchObject({ step: 5, loss: 2.5, stepSeconds: 0.5 });
  expect(record?.values?.stages).toBeUndefined();
  expect(record?.values?.etaSeconds).toBeUndefined();
});

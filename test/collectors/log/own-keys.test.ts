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

import { expect, it } from 'vitest';
import { createLogReader } from '../../../src/collectors/log/reader.ts';

const read = (text: string) => {
  const reader = createLogReader();
  return [...reader.push({ text }), ...reader.flush()][0];
};

it('reads the line that Docker put into an object, without its colours', () => {
  const text = String.raw`{"log":"\u001b[32m[rank3]: step=120 loss=2.31\u001b[0m\n","stream":"stdout","time":"2026-03-01T10:00:00.123456789Z"}`;
  expect(read(text)).toMatchObject({
    rank: 3,
    values: { step: 120, loss: 2.31 },
    texts: ['[rank3]: step=120 loss=2.31'],
  });
});

it('reads the message of an object that a logger wrote, beside its figures', () => {
  expect(read('{"level":"info","message":"step=120 loss=2.31 tok/s=24.1k","lr":3e-5}')?.values).toMatchObject({
    step: 120,
    loss: 2.31,
    tokensPerSecond: 24_100,
    learningRate: 3e-5,
  });
  expect(read('{"level":"info","message":"listening on port 8080, 4 workers","pod":"t-0"}')?.values).toBeUndefined();
});

it('leaves objects alone that only look like it', () => {
  const text = '{"log":"step=120 loss=2.31","stream":"none"}';
  expect(read(text)?.texts).toEqual([text]);
});

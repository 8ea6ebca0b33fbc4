import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLinesOut } from '../../src/commands/lines-out.ts';

test('a reader who stands holds no more than a little, and is told what was left out', () => {
  const taken: string[] = [];
  let next = () => {};
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      taken.push(chunk.toString());
      next = done;
    },
  });
  const write = createLinesOut(stream);
  const line = `${'x'.repeat(99)}\n`;
  for (let i = 0; i < 1000; i++) write(line);
  expect(stream.writableLength).toBeLessThanOrEqual(16 * 1024);
  const kept = stream.writableLength / line.length;
  for (let at = 0; at < taken.length; at++) next();
  expect(stream.writableLength).toBe(0);
  write('later\n');
  next();
  expect(taken.slice(-2)).toEqual([
    `(Nobody read here: ${1000 - kept} lines before this one were left out.)\n`,
    'later\n',
  ]);
});

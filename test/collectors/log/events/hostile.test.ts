import { expect, test } from 'vitest';
import { levelOf } from '../../../../src/collectors/log/level.ts';
import { eventsOf } from './told.ts';

/** Words and marks that the rules look for, as long as a line is read. */
const parts = [
  ...[
    'saving the ',
    'saved checkpoint ',
    'checkpoint ',
    'epoch 3 ',
    'training ',
    'evaluation ',
    'a.',
    'A.b',
    'rank ',
    'nan loss ',
  ],
  ...[
    '[E',
    '((',
    '"msg":"',
    '\\"',
    'level=',
    'Traceback (',
    'RuntimeError: ',
    'out of memory ',
    'skipping inf ',
    'Xid (',
    '保存模型',
  ],
  ...['/a/b', '1,', ' ', '\u0000', '2026-05-18 ', 'CANCELLED AT *** ', 'process 1 exited with code ', "'", ': '],
];

test('no line of any words holds the reader up or makes it throw', { timeout: 60_000 }, () => {
  let slowest = 0;
  for (const one of parts) {
    for (const other of parts) {
      const text = `${one}${other}`.repeat(300);
      const begin = process.cpuUsage().user;
      eventsOf(text);
      levelOf(text);
      slowest = Math.max(slowest, process.cpuUsage().user - begin);
    }
  }
  // Microseconds of our own CPU time; a pattern that tries all ways takes minutes.
  expect(slowest).toBeLessThan(2_000_000);
});

import { randomBytes } from 'node:crypto';
import { createServer, connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { tap } from '../../../src/collectors/transport/tap.ts';

test('a flood leaves everything else its turn after each part, and comes whole and in order', async () => {
  const sent = randomBytes(4 * 1024 * 1024);
  const server = createServer((socket) => socket.end(sent));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const parts: Buffer[] = [];
  let [inTurn, worst, isOver] = [0, 0, false];
  tap(socket)((part) => {
    parts.push(part);
    inTurn += part.length;
    worst = Math.max(worst, inTurn);
  });
  const turn = () => {
    inTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  turn();
  await new Promise((resolve) => socket.once('close', resolve));
  isOver = true;
  server.close();
  expect(Buffer.concat(parts).equals(sent)).toBe(true);
  // A small part that comes with a large one.
  expect(worst).toBeLessThan(32 * 1024);
});

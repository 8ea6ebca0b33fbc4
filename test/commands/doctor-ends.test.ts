import { expect, test } from 'vitest';
import { doctor } from '../../src/commands/doctor.ts';
import { readOptions } from '../../src/config/options.ts';

/** The demo host's, here. */
const servers = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPServer'));

test.each([
  ['the report', { json: true, commands: false, anywhere: false }],
  ['--commands', { json: true, commands: true, anywhere: false }],
])('a signal while the target is opened leaves nothing open: %s', async (_, wish) => {
  const ended = doctor(readOptions('demo', { identity: [], log: [] }), wish);
  process.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(143);
  // Opening goes on behind our back.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await expect.poll(servers, { timeout: 20_000 }).toEqual([]);
});

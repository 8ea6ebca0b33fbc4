import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import { freePort } from '../../support/sshd.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-hops-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// EAI_AGAIN where there is no resolver.
const later = 'The name no-such-hop\\.invalid( of jump host \\S+ \\(on the way to inner\\))? could not be looked up';

test.each([
  [
    'a name that ProxyJump has wrong',
    ['Host inner', 'ProxyJump no-such-hop.invalid', 'User me'],
    'There is no jump host \\S+@no-such-hop\\.invalid \\(on the way to inner\\): ' +
      'no host is called no-such-hop\\.invalid; check ProxyJump in \\S+/config\\.$',
  ],
  [
    'an alias that stands for none',
    ['Host bastion', 'HostName no-such-hop.invalid', 'Host inner', 'ProxyJump bastion'],
    'There is no jump host bastion \\(on the way to inner\\): ' +
      'no host is called no-such-hop\\.invalid; check HostName in \\S+/config\\.$',
  ],
  [
    'one that is down',
    ['Host bastion', 'HostName 127.0.0.1', 'Port PORT', 'Host inner', 'ProxyJump bastion'],
    'jump host bastion \\(on the way to inner\\) refused the connection on port PORT of 127\\.0\\.0\\.1: ',
  ],
  [
    'no hop: what the alias stands for',
    ['Host inner', 'HostName no-such-hop.invalid'],
    'No host is called no-such-hop\\.invalid, as inner is said to be: check its HostName in \\S+/config\\.$',
  ],
])('%s: the sentence says which host, and where to look', async (_, config, sentence) => {
  const port = String(await freePort());
  const configFile = join(folder, 'config');
  writeFileSync(configFile, `${config.join('\n').replace('PORT', port)}\n`);
  const over = createSshTransport({ target: { kind: 'ssh', host: 'inner' }, clock: systemClock, configFile });
  await expect(over.connect()).rejects.toThrow(new RegExp(`^(${sentence.replace('PORT', port)}|${later})`));
  await over.close();
});

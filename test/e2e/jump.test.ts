import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNetworks, here, type Networks } from '../support/netns.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { describeWith } from '../support/requires.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';
import { startWorkload, type Workload } from '../support/workload.ts';

describeWith(['root', 'sshd', 'python3', 'ip'], 'a run that only a jump host reaches', () => {
  let folder: string;
  let net: Networks;
  let hop: TestSshd;
  let gpu: TestSshd;
  let workload: Workload;
  const mark = `behind${process.pid}`;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-e2e-jump-'));
    net = createNetworks([
      [here, 'hop'],
      ['hop', 'gpu'],
    ]);
    hop = await startSshd({ address: net.address('hop', here), around: () => net.command('hop') });
    gpu = await startSshd({ address: net.address('gpu', 'hop'), around: () => net.command('gpu') });
    workload = await startWorkload({ threads: [{ name: 'pump', percent: 30 }, { name: mark }] });
    writeFileSync(join(folder, 'known_hosts'), `${hop.hostKeyLine}\n${gpu.hostKeyLine}\n`);
    const entry = (name: string, address: string, { port, user, keyFile }: TestSshd) =>
      [`Host ${name}`, `HostName ${address}`, `Port ${port}`, `User ${user}`, `IdentityFile ${keyFile}`].join('\n  ');
    const config = [
      `${entry('hop', net.address('hop', here), hop)}\n`,
      `${entry('gpu', net.address('gpu', 'hop'), gpu)}\n  ProxyJump hop\n`,
      `Host *\n  UserKnownHostsFile ${join(folder, 'known_hosts')}\n  IdentityAgent none\n`,
    ];
    writeFileSync(join(folder, 'config'), config.join(''));
  });
  afterAll(async () => {
    await workload?.stop();
    for (const sshd of [hop, gpu]) await sshd?.stop();
    await net?.remove();
    removeFolder(folder);
  });

  async function once(...args: readonly string[]) {
    const command = ['bin/traintop.js', 'once', '--json', ...args, '--ssh-config', join(folder, 'config')];
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_STATE_HOME: folder };
    return promisify(execFile)(process.execPath, command, { env });
  }

  test('is told as any other', async () => {
    const { stdout } = await once('gpu', '--match', mark);
    expect(JSON.parse(stdout)).toMatchObject({ run: { pid: workload.pid } });
  });

  test('and why not, where the way is not there', async () => {
    await gpu.stop();
    await expect(once('gpu', '--match', mark)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^traintop: jump host hop \(on the way to gpu\) could not connect to \S+ port \d+ \(Connection refused\): .*\.\n$/,
      ),
    });
  });
});

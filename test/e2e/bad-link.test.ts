import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNetworks, here, type Networks } from '../support/netns.ts';
import { createRelay, type Relay } from '../support/relay.ts';
import { describeWith } from '../support/requires.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { makeHome, panel, removeHomes, traintop, type Home } from './program.ts';

/** Each way. */
const delayMs = 300;
const lossShare = 0.05;

describeWith(['sshd', 'python3', 'ip', 'iptables'], 'a link with 300 ms delay each way and 5 % loss', () => {
  let networks: Networks;
  let sshd: TestSshd;
  let relay: Relay;
  let workload: Workload;
  let home: Home;

  beforeAll(async () => {
    networks = createNetworks([[here, 'host']]);
    sshd = await startSshd({ address: networks.address('host', here), around: () => networks.command('host') });
    relay = await createRelay(sshd.port, { delayMs, host: networks.address('host', here) });
    for (const chain of ['INPUT', 'OUTPUT']) {
      const lose = ['-m', 'statistic', '--mode', 'random', '--probability', String(lossShare), '-j', 'DROP'];
      networks.run('host', 'iptables', '-w', '-A', chain, '-p', 'tcp', ...lose);
    }
    home = makeHome();
    workload = await startWorkload({
      threads: [{ name: 'pump', percent: 10 }],
      logSeconds: 0.5,
      logPath: home.file('train.log'),
    });
    const config = [
      'Host trainer',
      '  HostName 127.0.0.1',
      `  Port ${relay.port}`,
      `  User ${sshd.user}`,
      `  IdentityFile ${sshd.keyFile}`,
      '  StrictHostKeyChecking no',
      `  UserKnownHostsFile ${home.file('known_hosts')}`,
      '',
    ];
    writeFileSync(home.file('.ssh/config'), config.join('\n'), { mode: 0o600 });
  });
  afterAll(async () => {
    await closeTerminals();
    await workload.stop();
    await relay.close();
    await sshd.stop();
    await networks.remove();
    removeHomes();
  });

  const lost = () =>
    networks
      .run('host', 'iptables', '-w', '-L', '-v', '-x', '-n')
      .split('\n')
      .filter((line) => line.includes('DROP'))
      .reduce((sum, line) => sum + Number(line.trim().split(/\s+/)[0]), 0);

  // By chance several packets after one another may be lost for seconds.
  test(
    'all sources live, keys answer at once, and nothing is called stale',
    { timeout: 150_000, retry: 1 },
    async () => {
      const terminal = traintop(home, ['trainer', '--pid', String(workload.pid)]);
      await terminal.waitFor(
        (screen) =>
          /pump +▇.* \d+\.\d /.test(panel(screen, 'Threads').join('\n')) &&
          /tok\/s 14\.5K/.test(screen) &&
          /load +\d/.test(panel(screen, 'Host').join('\n')),
        90_000,
      );
      // What was drawn before may have waited for its first values.
      const from = terminal.raw().length;
      await terminal.waitFor(/link (?:[6-9]\d\d|\d{4,}) ms/, 20_000);
      const pressedAt = Date.now();
      terminal.press('?');
      await terminal.waitFor(/Keys|help/i, 5000);
      // A round trip takes 600 ms; a key is answered here.
      expect(Date.now() - pressedAt).toBeLessThan(3000);
      terminal.press('esc');
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      const said = terminal.raw().slice(from);
      expect(said).not.toMatch(/stale|link lost|link failed/);
      expect(terminal.screen()).toMatch(/link \d+ ms/);
      expect(lost()).toBeGreaterThan(3);
      const quitAt = Date.now();
      terminal.press('q');
      expect((await terminal.exit).code).toBe(0);
      expect(Date.now() - quitAt).toBeLessThan(5000);
    },
  );
});

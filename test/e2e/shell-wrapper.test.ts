import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startContainer, type Container } from './container.ts';
import { traintop } from './program.ts';
import { startRelayedHost, type RelayedHost } from './relayed-host.ts';
import { answers, expectWholeTerminal, onMonitor, openShell, slow } from './shells.ts';

// Many steps, each of which waits for a program.
vi.setConfig({ testTimeout: 120_000 });

let relayed: RelayedHost;
const start = async () => void (relayed = await startRelayedHost());
const stop = () => relayed.stop();
afterEach(closeTerminals);

const monitor = (...args: string[]) => relayed.monitor(...args);

describeWith(['sshd', 'busybox', 'unshare', 'nsenter', 'python3'], 'a shell behind a wrapper', () => {
  let container: Container;
  let docker: string;
  beforeAll(async () => {
    await start();
    container = await startContainer();
    docker = `${container.client} exec -i box`;
  });
  afterAll(async () => {
    await stop();
    await container.stop();
  });

  test.each(['over SSH', 'on this machine'])('%s is a whole terminal', async (where) => {
    const args = ['--wrap', docker];
    const terminal = where === 'over SSH' ? monitor(...args) : traintop(relayed.host.home(), args);
    await openShell(terminal);
    await terminal.waitFor(/behind `\S+docker exec -i box`/);
    await answers(terminal, 'readlink /proc/self/ns/pid', container.namespace);
    await expectWholeTerminal(terminal);
    await answers(terminal, 'echo $TERM; shopt login_shell', /xterm-256color\nlogin_shell +on/);
    terminal.type('exit 7\r');
    await onMonitor(terminal);
    await terminal.waitFor('The shell ended with exit code 7.');
  });

  test.each(['SIGTERM', 'a cut link', '~.'])('leaves nothing in the container after %s', async (end) => {
    const terminal = monitor('--wrap', docker);
    await openShell(terminal);
    await answers(terminal, 'echo sle""eps; sleep 1000', /^sleeps$/m);
    const isThere = () => container.commands().filter((command) => /sleep 1000$|bash -l/.test(command));
    await expect.poll(isThere, slow).toContain('sleep 1000');
    if (end === 'SIGTERM') terminal.kill();
    if (end === 'a cut link') relayed.relay.cut();
    if (end === '~.') {
      terminal.press('ctrl-c');
      await answers(terminal, 'echo sle""eps-again; sleep 1000 &', /^sleeps-again$/m);
      await expect.poll(isThere, slow).toContain('sleep 1000');
      terminal.type('\r~.');
    }
    await expect.poll(isThere, slow).toEqual([]);
  });
});

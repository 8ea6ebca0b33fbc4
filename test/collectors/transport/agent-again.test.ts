import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import { describeWith } from '../../support/requires.ts';
import { startAgent, type TestAgent } from '../../support/ssh-agent.ts';
import { makeKey, startSshd, type TestSshd } from '../../support/sshd.ts';
import { killTmuxServers, startTmux } from '../../support/tmux.ts';

describeWith(
  ['sshd', 'ssh-keygen', 'ssh-agent', 'ssh-add', 'tmux'],
  'the agent of a connection that is opened again',
  () => {
    let folder: string;
    let sshd: TestSshd;
    const agents: TestAgent[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'traintop-again-'));
      makeKey(join(folder, 'key'));
      sshd = await startSshd({ authorizedKeys: [readFileSync(join(folder, 'key.pub'), 'utf8').trim()] });
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await killTmuxServers();
      await Promise.all(agents.splice(0).map((agent) => agent.stop()));
    });
    afterAll(async () => {
      await sshd.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function agent(): Promise<TestAgent> {
      const started = await startAgent(mkdtempSync(join(folder, 'agent-')));
      agents.push(started);
      return started;
    }

    function transport(...config: readonly string[]) {
      writeFileSync(join(folder, 'config'), `IdentityFile none\n${config.join('\n')}\n`);
      return createSshTransport({
        target: { kind: 'ssh', host: '127.0.0.1', port: sshd.port },
        clock: systemClock,
        configFile: join(folder, 'config'),
        knownHostsFiles: [sshd.knownHostsFile],
      });
    }

    test('is the one of the terminal that tmux was attached from last', async () => {
      const [old, now] = [await agent(), await agent()];
      old.add(join(folder, 'key'));
      const tmux = await startTmux({ command: ['sleep', '1000'], env: { SSH_AUTH_SOCK: old.socket } });
      const [socket, pid, session] = (await tmux.format('#{socket_path},#{pid},#{session_id}')).split(',');
      vi.stubEnv('TMUX', `${socket},${pid},${session?.replace('$', '')}`);
      vi.stubEnv('SSH_AUTH_SOCK', old.socket);
      const over = transport();
      await over.connect();
      expect(over.login?.()).toMatchObject({
        hosts: [{ how: expect.stringContaining("the agent's key"), asked: false, agentSocket: old.socket }],
      });
      await over.close();
      expect(over.login?.()).toBeUndefined();
      // The session that forwarded it is gone; the next one has an agent of its own.
      await agents.shift()?.stop();
      await expect(over.connect()).rejects.toThrow(`no agent answers on ${old.socket}`);
      now.add(join(folder, 'key'));
      await tmux.command('set-environment', 'SSH_AUTH_SOCK', now.socket);
      await over.connect();
      expect(over.login?.()).toMatchObject({ hosts: [{ agentSocket: now.socket }] });
      await over.close();
      // Attached without an agent: that of the process may live.
      await tmux.command('set-environment', '-r', 'SSH_AUTH_SOCK');
      vi.stubEnv('SSH_AUTH_SOCK', now.socket);
      await over.connect();
      await over.close();
    });

    test('is that of IdentityAgent, whatever tmux says; without tmux that of the environment', async () => {
      const [named, other] = [await agent(), await agent()];
      named.add(join(folder, 'key'));
      const tmux = await startTmux({ command: ['sleep', '1000'], env: { SSH_AUTH_SOCK: other.socket } });
      const [socket, pid] = (await tmux.format('#{socket_path},#{pid}')).split(',');
      vi.stubEnv('TMUX', `${socket},${pid},0`);
      const over = transport(`IdentityAgent ${named.socket}`);
      await over.connect();
      await over.close();
      await tmux.kill();
      vi.stubEnv('SSH_AUTH_SOCK', named.socket);
      const plain = transport();
      await plain.connect();
      await plain.close();
    });
  },
);

import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { processCollector } from '../../src/collectors/process/collector.ts';
import { threads } from '../../src/collectors/threads/threads.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import { createSession, type Session } from '../../src/commands/session.ts';
import { readOptions } from '../../src/config/options.ts';
import { roleFinder } from '../../src/model/roles/finder.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { describeWith, requiredTool } from '../support/requires.ts';
import { sixNames, startSix, type Six } from '../support/six.ts';
import { waitFor } from '../support/waiting.ts';

describeWith(['python3', 'py-spy'], 'names of threads', () => {
  let six: Six;
  let home = '';
  const sessions: Session[] = [];

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'traintop-names-'));
    writeFileSync(
      join(home, 'rules.toml'),
      '[[role]]\nrole = "mine"\nname = "^hash"\n[[role]]\nrole = "no one"\nname = "^x$"\n',
    );
    six = await startSix(requiredTool('python3'));
  }, 30_000);
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.stop()));
    await six?.stop();
    removeFolder(home);
  }, 30_000);

  async function watched(raw: Record<string, unknown>): Promise<Session> {
    const common = { pid: String(six.pid), pySpy: requiredTool('py-spy'), config: join(home, 'rules.toml') };
    const more = { sources: [processCollector, threads], namesThreads: true, keepNamesIn: join(home, 'names') };
    const session = createSession(
      readOptions('local', { ...common, ...raw }),
      createLocalTransport(),
      systemClock,
      undefined,
      more,
    );
    sessions.push(session);
    await session.runner.start();
    await waitFor(
      'two frames of threads',
      () => session.store.getState().threads?.intervalSeconds !== undefined,
      30_000,
    );
    return session;
  }
  const namesOf = (session: Session) =>
    sixNames.map((name) => session.store.getState().threadNames.get(`${six.pid}:${six.tids[name]}`));

  it(
    'come by one dump at attach that nobody asked for, and with them the roles of rules',
    { timeout: 60_000 },
    async () => {
      const session = await watched({});
      await waitFor('the names', () => namesOf(session).every((name) => name !== undefined), 30_000);
      expect(namesOf(session)).toEqual(sixNames);
      const state = session.store.getState();
      const roleOf = roleFinder(state);
      expect(roleOf({ pid: six.pid, tid: six.tids['hash-0'], comm: 'python3' })).toBe('mine');
      expect(roleOf({ pid: six.pid, tid: six.pid, comm: 'python3' })).toBe('main');
      expect(session.rules.counts().map(({ threads }) => threads)).toEqual([1, 0]);
      // It is no capture of the user's.
      expect([state.captures, state.results]).toEqual([[], []]);
      await waitFor('its end', () => /^The last one was at [\d:]+: 1 process\.$/.test(session.autoDump?.said() ?? ''));
    },
  );

  it('are kept for the next monitor of the same run, which takes none', { timeout: 60_000 }, async () => {
    await sessions[0]?.stop();
    const [file = ''] = readdirSync(join(home, 'names'));
    expect(statSync(join(home, 'names', file)).mode & 0o777).toBe(0o600);
    const session = await watched({ autoDump: false });
    await waitFor('the names', () => namesOf(session).every((name) => name !== undefined), 30_000);
    const state = session.store.getState();
    expect(namesOf(session)).toEqual(sixNames);
    expect(roleFinder(state)({ pid: six.pid, tid: six.tids['hash-0'], comm: 'python3' })).toBe('mine');
    expect([session.autoDump, state.stacks]).toEqual([undefined, []]);
  });
});

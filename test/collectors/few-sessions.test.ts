import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLiveRunner, type LiveRunner } from '../support/live-runner.ts';
import { describeWith } from '../support/requires.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';
import { waitFor } from '../support/waiting.ts';
import { startWorkload, type Workload } from '../support/workload.ts';

/** A busy machine takes its time for a probe. */
const patientMs = 40_000;

describeWith(['sshd', 'python3'], 'a real sshd that allows few sessions', () => {
  let workload: Workload;
  let sshd: TestSshd | undefined;
  let runner: LiveRunner | undefined;

  beforeAll(async () => void (workload = await startWorkload({ threads: [{ name: 'pump', percent: 5 }] })));
  afterEach(async () => {
    await runner?.stop();
    await sshd?.stop();
    runner = sshd = undefined;
  });
  afterAll(() => workload.stop());

  async function watch(maxSessions: number) {
    sshd = await startSshd({ config: [`MaxSessions ${maxSessions}`] });
    runner = createLiveRunner({ sshd, pid: workload.pid, logs: [join(sshd.folder, 'train.log')] });
    await runner.start();
    return { live: runner, server: sshd };
  }

  const refusals = (server: TestSshd) => server.log().match(/no more sessions/g)?.length ?? 0;
  const status = (live: LiveRunner, name: string) => live.source(name)?.status;
  const states = (live: LiveRunner) =>
    Object.fromEntries(['processes', 'threads', 'log', 'host'].map((name) => [name, status(live, name)]));

  test(
    'two: the run and its threads live, the rest says why; a dump has a session, and gives it back',
    { timeout: 120_000 },
    async () => {
      const { live, server } = await watch(2);
      const expected = { processes: 'live', threads: 'live', log: 'off', host: 'off' };
      await waitFor('two sources', () => JSON.stringify(states(live)) === JSON.stringify(expected), patientMs);
      expect(live.source('log')?.reason).toMatch(
        /^\S+ allows 2 sessions: set MaxSessions 10 in its sshd_config \(processes and threads have them\)$/,
      );
      const before = refusals(server);
      const job = await live.job('dump', 'sleep 2; echo stack', patientMs);
      expect(job).toMatchObject({ output: expect.stringMatching(/^stack\n?$/), bodyCode: 0 });
      const back = Date.now();
      await waitFor('the threads again', () => live.has('threads', back), patientMs);
      expect(states(live)).toEqual(expected);
      expect(refusals(server)).toBe(before);
    },
  );

  test('one: the run is found and its threads are read, and a dump works', { timeout: 120_000 }, async () => {
    const { live, server } = await watch(1);
    await waitFor('the threads', () => status(live, 'threads') === 'live' && live.has('run'), patientMs);
    expect(live.source('processes')?.reason).toMatch(
      /allows one session: set MaxSessions 10 .*processes and threads have it in turn/,
    );
    expect(live.source('host')).toMatchObject({ status: 'off', reason: expect.stringContaining('allows one session') });
    const before = refusals(server);
    expect(await live.job('dump', 'echo stack', patientMs)).toMatchObject({
      output: expect.stringMatching(/^stack\n?$/),
      bodyCode: 0,
    });
    const back = Date.now();
    await waitFor('the threads again', () => live.has('threads', back), patientMs);
    expect(refusals(server)).toBe(before);
  });

  test('none: one sentence', { timeout: 60_000 }, async () => {
    await expect(watch(0)).rejects.toThrow(/^\S+ allows no session at all: set MaxSessions 10 in its sshd_config\.$/);
  });
});

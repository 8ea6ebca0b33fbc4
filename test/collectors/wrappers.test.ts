import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { probeHost } from '../../src/collectors/probe.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import { describeWith, requiredTool } from '../support/requires.ts';
import { startEngine, type Container, type Engine } from '../support/wrappers/engine.ts';

const tools = ['python3', 'unshare', 'nsenter', 'setsid', 'setpriv', 'sudo'];

describeWith(tools, 'a wrapper that leads nowhere', () => {
  let engine: Engine;
  let container: Container;
  const path = process.env.PATH ?? '';
  beforeAll(async () => {
    engine = await startEngine();
    process.env.PATH = `${engine.bin}:${path}`;
    container = await engine.startContainer('box');
    for (const state of ['stopped', 'shell-less'] as const) engine.addBroken(state, state);
  });
  afterAll(async () => {
    process.env.PATH = path;
    await engine.stop();
  });

  async function fault(wrap: string): Promise<string> {
    const transport = createLocalTransport(wrap);
    const options = { intervalMs: 1000, threads: 'proc' as const, logs: [] };
    const error: unknown = await probeHost({ transport, clock: systemClock, options }).catch(
      (reason: unknown) => reason,
    );
    await transport.close();
    return error instanceof Error ? error.message : 'it leads somewhere';
  }

  const calls = {
    docker: (name: string) => `docker exec -i ${name}`,
    podman: (name: string) => `podman exec -i ${name}`,
    kubectl: (name: string) => `kubectl exec -i ${name} --`,
    lxc: (name: string) => `lxc exec ${name} --`,
    pct: (name: string) => `pct exec ${name} --`,
    srun: (name: string) => `srun --overlap --jobid ${name}`,
  };
  test.each(Object.entries(calls))('%s says which of three', async (name, call) => {
    const job = name === 'srun';
    expect(await fault(call('none'))).toMatch(job ? /; the job is not there/ : /; there is none of that name/);
    expect(await fault(call('stopped'))).toMatch(job ? /; the job is not there/ : /; start it/);
    expect(await fault(call('shell-less'))).toMatch(/; there is no sh in it/);
  });

  const nobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
  test.each([
    ['docker exec box', /ended with code 0 without a word; .*: write exec -i\.$/],
    ['docker exec -it box', /, saying "the input device is not a TTY"; leave out -t/],
    ['no-such-engine exec', /, saying ".*no-such-engine: not found"; check --wrap/],
    [`${nobody} sudo -n`, /, saying "sudo: .*"; nobody is there to type a password/],
    [`${nobody} nsenter -t 1 -m -p`, /; entering a namespace takes root/],
    ['nsenter -t 999999999 -m -p', /; that process is gone/],
  ])('%s', async (wrap, expected) => expect(await fault(wrap)).toMatch(expected));

  test('whose /proc is of another PID namespace is refused', async () => {
    expect(await fault(`nsenter -t ${container.pid} -p`)).toMatch(
      /^\/proc behind `nsenter .*`.*enter the mount namespace too/,
    );
    expect(await fault(`nsenter -t ${container.pid} -p -m`)).toBe('it leads somewhere');
  });

  test('that leaves the shell in a group that is not its own needs setsid', async () => {
    const hide = `mount --bind /dev/null ${requiredTool('setsid')}; sh -s; :`;
    expect(await fault(`unshare --mount sh -c '${hide}' x`)).toMatch(/, saying "traintop: no setsid"; install setsid/);
  });
});

import { describe, expect, test } from 'vitest';
import { isBroken } from '../../src/doctor/check.ts';
import { judge } from '../../src/doctor/judge.ts';
import type { LinkLogin } from '../../src/collectors/transport/transport.ts';
import { checkOf, facts, factsOf, findingsOf, lookOf, runOf, running, source, stateOf } from './made.ts';

const options = { intervalMs: 1000, threads: 'proc', logs: [] } as const;
const broken = (more: Parameters<typeof findingsOf>[0]) =>
  judge(findingsOf(more))
    .filter(isBroken)
    .map(({ id }) => id);

describe('every check', () => {
  const all = judge(
    findingsOf({ wrap: 'pct exec 200 --', state: stateOf([facts(factsOf('debian-12')), running(runOf())]) }),
  );

  test('has an id of its own, and a title that fits its column', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id, title } of all) {
      expect(id).toMatch(/^[a-zA-Z.\d]+$/);
      expect(title.length).toBeLessThanOrEqual(12);
    }
  });

  test('that does not work says why or what to do', () => {
    for (const { status, why, mend, id } of all)
      if (status === 'missing' || status === 'failed' || status === 'warn') expect(why ?? mend, id).toBeDefined();
  });
});

describe('tools', () => {
  test('the procps of Debian 12 is named with its fault, and is no reason to fail', () => {
    expect(checkOf('tools.top')).toMatchObject({
      status: 'note',
      found: 'procps 4.0.2',
      why: expect.stringMatching(/main thread/),
    });
    expect(
      checkOf('tools.top', {
        state: stateOf([
          facts({ ...factsOf('debian-12'), top: { flavour: 'procps', version: '4.0.4', leaderRowIsTotal: false } }),
        ]),
      }),
    ).toMatchObject({ status: 'ok' });
  });

  test('have their versions', () => {
    expect(checkOf('tools.awk')).toMatchObject({ status: 'ok', found: 'mawk 1.3.4', needed: true });
    expect(checkOf('tools.tail')).toMatchObject({ status: 'ok', found: 'coreutils 9.1' });
    expect(checkOf('tools.pidstat')).toMatchObject({ status: 'ok', found: 'sysstat 12.6.1' });
    expect(checkOf('tools.small')).toMatchObject({ status: 'ok', found: 'all there, procps-ng 4.0.2, coreutils 9.1' });
  });

  test('of busybox do, but for its top', () => {
    const busybox = { state: stateOf([facts(factsOf('busybox'))]), look: lookOf('busybox') };
    expect(checkOf('tools.awk', busybox)).toMatchObject({ status: 'ok', found: 'BusyBox 1.35.0' });
    expect(checkOf('tools.top', busybox)).toMatchObject({
      status: 'note',
      found: expect.stringMatching(/^BusyBox/),
      mend: 'install procps there',
    });
    expect(checkOf('tools.pidstat', busybox)).toMatchObject({ status: 'ok', needed: false });
    expect(checkOf('shell', busybox)).toMatchObject({ status: 'ok', found: 'busybox, as root' });
    expect(broken(busybox)).toEqual([]);
    const asked = { ...busybox, options: { ...options, threads: 'top' as const } };
    expect(broken(asked)).toEqual(['tools.top']);
    expect(broken({ ...busybox, options: { ...options, threads: 'pidstat' } })).toEqual(['tools.pidstat']);
  });

  test('that are not there at all are told with what is lost', () => {
    const { awk: _a, top: _t, pidstatVersion: _p, ...rest } = factsOf('debian-12');
    const bare = { state: stateOf([facts({ ...rest, tailFollows: false, user: '0' })]), look: lookOf('bare') };
    expect(broken(bare)).toEqual(['tools.awk']);
    expect(checkOf('tools.small', bare)).toMatchObject({
      status: 'missing',
      found: 'without ls, grep, tr, cut, sed, head, stat, find, od, dd, wc, sleep',
    });
    expect(checkOf('shell', bare)).toMatchObject({ status: 'ok', found: 'sh, as user 0' });
    expect(checkOf('link.clock', bare)).toMatchObject({ status: 'unknown' });
  });
});

describe('/proc', () => {
  test.each([
    ['missing', { processes: undefined }, 0, 'missing'],
    ['with hidepid, for a user', { hidepid: '2' }, 1000, 'warn'],
    ['with hidepid, for root', { hidepid: '2' }, 0, 'ok'],
  ])('%s', (_, more, uid, status) => {
    const { processes, ...look } = lookOf('debian-12');
    const state = stateOf([facts({ ...factsOf('debian-12'), uid })]);
    const seen = 'processes' in more ? look : { ...look, processes: processes ?? 0, ...more };
    expect(checkOf('shell.proc', { look: seen, state })).toMatchObject({ status, needed: true });
  });
});

describe('log-in', () => {
  test('refused or without a host is a finding, and nothing else is said', () => {
    const checks = judge(findingsOf({ connection: { fault: 'root@gpu7 refused the log-in: tried nothing.' } }));
    expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual(['login failed', 'record ok']);
    expect(checks.filter(isBroken)).toHaveLength(1);
  });

  test('behind which no shell runs', () => {
    const shellFault = 'No shell runs on root@gpu7: ...';
    expect(broken({ shellFault })).toEqual(['shell']);
    expect(broken({ shellFault, wrap: 'pct exec 9 --' })).toEqual(['shell.wrapper']);
  });

  const login = (host: Partial<LinkLogin['hosts'][number]>): LinkLogin => ({
    configReader: 'ssh -G (OpenSSH_9.2p1)',
    hosts: [{ target: 'root@gpu7', how: '~/.ssh/id_ed25519', asked: false, ...host }],
  });

  test.each([
    ['a key file', {}, 'ok'],
    ['a password', { how: 'a password', asked: true }, 'warn'],
    ['a forwarded agent', { agentSocket: '/tmp/ssh-XXXXabc123/agent.4711' }, 'warn'],
    ['an agent of this machine', { agentSocket: '/run/user/1000/keyring/ssh' }, 'warn'],
  ])('by %s: can a watch come back by itself?', (_, host, status) => {
    expect(checkOf('login.reconnect', { connection: { login: login(host) } })).toMatchObject({ status });
  });

  test('over jump hosts', () => {
    const hosts = [{ target: 'jump host me@bastion', how: 'a password', asked: true }, ...login({}).hosts];
    const connection = { login: { ...login({}), hosts } };
    expect(checkOf('login.jumps', { connection })).toMatchObject({ found: 'jump host me@bastion by a password' });
    expect(checkOf('login.reconnect', { connection })).toMatchObject({
      status: 'warn',
      why: expect.stringMatching(/bastion/),
    });
    expect(checkOf('login.config', { connection })).toMatchObject({ found: 'read by ssh -G (OpenSSH_9.2p1)' });
  });

  test.each([
    [0, 'ok', /in step/],
    [-90_000, 'note', /90 s behind/],
    [3500, 'note', /3\.5 s ahead/],
  ])('the clock, %s ms', (clockOffsetMs, status, found) => {
    const state = stateOf([facts({ ...factsOf('debian-12'), clockOffsetMs })]);
    expect(checkOf('link.clock', { state })).toMatchObject({ status, found: expect.stringMatching(found) });
  });

  test('with too few sessions', () => {
    const channels = { most: 2, refused: ['gpu7 opens no further channel'] };
    expect(checkOf('link.sessions', { channels })).toMatchObject({
      status: 'warn',
      found: '2 at once; more were refused',
    });
  });
});

describe('the run', () => {
  const run = runOf();
  const other = { ...runOf({ pid: 50 }), id: '50:7', rootPid: 50 };
  const state = stateOf([facts(factsOf('debian-12')), running(run)]);

  test.each([
    [{ state }, 'ok', /only run of Python processes that hold a GPU$/],
    [{ state, options: { ...options, pid: 42 } }, 'ok', /the PID that you named/],
    [{ state, options: { ...options, match: /train/ } }, 'ok', /matches \/train\//],
    [
      { state: stateOf([running(runOf({ gpuMinors: [] }))]) },
      'ok',
      /no Python process holds a GPU, and this is the busiest/,
    ],
    [
      { state: stateOf([{ kind: 'run', source: 'processes', phase: 'choosing', candidates: [run, other] }]) },
      'warn',
      /42 \(python3 train.py\), 50/,
    ],
    [
      {
        state: stateOf([
          {
            kind: 'run',
            source: 'processes',
            phase: 'finding',
            candidates: [],
            reason: 'No Python process; waiting for one',
          },
        ]),
      },
      'note',
      /^No Python process$/,
    ],
  ])('is told with why that one: %#', (more, status, why) => {
    expect(checkOf('run', more)).toMatchObject({ status, why: expect.stringMatching(why) });
  });

  test('that was asked for is needed', () => {
    const none = stateOf([
      { kind: 'run', source: 'processes', phase: 'finding', candidates: [], reason: 'No process 9' },
    ]);
    expect(broken({ state: none, options: { ...options, pid: 9 } })).toContain('run');
    expect(broken({ state: none })).not.toContain('run');
  });
});

describe('sources that fail', () => {
  test('say why', () => {
    const state = stateOf([
      facts(factsOf('debian-12')),
      running(runOf()),
      source('threads', 'failed', 'awk: oops'),
      source('log', 'failed', 'there is no /x'),
    ]);
    expect(checkOf('threads', { state })).toMatchObject({ status: 'failed', why: 'awk: oops' });
    expect(checkOf('log', { state })).toMatchObject({ status: 'failed', needed: false });
    expect(broken({ state, options: { ...options, logs: ['/x'] } })).toContain('log');
  });
});

describe('the record', () => {
  test('that cannot be written is told, and is no reason to fail', () => {
    const audit = { path: '/a/audit.jsonl', written: 0, lost: 3, fault: 'ENOSPC: no space left on device' };
    expect(checkOf('record', { audit })).toMatchObject({ status: 'warn', why: audit.fault, needed: false });
  });
});

import { describe, expect, test } from 'vitest';
import { readLook } from '../../src/doctor/look.ts';
import { checkOf, facts, factsOf, lookOf, stateOf } from './made.ts';

const options = { intervalMs: 1000, threads: 'proc', logs: [] } as const;
const ptrace = 1n << 19n;

/** One user looks at the process of another, or its own; `capabilities` are those of both. */
function permission(init: {
  uid?: number;
  target?: number;
  gid?: number;
  own?: bigint;
  its?: bigint;
  scope?: number;
  readable?: boolean;
}) {
  const { uid = 1000, target = 1000, gid = 1000, own = 0n, its = 0n, scope = 0, readable = true } = init;
  const four = (n: number) => [n, n, n, n];
  const self = { uids: four(uid), gids: four(1000), permitted: own, effective: own };
  const look = {
    ...lookOf('debian-12'),
    containers: [],
    self,
    target: { uids: four(target), gids: four(gid), permitted: its, effective: its, environReadable: readable },
  };
  return checkOf('stacks.permission', {
    look,
    state: stateOf([facts({ ...factsOf('debian-12'), ptraceScope: scope })]),
  });
}

describe('permission to attach', () => {
  test.each([
    ['the same user', {}, 'ok', /same user/],
    ['another user', { target: 1001 }, 'failed', /of user 1001, this is user 1000/],
    ['root with the capability', { uid: 0, own: ptrace, target: 1001, scope: 2 }, 'ok', /CAP_SYS_PTRACE/],
    ['root of a container, without', { uid: 0, target: 1001 }, 'failed', /user 1001/],
    ['a run with more capabilities', { its: 1n }, 'failed', /capabilities/],
    ['Yama 1', { scope: 1 }, 'failed', /ptrace_scope is 1/],
    ['Yama 3, whatever one may', { scope: 3, own: ptrace }, 'failed', /none may attach/],
    ['another group', { gid: 7 }, 'failed', /group 7/],
    ['a run that is not dumpable', { readable: false }, 'failed', /may not be read/],
  ])('%s', (_, init, status, found) => {
    expect(permission(init)).toMatchObject({ status, found: expect.stringMatching(found), needed: false });
  });

  test('as captured: nobody looks at a process of root', () => {
    const { hasPtraceCapability: _h, ...rest } = factsOf('debian-12');
    const state = stateOf([facts({ ...rest, uid: 65_534 })]);
    expect(checkOf('stacks.permission', { look: lookOf('nobody'), state })).toMatchObject({
      status: 'failed',
      found: expect.stringMatching(/user 0/),
    });
    expect(checkOf('stacks.permission', { look: lookOf('debian-12') })).toMatchObject({
      status: 'ok',
      why: expect.stringMatching(/nothing was attached to/),
    });
  });
});

describe('py-spy', () => {
  const look = lookOf('debian-12');
  const told = (pySpy: typeof look.pySpy, pySpyOption?: string) =>
    checkOf('stacks', {
      look: { ...look, pySpy },
      options: { ...options, ...(pySpyOption !== undefined && { pySpy: pySpyOption }) },
    });

  test('is told with version and path, or how to get it', () => {
    expect(told({ path: '/v/bin/py-spy', version: '0.4.2', skipped: [] })).toMatchObject({
      status: 'ok',
      found: '0.4.2, /v/bin/py-spy',
    });
    expect(told({ skipped: [] })).toMatchObject({
      status: 'note',
      mend: expect.stringMatching(/pip install py-spy/),
      needed: false,
    });
    expect(told({ skipped: ['/home/u/py-spy'] })).toMatchObject({
      status: 'warn',
      mend: expect.stringMatching(/--py-spy \/home\/u\/py-spy/),
    });
    expect(told({ skipped: [] }, '/no/py-spy')).toMatchObject({ status: 'missing', needed: true });
  });
});

describe('the answer of doctor’s script', () => {
  test('may be noise', () => {
    const look = readLook(
      '\u001b[2J\nshell\nproc x\ntool\nself Uid: a b\nsize \nsize 1e999\n\u0000 end\nversion tail \u001b]0;x\u0007\ntool tail /usr/bin/tail\u001b[31m\n',
    );
    expect(look).toMatchObject({ whole: false, logSizes: [], self: {} });
    expect(look.tools.get('tail')).toEqual({ path: '/usr/bin/tail' });
    expect(readLook('')).toMatchObject({ whole: false, containers: [], pySpy: { skipped: [] } });
  });
});

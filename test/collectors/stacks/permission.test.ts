import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import {
  explainPermission,
  keepRight,
  rightMark,
  rightsScript,
  type Rights,
} from '../../../src/collectors/stacks/permission.ts';
import type { Runner } from '../../../src/collectors/run.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { factsOf, madeContext } from '../made-context.ts';

const children: ChildProcess[] = [];
let runner: Runner | undefined;
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await runner?.stop();
  runner = undefined;
});

function rightsOf(lines: readonly string[]): Rights {
  const rights = new Map<string, string>();
  for (const line of lines) keepRight(rights, line);
  return rights;
}

/** What is said to mira (UID 1000) on gpu7, or to root there. */
function explain(
  lines: readonly string[],
  { uid = 1000, wrap }: { readonly uid?: number; readonly wrap?: string } = {},
) {
  const user = uid === 0 ? 'root' : 'mira';
  const context = madeContext({ host: 'gpu7', facts: factsOf({ user, uid }), wrap });
  return explainPermission({ rights: rightsOf(lines), pid: 42, context });
}

const none = 'CapEff: 0000000000000000';
/** A container's usual ones (docker 24): without CAP_SYS_PTRACE. */
const usual = 'CapEff: 00000000a80425fb';
const all = 'CapEff: 000001ffffffffff';
const root = 'Uid: 0\t0\t0\t0';
const mira = 'Uid: 1000\t1000\t1000\t1000';

describe('a missing permission', () => {
  it.each([
    [
      'another user',
      [mira, none, 'targetUid: 0\t0\t0\t0'],
      'mira may not read process 42 on gpu7: the process is of UID 0 (root), this is UID 1000 without CAP_SYS_PTRACE; connect as root or as that user',
    ],
    [
      'ptrace scope 1',
      [mira, none, 'targetUid: 1000\t1000', 'scope 1'],
      'mira may not read process 42 on gpu7: kernel.yama.ptrace_scope is 1, which lets a process be read by its parents only; connect as root, or set it to 0 there (`sysctl kernel.yama.ptrace_scope=0`)',
    ],
    [
      'ptrace scope 2',
      [mira, none, 'targetUid: 1000\t1000', 'scope 2'],
      /ptrace_scope is 2, which lets only who has CAP_SYS_PTRACE read a process; connect as root/,
    ],
    [
      'not dumpable',
      [mira, none, 'targetUid: 1000\t1000', 'scope 0', 'proc 0'],
      /closed itself to its own user \(it is not dumpable/,
    ],
    [
      'a tracer',
      [mira, none, 'targetUid: 1000', 'targetTracerPid: 7', 'tracer strace'],
      'mira may not read process 42 on gpu7: PID 7 (strace) traces it just now, and a process has one tracer at a time; end that one, or wait for it',
    ],
    [
      'own container',
      [mira, none, 'targetUid: 1000', 'scope 0', 'proc 1000', 'box docker'],
      /it has no CAP_SYS_PTRACE \(CapEff 0000000000000000\); without a new start, from its host: --wrap 'docker exec --privileged -i NAME'; with one: `docker run --cap-add SYS_PTRACE`$/,
    ],
  ])('is named: %s', (_, lines, expected) => {
    if (typeof expected === 'string') expect(explain(lines)).toBe(expected);
    else expect(explain(lines)).toMatch(expected);
  });

  it.each([
    [
      'docker',
      ['box docker'],
      'docker exec -i run',
      "this root has no CAP_SYS_PTRACE (CapEff 00000000a80425fb); without a new start: --wrap 'docker exec --privileged -i run'; with one: `docker run --cap-add SYS_PTRACE`",
    ],
    ['podman', ['box podman'], undefined, "--wrap 'podman exec --privileged -i NAME'"],
    ['kubernetes', ['box docker', 'box kubernetes'], undefined, 'securityContext: {capabilities: {add: [SYS_PTRACE]}}'],
    ['lxc', ['box lxc'], undefined, 'taken away by `lxc.cap.drop`'],
    [
      'something else',
      [],
      undefined,
      'start the container with it (`--cap-add SYS_PTRACE`), or connect to its host instead',
    ],
    [
      'ptrace scope 3',
      ['scope 3'],
      undefined,
      'ptrace_scope is 3, which forbids it to everybody until that host boots anew',
    ],
  ])('of root is named: %s', (_, lines, wrap, expected) => {
    expect(explain([root, usual, 'targetUid: 0', ...lines], { uid: 0, ...(wrap !== undefined && { wrap }) })).toContain(
      expected,
    );
  });

  it.each([
    ['user namespace', ['userns user:[1] user:[2]'], 'lives in another user namespace'],
    ['profile', ['lsm docker-default (enforce)'], 'the security profile "docker-default (enforce)" may forbid it'],
    ['seccomp', ['lsm unconfined', 'Seccomp: 2'], 'a seccomp filter is set'],
    ['nothing that is known', ['Seccomp: 0'], 'a security module of that host forbids it'],
  ])('though the capability is there, is named: %s', (_, lines, expected) => {
    const said = explain([root, all, ...lines], { uid: 0 });
    expect(said).toContain(', though it has CAP_SYS_PTRACE: ');
    expect(said).toContain(expected);
  });

  it('is told of without facts by what the probe knows', () => {
    expect(explain([])).toBe(
      'mira may not read process 42 on gpu7: it has no CAP_SYS_PTRACE; connect as root or as the user who runs it',
    );
  });
});

describe('the facts', () => {
  it('stand in a quoted text', () => {
    expect(rightsScript(42)).not.toContain("'");
  });

  it.each([['dash'], ['bash'], ['busybox', 'sh']])('are read by %s', async (...shell: readonly string[]) => {
    const [file = '', ...args] = shell;
    const child = spawn(file, [...args, '-c', rightsScript(process.pid)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    const rights = rightsOf(said.split('\n').map((line) => line.slice(rightMark.length)));
    expect(rights.get('CapEff:')).toMatch(/^[0-9a-f]{16}$/);
    expect(rights.get('targetTracerPid:')).toBe('0');
    expect(rights.get('userns')).toMatch(/^(user:\[\d+\]) \1$/);
    expect(Number(rights.get('proc'))).toBe(process.getuid?.());
  });
});

describeWith(['root', 'setpriv', 'python3', 'py-spy'], 'a dump without permission', () => {
  it('of a root without the capability names it, from what is read there', async () => {
    const child = spawn('python3', ['-c', 'import time\nprint("ready", flush=True)\ntime.sleep(99)'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await waitFor('the process', () => /ready.*\n/.test(said));
    runner = await localRunner({
      pySpy: requiredTool('py-spy'),
      wrap: 'setpriv --bounding-set=-sys_ptrace,-sys_admin --inh-caps=-sys_ptrace,-sys_admin',
    });
    const { capture } = await captureOn(runner, { what: 'dump', pids: [child.pid ?? 0] });
    expect(capture.failure).toMatch(
      /^root may not read process \d+ on local: this root has no CAP_SYS_PTRACE \(CapEff [0-9a-f]{16}\); /,
    );
  });
});

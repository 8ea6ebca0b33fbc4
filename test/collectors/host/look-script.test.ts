import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { envelope } from '../../../src/collectors/envelope.ts';
import { createLooks, type Looks } from '../../../src/collectors/host/looks.ts';
import { hostScript } from '../../../src/collectors/host/script.ts';
import { quote } from '../../../src/collectors/quote.ts';
import type { DisksSample, KernelSample, Sample } from '../../../src/model/samples.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { contextOf } from './read.ts';

const folders: string[] = [];
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // it is gone, as it should be
    }
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'traintop-look-'));
  folders.push(path);
  return path;
}

/** Programs that stand before the host's own on its PATH. */
function tools(programs: Readonly<Record<string, string>>): string {
  const bin = folder();
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** The host's script in its envelope; `tick` sends a tick with this behind it. */
function host(shell: string, bin: string) {
  const [command = '', ...args] = shell.split(' ');
  const child = spawn(requiredTool(command), [...args, '-s'], {
    detached: true,
    stdio: 'pipe',
    env: { PATH: `${bin}:${process.env.PATH ?? ''}` },
  });
  started.push(child);
  const said = { output: '', closed: false };
  child.stdin.on('error', () => {});
  child.stdout.on('data', (data: Buffer) => (said.output += data.toString()));
  child.on('close', () => (said.closed = true));
  const body = hostScript({ awk: 'mawk', pageSize: 4096 });
  child.stdin.write(envelope({ name: 'host', body, nonce: 'f00d', talks: true }));
  const answers = () => said.output.split('\n').filter((line) => line === '=.').length;
  return {
    child,
    said,
    ready: () => waitFor('the shell', () => said.output.includes('@traintop') || undefined),
    tick: (more = '') => void child.stdin.write(`|${more}\n`),
    answers: (n: number) => waitFor(`answer ${n}`, () => (answers() >= n ? said.output : undefined)),
    frames: (n: number) =>
      waitFor(`frame ${n}`, () => said.output.split('\n').filter((line) => line === '.').length >= n || undefined),
  };
}

/** What the looks make of all that was said. */
function read(looks: Looks, text: string, at: number) {
  const samples = text.split('\n').flatMap((line): readonly Sample[] => {
    if (!looks.takes(line)) return [];
    const found = looks.push(line, at);
    expect(found, line).toBeDefined();
    return found ?? [];
  });
  return {
    disks: samples.findLast((sample): sample is DisksSample => sample.kind === 'disks'),
    kernel: samples.filter((sample): sample is KernelSample => sample.kind === 'kernel'),
  };
}

const bootTime = 1_000_000;
const xid = (stamp: string, number = 79) =>
  `[${stamp}] NVRM: Xid (PCI:0000:3b:00): ${number}, pid=4242, name=python3, GPU has fallen off the bus.`;

describeWith(['dash', 'busybox', 'mawk'], 'the slow looks of the host', () => {
  it.each(['dash', 'busybox sh', 'bash'])('tell the room of folders with any name, under %s', async (shell) => {
    const base = folder();
    const names = ["it's", '$(touch pwned)', 'a b|c|new', '`id`', '"; rm -rf x; "', '*', '-n', '日本 ñ'];
    const paths = names.map((name) => join(base, name));
    for (const path of paths) mkdirSync(path);
    const gone = join(base, 'gone');
    const run = { id: '1:1', rootPid: process.pid, processes: [], outputs: [] };
    const looks = createLooks(contextOf());
    const options = { ...contextOf().options, checkpoints: [...paths.filter((path) => !path.includes('*')), gone] };
    const { ready, tick, answers } = host(shell, tools({ dmesg: 'exit 0' }));
    await ready();
    tick(looks.wish({ run, options }, 0));
    const { disks } = read(looks, await answers(1), 5000);
    const rows = disks?.path.map((path, i) => [path, disks.mount[i] !== null, (disks.totalBytes[i] ?? 0) > 1e6]);
    expect(rows).toContainEqual(['/tmp', true, true]);
    for (const path of options.checkpoints) expect(rows).toContainEqual([path, path !== gone, path !== gone]);
    const row = disks?.path.indexOf(paths[0] ?? '') ?? -1;
    expect(disks?.availableBytes[row]).toBeLessThanOrEqual(disks?.totalBytes[row] ?? 0);
    expect(existsSync(join(base, 'pwned'))).toBe(false);
  });

  it('read what busybox df prints', async () => {
    const looks = createLooks(contextOf());
    const { ready, tick, answers } = host('dash', tools({ df: `exec ${requiredTool('busybox')} df "$@"`, dmesg: '' }));
    await ready();
    tick(looks.wish(contextOf(), 0));
    const { disks } = read(looks, await answers(1), 5000);
    expect(disks?.path).toEqual(['/dev/shm', '/tmp']);
    expect(disks?.totalBytes.every((bytes) => (bytes ?? 0) > 0)).toBe(true);
    expect(disks?.use).toEqual(['shm', 'tmp']);
  });

  it('leave out a path whose df hangs, hold up no frame, and end with the channel though that df is deaf', async () => {
    const pids = join(folder(), 'pids');
    const df = `case "$*" in *hangs*) echo $$ >>${quote(pids)}; trap '' TERM HUP INT; while :; do sleep 1; done;; *) exec ${requiredTool('df')} "$@";; esac`;
    const hangs = join(folder(), 'hangs');
    mkdirSync(hangs);
    const context = { run: undefined, options: { ...contextOf().options, checkpoints: [hangs] } };
    const looks = createLooks(contextOf());
    const { ready, tick, answers, frames, child, said } = host('dash', tools({ df, dmesg: '' }));
    await ready();
    let now = 0;
    const next = (ms: number) => {
      now += ms;
      looks.late(now);
      const wish = looks.wish(context, now);
      tick(wish);
      return wish;
    };
    next(0);
    await waitFor('the df that hangs', () => existsSync(pids) || undefined);
    expect(next(2000)).toBe('');
    await frames(2);
    // Each alone: two answer, the third does not.
    expect(next(30_000)).toMatch(/'\/dev\/shm'$/);
    read(looks, await answers(1), now);
    expect(next(2000)).toMatch(/'\/tmp'$/);
    // The answers before it are known: their numbers are of no look that is waited for.
    const before = said.output.length;
    await answers(2);
    read(looks, said.output.slice(before), now);
    expect(next(2000)).toContain('hangs');
    await waitFor(
      'the second df that hangs',
      () => readFileSync(pids, 'utf8').trim().split('\n').length > 1 || undefined,
    );
    now += 10_000;
    const [sample] = looks.late(now);
    expect(sample).toMatchObject({ kind: 'disks', path: ['/dev/shm', '/tmp', hangs], mount: ['/dev/shm', '/', null] });
    // From then on it is not asked for.
    now += 30_000;
    expect(looks.wish(context, now)).not.toContain('hangs');
    child.stdin.end();
    await waitFor('the end of the channel', () => said.closed || undefined);
    for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  }, 20_000);

  it('tell of Xids and kills once, and of what is new', async () => {
    const log = join(folder(), 'kernel');
    const kill = '[ 9000.000002] Memory cgroup out of memory: Killed process 4242 (python3) total-vm:1kB';
    writeFileSync(log, `[    1.000000] Linux version 6\n${xid('  12.500000', 31)}\n`);
    const looks = createLooks(contextOf());
    const { ready, tick, answers } = host('busybox sh', tools({ dmesg: `cat ${quote(log)}` }));
    await ready();
    tick(looks.wish(contextOf(), 0));
    const first = await answers(1);
    expect(read(looks, first, bootTime + 20_000).kernel).toMatchObject([
      { lines: [{ what: 'xid', xid: 31, pid: 4242, address: '0000:3b:00', time: bootTime + 12_500 }] },
    ]);
    writeFileSync(log, `${readFileSync(log, 'utf8')}${xid(' 9000.000001')}\n${kill}\n`);
    tick(looks.wish(contextOf(), 60_000));
    const second = (await answers(2)).slice(first.length);
    expect(read(looks, second, bootTime + 9_000_000).kernel.flatMap(({ lines }) => lines)).toMatchObject([
      { what: 'xid', xid: 79 },
      { what: 'oom-kill', pid: 4242, text: expect.stringContaining('Memory cgroup') },
    ]);
    tick(looks.wish(contextOf(), 120_000));
    const third = (await answers(3)).slice(first.length + second.length);
    expect(third).not.toContain('=kernel');
    expect(read(looks, third, bootTime + 9_030_000).kernel).toEqual([]);
  });

  it.each([
    ['neither way to it is open', '', /^The kernel's log may not be read on this host \(dmesg: read kernel buffer/],
    ['the journal has it', `echo '[   42.000000] node kernel: ${xid('').slice(3)}'`, undefined],
  ])('where dmesg is restricted and %s', async (_, journalctl, unread) => {
    const dmesg = "echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1";
    const looks = createLooks(contextOf());
    const { ready, tick, answers } = host('dash', tools({ dmesg, journalctl }));
    await ready();
    tick(looks.wish(contextOf(), 0));
    const first = await answers(1);
    expect(read(looks, first, bootTime + 50_000).kernel).toEqual([]);
    tick(looks.wish(contextOf(), 2000));
    const { kernel } = read(looks, (await answers(2)).slice(first.length), bootTime + 52_000);
    expect(kernel).toHaveLength(1);
    if (unread) expect(kernel[0]).toMatchObject({ lines: [], unread: expect.stringMatching(unread) });
    else expect(kernel[0]).toMatchObject({ lines: [{ xid: 79, time: bootTime + 42_000 }] });
    // It is said once, and not asked again.
    if (unread) expect(looks.wish(contextOf(), 600_000)).toContain(' - ');
  });
});

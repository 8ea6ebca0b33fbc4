import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createRunner, type Runner } from '../../../src/collectors/run.ts';
import { readProgram } from '../../../src/collectors/stacks/copy-program.ts';
import { createOffer, type ConfirmCopy } from '../../../src/collectors/stacks/offer.ts';
import { findPySpy } from '../../../src/collectors/stacks/script.ts';
import type { Channel, Transport } from '../../../src/collectors/transport/transport.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-copy-'));
const runners: Runner[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file that is no program of the host, as one on another machine is. */
function notExecutable(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}

interface Options {
  readonly pySpy: string;
  readonly wrap?: string;
  readonly readOnly?: boolean;
  readonly confirm?: ConfirmCopy;
  readonly transport?: Transport;
}

async function offerOf({ pySpy, wrap, readOnly = false, confirm, transport = createLocalTransport(wrap) }: Options) {
  const channels: Channel[] = [];
  const open = async () => {
    const channel = await transport.open();
    channels.push(channel);
    return channel;
  };
  const runner = createRunner({
    transport: Object.assign(Object.create(transport) as Transport, { open }),
    collectors: [],
    options: { intervalMs: 1000, threads: 'proc', logs: [], pySpy },
    clock: systemClock,
    onSample: () => {},
  });
  runners.push(runner);
  await runner.start();
  const offer = createOffer({ runner, clock: systemClock, pySpy, readOnly, confirm });
  const copied = () => runner.context()?.options.pySpyCopy;
  return { runner, offer, copied, channels };
}

/** Copied sooner than py-spy: it says its version too (coreutils). */
const small = () => readFileSync(requiredTool('true'));

const yes: ConfirmCopy = () => Promise.resolve(true);

describeWith(['busybox', 'bash', 'true'], 'a py-spy of this machine', () => {
  it('is copied after a yes, is what a capture takes, and is removed at the end', async () => {
    // Of so many lines that it goes by parts; py-spy itself takes this way in test/e2e/touch.test.ts.
    const pySpy = notExecutable('py-spy-1', readFileSync(requiredTool('bash')));
    const asked: unknown[] = [];
    const { runner, offer, copied } = await offerOf({
      pySpy,
      confirm: (question) => Promise.resolve(asked.push(question) > 0),
    });
    expect(await offer.bring(false)).toBeUndefined();
    expect(copied()).toBeUndefined();
    expect(await offer.bring(true)).toBeUndefined();
    const path = copied() ?? '';
    expect(readFileSync(path).equals(readFileSync(pySpy))).toBe(true);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o700, 0o700]);
    expect(asked).toEqual([
      {
        title: 'py-spy is not on local: copy it there?',
        lines: [
          expect.stringMatching(/py-spy-1 on this machine \(\d+\.\d MiB, for \w+\) can be copied\.$/),
          expect.stringMatching(/^It goes into a private folder of \w+ there, and is removed when traintop ends/),
        ],
        yes: 'Copy it, and go on.',
      },
    ]);
    const context = runner.context();
    if (!context) throw new Error('no context');
    expect(findPySpy(context, 1)).toContain(`for c in '${path}'`);
    // Once is enough.
    expect(await offer.bring(true)).toBeUndefined();
    expect(asked).toHaveLength(1);
    offer.stop();
    await waitFor('the folder to be gone', () => !existsSync(dirname(path)));
  });

  it.each(['busybox', 'bash-as-sh'])('is copied through a wrapper to %s', async (shell) => {
    const pySpy = notExecutable(`py-spy-${shell}`, small());
    const bin = mkdtempSync(join(folder, 'bin-'));
    const temporary = join(bin, 'with blanks');
    mkdirSync(temporary);
    spawnSync('ln', ['-s', requiredTool('bash'), join(bin, 'sh')]);
    const wrap = shell === 'busybox' ? 'busybox' : `env PATH=${bin}:${process.env.PATH ?? ''} 'TMPDIR=${temporary}'`;
    const { offer, copied } = await offerOf({ pySpy, wrap, confirm: yes });
    expect(await offer.bring(true)).toBeUndefined();
    const path = copied() ?? '';
    expect(existsSync(path)).toBe(true);
    if (shell !== 'busybox') expect(dirname(dirname(path))).toBe(temporary);
    offer.stop();
    await waitFor('the folder to be gone', () => !existsSync(dirname(path)));
  });

  it('is taken out of a wheel', async () => {
    const wheel = makeWheel('py_spy-0.4.2-py2.py3-none-manylinux2014.whl', requiredTool('true'));
    const { offer, copied } = await offerOf({ pySpy: wheel, confirm: yes });
    expect(await offer.bring(true)).toBeUndefined();
    expect(readFileSync(copied() ?? '').equals(small())).toBe(true);
  });

  it('is not copied after a no, nor with --read-only, nor where nobody can be asked', async () => {
    const pySpy = notExecutable('py-spy-2', small());
    const no = await offerOf({ pySpy, confirm: () => Promise.resolve(false) });
    expect(await no.offer.bring(true)).toBe(`${pySpy} is not on local, and was not copied there: you said no`);
    const readOnly = await offerOf({ pySpy, readOnly: true, confirm: yes });
    expect(await readOnly.offer.bring(true)).toBe(
      `${pySpy} is no program of local, and --read-only copies nothing there`,
    );
    const alone = await offerOf({ pySpy });
    expect(await alone.offer.bring(true)).toMatch(/nobody could be asked whether to copy it there$/);
    expect([no, readOnly, alone].map(({ copied }) => copied())).toEqual([undefined, undefined, undefined]);
  });

  it('that is for other machines is refused before it is sent', async () => {
    const bytes = small();
    bytes.writeUInt16LE(process.arch === 'arm64' ? 62 : 183, 18);
    const pySpy = notExecutable('py-spy-other', bytes);
    const { offer } = await offerOf({ pySpy, confirm: yes });
    expect(await offer.bring(true)).toMatch(
      /py-spy-other is for (?:aarch64|x86_64), and local is \w+: take the py-spy for \w+$/,
    );
  });

  it('that does not run there is removed, and says why', async () => {
    const bytes = small().subarray(0, 4096);
    const pySpy = notExecutable('py-spy-short', bytes);
    const { offer, copied } = await offerOf({ pySpy, confirm: yes });
    expect(await offer.bring(true)).toMatch(/py-spy-short was copied and does not run on local/);
    expect(copied()).toBeUndefined();
  });

  it('is removed when the monitor is gone without a word', async () => {
    const pySpy = notExecutable('small-gone', small());
    const { offer, copied, channels } = await offerOf({ pySpy, confirm: yes });
    expect(await offer.bring(true)).toBeUndefined();
    const path = copied() ?? '';
    // Its input ends, as that of a killed monitor does.
    channels.at(-1)?.end();
    await waitFor('the folder to be gone', () => !existsSync(dirname(path)));
    await waitFor('it to be known', () => copied() === undefined);
    // The yes holds: the next capture has it again.
    expect(await offer.bring(false)).toBeUndefined();
    expect(existsSync(copied() ?? '')).toBe(true);
  });
});

describeWith(['sshd', 'true'], 'a py-spy of this machine over SSH', () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  it('is removed when the link is cut, and is there again after the next connection without a question', async () => {
    const pySpy = notExecutable('small-ssh', small());
    let questions = 0;
    const transport = createSshTransport({
      target: { kind: 'ssh', host: '127.0.0.1', port: sshd.port },
      wrap: undefined,
      clock: systemClock,
      configFile: 'none',
      knownHostsFiles: [sshd.knownHostsFile],
      identityFiles: [sshd.keyFile],
    });
    const confirm = () => Promise.resolve(++questions > 0);
    const { offer, copied } = await offerOf({ pySpy, transport, confirm });
    expect(await offer.bring(true)).toBeUndefined();
    const path = copied() ?? '';
    expect(readFileSync(path).equals(small())).toBe(true);
    // The server's process of this connection: nobody says goodbye.
    for (const pid of childrenOf(sshd.pid)) process.kill(pid, 'SIGKILL');
    await waitFor('the folder to be gone', () => !existsSync(dirname(path)), 60_000);
    await waitFor(
      'it to be there again',
      async () => (await offer.bring(false)) === undefined && existsSync(copied() ?? ''),
      30_000,
    );
    expect(copied()).not.toBe(path);
    expect(questions).toBe(1);
  });
});

function childrenOf(parent: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' });
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

describe('a file that is no py-spy for Linux', () => {
  it.each([
    [
      'macho',
      Buffer.concat([Buffer.from([0xcf, 0xfa, 0xed, 0xfe]), Buffer.alloc(100)]),
      /is a program of macOS: take py-spy for Linux, or its wheel/,
    ],
    ['pe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]), /is a program of Windows/],
    ['script', Buffer.from(`#!/usr/bin/env python3\n${'#'.repeat(100)}`), /is no program of Linux \(ELF\)/],
    ['empty', Buffer.alloc(0), /is no file that could be py-spy/],
    [
      'zip',
      Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]),
      /is an archive without py-spy in it: take the wheel/,
    ],
  ])('%s: says what it is', async (name, bytes, expected) => {
    const program = await readProgram(notExecutable(name, bytes));
    expect(program).toMatchObject({ failure: expect.stringMatching(expected) });
  });

  it('is nothing where there is none', async () => {
    expect(await readProgram('/no/such/py-spy')).toBeUndefined();
  });

  it('is refused as a folder', async () => {
    mkdirSync(join(folder, 'a-folder'));
    expect(await readProgram(join(folder, 'a-folder'))).toMatchObject({
      failure: expect.stringContaining('no file that could be py-spy'),
    });
  });

  it('is refused as a wheel that is cut or changed', async () => {
    const wheel = readFileSync(makeWheel('whole.whl', requiredTool('sh')));
    for (const bytes of [
      wheel.subarray(0, wheel.length - 100),
      Buffer.concat([wheel.subarray(0, 300), Buffer.alloc(8, 1), wheel.subarray(308)]),
    ])
      expect(await readProgram(notExecutable('cut.whl', bytes))).toMatchObject({
        failure: expect.stringContaining('archive without py-spy'),
      });
  });
});

/** As pip gets it: Python's own zip. */
function makeWheel(name: string, program: string): string {
  const path = join(folder, name);
  const script = `import zipfile,sys
z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)
z.write(sys.argv[2],'py_spy-0.4.2.data/scripts/py-spy')
z.writestr('py_spy-0.4.2.dist-info/METADATA','Name: py-spy')
z.close()`;
  expect(spawnSync('python3', ['-c', script, path, program]).status).toBe(0);
  return path;
}

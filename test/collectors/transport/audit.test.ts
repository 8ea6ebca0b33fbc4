import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { runJob } from '../../../src/collectors/stream.ts';
import { audited, withoutSecrets } from '../../../src/collectors/transport/audit.ts';
import { createAuditLog, defaultStateFolder } from '../../../src/collectors/transport/audit-log.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { TransportFault } from '../../../src/collectors/transport/transport.ts';
import { createFakeTransport } from '../../support/fake-transport.ts';

const root = mkdtempSync(join(tmpdir(), 'traintop-audit-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
const newFolder = () => join(root, String(count++), 'state/traintop');

type Entry = Readonly<Record<string, unknown>>;
const entriesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);

async function recordJobs(folder: string, wrap?: string) {
  const log = createAuditLog(folder);
  const transport = audited(createLocalTransport(wrap), systemClock, log);
  const job = (name: string, body: string) => runJob({ transport, clock: systemClock, name, body, timeoutMs: 20_000 });
  expect((await job('first', 'echo $((6 * 7))')).output.trim()).toBe('42');
  await job('first', 'echo $((6 * 7))');
  await job('second', 'exit 3');
  await transport.close();
  await log.flush();
  return { log, entries: entriesOf(log.path) };
}

describe('the record of what was run', () => {
  test('has each channel with its script, and each text once', async () => {
    const folder = newFolder();
    const { log, entries } = await recordJobs(folder, 'exec env TOKEN=hush');
    expect(entries.map(({ event, script }) => `${String(event)} ${String(script ?? '')}`.trim())).toEqual([
      ...['text', 'open first', 'end first', 'open first', 'end first', 'text', 'open second', 'end second'],
    ]);
    const [text, open, end] = entries;
    expect(open).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      channel: `${process.pid}.1`,
      target: 'local',
      wrap: 'exec env TOKEN=***',
      hash: text?.['hash'],
    });
    expect(end).toMatchObject({ channel: `${process.pid}.1`, seconds: expect.any(Number) });
    expect(end).not.toHaveProperty('lost');
    expect(text?.['text']).toMatch(/^# traintop:first\n.*@traintop NONCE .*echo \$\(\(6 \* 7\)\)/s);
    expect(log.state()).toEqual({ written: 8, lost: 0 });
    expect(readFileSync(log.path, 'utf8')).not.toContain('hush');
  });

  test('has the script that a shell was sent once more, as it was then', async () => {
    const { entries } = await recordJobs(newFolder(), 'env');
    const [first, , again] = entries.filter(({ event }) => event !== 'end');
    expect(entries.map(({ event }) => event).slice(0, 5)).toEqual(['text', 'open', 'text', 'again', 'end']);
    expect(String(again?.['text']).length).toBeLessThan(String(first?.['text']).length);
    expect(entries[3]).toMatchObject({ channel: `${process.pid}.1`, hash: again?.['hash'] });
  });

  test('has the shells of the user, and nothing of what is typed there', async () => {
    const log = createAuditLog(newFolder());
    const transport = audited(createLocalTransport('env'), systemClock, log);
    const size = { columns: 80, rows: 24 };
    const shell = await transport.openTerminal?.({ size, env: { TERM: 'dumb', PATH: process.env['PATH'] } });
    shell?.onOutput(() => {});
    shell?.write(Buffer.from('echo hush; exit 3\n'));
    await shell?.exit;
    await transport.close();
    await log.flush();
    expect(entriesOf(log.path)).toEqual([
      {
        event: 'open',
        time: expect.any(String),
        channel: `${process.pid}.1`,
        target: 'local',
        wrap: 'env',
        script: 'shell',
      },
      {
        event: 'end',
        time: expect.any(String),
        channel: `${process.pid}.1`,
        script: 'shell',
        code: 3,
        seconds: expect.any(Number),
      },
    ]);
  });

  test('is for its owner alone', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'audit.jsonl'), '', { mode: 0o666 });
    await recordJobs(folder);
    expect(statSync(join(folder, 'audit.jsonl')).mode & 0o777).toBe(0o600);
    const made = newFolder();
    await recordJobs(made);
    expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(statSync(join(made, 'audit.jsonl')).mode & 0o777).toBe(0o600);
  });

  test('says why a host opened no channel', async () => {
    const log = createAuditLog(newFolder());
    const refusing = { ...createFakeTransport(), open: () => Promise.reject(new TransportFault('No more.', false)) };
    await expect(audited(refusing, systemClock, log).open()).rejects.toThrow('No more.');
    await log.flush();
    expect(entriesOf(log.path)).toEqual([
      { event: 'refused', time: expect.any(String), target: 'fake', reason: 'No more.' },
    ]);
  });

  test('is bounded: a full file is put aside for the next, which has its texts again', async () => {
    const log = createAuditLog(newFolder(), 2000);
    const text = 'x'.repeat(500);
    for (let n = 0; n < 100; n++) log.record({ n }, text);
    await log.flush();
    const [now, before] = [entriesOf(log.path), entriesOf(`${log.path}.1`)];
    expect(statSync(log.path).size).toBeLessThan(2600);
    expect(statSync(`${log.path}.1`).size).toBeLessThan(2600);
    for (const part of [now, before]) expect(part.filter(({ event }) => event === 'text')).toHaveLength(1);
    const numbers = [...before, ...now].flatMap(({ n }) => (typeof n === 'number' ? [n] : []));
    expect(numbers).toEqual(numbers.map((_, i) => 99 - (numbers.length - 1) + i));
    expect(log.state()).toMatchObject({ lost: 0 });
  });

  test('of two processes goes on when one put the file aside', async () => {
    const folder = newFolder();
    const [one, other] = [createAuditLog(folder, 1500), createAuditLog(folder, 1500)];
    one.record({ by: 'one' }, 'y'.repeat(1600));
    await one.flush();
    for (let n = 0; n < 20; n++) other.record({ by: 'other', n });
    await other.flush();
    one.record({ by: 'one' }, 'y'.repeat(1600));
    await one.flush();
    expect(entriesOf(one.path).at(-2)).toMatchObject({ event: 'text' });
  });
});

describe('a record that cannot be written', () => {
  test('because no folder can be made there ends at once', async () => {
    const log = createAuditLog('/proc/no/such');
    log.record({ event: 'opened' });
    await log.flush();
    expect(log.state()).toMatchObject({ written: 0, lost: 1 });
  });

  test.each([
    ['the folder is none', (folder: string) => writeFileSync(folder, ''), /EEXIST|ENOTDIR/],
    ['the file is a folder', (folder: string) => mkdirSync(join(folder, 'audit.jsonl'), { recursive: true }), /EISDIR/],
    ['the file is a link', (folder: string) => link(folder), /ELOOP/],
    ['the file is a pipe', (folder: string) => pipe(folder), /ENXIO/],
  ])('is told, and everything goes on: %s', async (_, spoil, fault) => {
    const folder = join(root, `spoilt-${count++}`);
    spoil(folder);
    const log = createAuditLog(folder);
    const transport = audited(createLocalTransport(), systemClock, log);
    const job = await runJob({ transport, clock: systemClock, name: 'job', body: 'echo fine', timeoutMs: 20_000 });
    await transport.close();
    await log.flush();
    expect(job).toMatchObject({ output: expect.stringContaining('fine'), bodyCode: 0 });
    expect(log.state()).toMatchObject({ written: 0, lost: 2, fault: expect.stringMatching(fault) });
    expect(() => readFileSync(join(root, 'elsewhere'))).toThrow();
  });

  test('goes on when it can be again', async () => {
    const folder = join(root, `back-${count++}`);
    writeFileSync(folder, '');
    const log = createAuditLog(folder);
    log.record({ n: 1 });
    await log.flush();
    rmSync(folder);
    log.record({ n: 2 });
    await log.flush();
    expect(entriesOf(log.path)).toEqual([{ n: 2 }]);
    expect(log.state()).toMatchObject({ written: 1, lost: 1 });
  });

  test('holds up nobody, and fills no memory', () => {
    const log = createAuditLog(newFolder());
    for (let n = 0; n < 1000; n++) log.record({ n });
    expect(log.state()).toMatchObject({ lost: 800, fault: expect.stringMatching(/too long/) });
    return log.flush();
  });
});

function link(folder: string) {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(folder, 'audit.jsonl'));
}

function pipe(folder: string) {
  mkdirSync(folder, { recursive: true });
  execFileSync('mkfifo', [join(folder, 'audit.jsonl')]);
}

describe('where it lies', () => {
  test.each([
    [{ XDG_STATE_HOME: '/x/state' }, '/x/state/traintop'],
    [{ XDG_STATE_HOME: 'relative' }, /\/\.local\/state\/traintop$/],
    [{}, /\/\.local\/state\/traintop$/],
  ])('%j', (environment, path) => expect(defaultStateFolder(environment)).toMatch(path));
});

describe('a wrapper in the record', () => {
  test.each([
    ['docker exec -i -e HF_TOKEN=abc NAME', 'docker exec -i -e HF_TOKEN=*** NAME'],
    ['env "API_KEY=a" X_KEY=\'a b\' sh -c "$0" y', 'env API_KEY=*** X_KEY=*** sh -c "$0" y'],
    ['env KEY=a"b c" x', 'env KEY=*** x'],
    ['ssh host "docker exec -e TOKEN=abc -i NAME"', 'ssh host "docker exec -e TOKEN=*** -i NAME"'],
    ['sshpass -pabc ssh host', 'sshpass -p*** ssh host'],
    ["sshpass -p 'a b' ssh host", 'sshpass -p *** ssh host'],
    ['kubectl --token=abc exec -i POD -c C --', 'kubectl --token=*** exec -i POD -c C --'],
    ['kubectl --token abc exec -i POD --', 'kubectl --token *** exec -i POD --'],
    ['pct exec 200 --', 'pct exec 200 --'],
    ['docker exec --env=HF_TOKEN=abc -i x', 'docker exec --env=HF_TOKEN=*** -i x'],
    ['docker exec --env=PATH=/x -i x', 'docker exec --env=PATH=/x -i x'],
    ['docker exec -e "TOKEN=a b" x', 'docker exec -e TOKEN=*** x'],
    ['x --password=a=b', 'x --password=***'],
    ['x --api-key abc', 'x --api-key ***'],
    ['env MYSQL_PWD=abc sh', 'env MYSQL_PWD=*** sh'],
    ['podman --url https://me:abc@host/x exec', 'podman --url https://me:***@host/x exec'],
  ])('%s', (wrap, shown) => expect(withoutSecrets(wrap)).toBe(shown));
});

import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTraintop, type Outcome } from '../commands/run-once.ts';
import { insideRoot, makeRoot, rootTools } from '../support/chroot.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { describeWith, requiredTool, toolPath } from '../support/requires.ts';
import { waitFor } from '../support/waiting.ts';
import { startSshd, type TestSshd } from '../support/sshd.ts';
import type { Terminal } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { startHost, type Host } from './on-host.ts';
import { makeHome, oddBytes, panel, removeHomes, traintop, type Home } from './program.ts';

interface Entry {
  readonly event: string;
  readonly script?: string;
  readonly hash?: string;
  readonly text?: string;
  readonly target?: string;
}

const stateOf = (home: Home) => ({ ...home.env, XDG_STATE_HOME: home.file('state') });

/** The lines of a home's record; a last line that is still being written is left out. */
function recordOf(home: Home): readonly Entry[] {
  const lines = readFileSync(home.file('state/traintop/audit.jsonl'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** A script up to its parameters: PIDs, sizes and paces, and the words that are random in each process. */
function shapeOf(script: string): string {
  return script
    .replace(/@traintop-log-[0-9a-f]{8}/g, '@traintop-log')
    .replace(/\/(?:\.?\/)+/g, '/')
    .replace(/\d+/g, 'N')
    .replace(/N(?:[ ,]N)+/g, 'N');
}

async function commandsOf(args: readonly string[], home: Home): Promise<ReadonlySet<string>> {
  const { code, output, errors } = await runTraintop(['doctor', ...args, '--commands', '--json'], stateOf(home));
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const { commands } = JSON.parse(output) as { readonly commands: readonly { script: string; again: string }[] };
  return new Set(commands.flatMap(({ script, again }) => [shapeOf(script), shapeOf(again)]));
}

type Outcomes = Readonly<Record<'bare' | 'busybox' | 'withoutProc', Outcome>>;

/** What takes doctor's ten seconds is started together. */
let terminal: Terminal;
let containers: Promise<Outcomes>;
const roots: string[] = [];
beforeAll(() => {
  terminal = traintop(makeHome(), ['doctor', 'demo'], { cols: 60, rows: 120 });
  if (rootTools.every((tool) => toolPath(tool) !== undefined)) containers = lookAtContainers();
});
afterAll(async () => {
  await terminal.close();
  await containers;
  for (const root of roots) removeFolder(root);
  removeHomes();
});

describeWith(['sshd', 'python3'], 'what was run', () => {
  let host: Host;
  let run: Workload;
  let home: Home;
  let log: string;
  let few: TestSshd;
  let onFew: Promise<Outcome>;

  beforeAll(async () => {
    host = await startHost();
    home = host.home();
    log = home.file('train.log');
    run = await startWorkload({ threads: [{ name: 'pump', percent: 20 }], logPath: log, logSeconds: 0.5 });
    few = await startSshd({ config: ['MaxSessions 2'] });
    const config = [
      'Host few',
      'HostName 127.0.0.1',
      `Port ${few.port}`,
      `UserKnownHostsFile ${few.knownHostsFile}`,
      '',
    ];
    writeFileSync(join(few.folder, 'config'), config.join('\n'), { mode: 0o600 });
    const ssh = ['--ssh-config', join(few.folder, 'config'), '--identity', few.keyFile];
    onFew = runTraintop(['doctor', 'few', ...ssh, '--json', '--pid', String(run.pid)], stateOf(makeHome()));
  });
  afterAll(async () => {
    await run.stop();
    await onFew;
    await host.stop();
    await few.stop();
  });

  test('over SSH by once, by a watch with a dump, and by doctor is what --commands says', async () => {
    const args = [host.name, '--pid', String(run.pid)];
    const env = stateOf(home);
    const py = toolPath('py-spy');
    const more = py === undefined ? [] : ['--py-spy', py];
    const [once, doctor, expected] = await Promise.all([
      runTraintop(['once', ...args, ...more, '--json'], env),
      runTraintop(['doctor', ...args, ...more, '--json'], env),
      commandsOf([...args, ...more], home),
    ]);
    expect(once).toMatchObject({ code: 0, errors: '' });
    expect(doctor).toMatchObject({ code: 0, errors: '' });

    const watch = traintop(home, [...args, ...more], { env });
    await watch.waitFor((screen) => /pump +[▁-█]/.test(panel(screen, 'Threads').join('\n')), 30_000);
    watch.press('d');
    const names = () =>
      new Set(recordOf(home).flatMap(({ event, script }) => (event === 'open' ? (script ?? []) : [])));
    await waitFor('a dump in the record', () => names().has('stacks'), 30_000);
    watch.press('ctrl-c');
    await watch.exit;

    const record = recordOf(home);
    for (const name of ['probe', 'processes', 'threads', 'host', 'busiest', 'log', 'stacks', 'doctor'])
      expect(names(), name).toContain(name);
    const texts = record.filter(({ event }) => event === 'text');
    expect(texts.length).toBeGreaterThan(7);
    for (const { text = '' } of texts) expect([...expected], text.split('\n')[0]).toContain(shapeOf(text));
    const hashes = new Set(texts.map(({ hash }) => hash));
    for (const { event, hash, target } of record.filter((entry) => entry.event === 'open')) {
      expect(hashes, event).toContain(hash);
      expect(target).toMatch(/^\w+@127\.0\.0\.1:\d+$/);
    }
    const ends = record.filter(({ event }) => event === 'end');
    expect(ends.length).toBe(record.filter(({ event }) => event === 'open').length);
    const { checks } = JSON.parse(doctor.output) as {
      readonly checks: readonly Check[];
    };
    const found = (id: string) => checks.find((check) => check.id === id);
    expect(found('login')).toMatchObject({ status: 'ok', found: expect.stringMatching(/user_key/) });
    expect(found('login.reconnect')).toMatchObject({ status: 'ok' });
    expect(found('login.config')).toMatchObject({ status: 'ok' });
    expect(found('link.roundTrip')).toMatchObject({ found: expect.stringMatching(/ ms/) });
  }, 120_000);

  test('where sshd allows two sessions, what they are for works, and the rest is said to be off', async () => {
    const { code, output, errors } = await onFew;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { checks } = JSON.parse(output) as { readonly checks: readonly Check[] };
    const found = (id: string) => checks.find((check) => check.id === id);
    expect(found('link.sessions')).toMatchObject({ status: 'warn', found: expect.stringMatching(/ refused$/) });
    expect(found('threads')).toMatchObject({ status: 'ok' });
    expect(found('host')).toMatchObject({ status: 'warn', why: expect.stringMatching(/allows 2 sessions/) });
    expect(found('stacks.permission')).toMatchObject({ status: expect.stringMatching(/ok|failed/) });
  }, 60_000);

  test('a refused log-in is a finding, and exits with 1', async () => {
    const stranger = host.home({ keyFile: `${host.sshd.folder}/host_rsa` });
    const { code, output, errors } = await runTraintop(['doctor', host.name], stateOf(stranger));
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    expect(output).toMatch(/✗ log-in[^]*refused the log-in/);
    expect(output).toMatch(/Needed, and it does not work: log-in\.\n$/);
  });

  test('in a terminal has colours, says that it is at work, and fits 60 columns', async () => {
    const screen = await terminal.waitFor(/that is needed works/, 60_000);
    await terminal.exit;
    expect(terminal.raw()).toMatch(/Looking at demo/);
    expect(screen).not.toMatch(/Looking at/);
    expect(terminal.raw()).toMatch(/\x1b\[38;/);
    expect(oddBytes(terminal.raw())).toEqual([]);
    const rows = screen.split('\n');
    expect(Math.max(...rows.map((row) => [...row].length))).toBeLessThanOrEqual(59);
    expect(rows.find((row) => /persistence/.test(row))).toMatch(/✓ persistence +on/);
  });
});

describeWith(rootTools, 'a container', () => {
  let outcomes: Outcomes;
  beforeAll(async () => {
    outcomes = await containers;
  }, 120_000);

  const checksOf = (outcome: Outcome) => {
    const { checks } = JSON.parse(outcome.output) as { readonly checks: readonly Check[] };
    return new Map(checks.map((check) => [check.id, check]));
  };
  const broken = (outcome: Outcome) =>
    [...checksOf(outcome).values()]
      .filter(({ needed, status }) => needed && /missing|failed/.test(status))
      .map(({ id }) => id);

  test('with nothing but a shell is told what it lacks', () => {
    expect(broken(outcomes.bare)).toEqual(['tools.awk']);
    expect(outcomes.bare.code).toBe(1);
    const checks = checksOf(outcomes.bare);
    expect(checks.get('shell.proc')).toMatchObject({ status: 'ok' });
    expect(checks.get('tools.small')).toMatchObject({
      status: 'missing',
      found: expect.stringMatching(/^without ls, grep/),
    });
    expect(checks.get('tools.tail')).toMatchObject({ status: 'missing' });
  });

  test('with busybox alone has all that is needed', () => {
    expect(broken(outcomes.busybox)).toEqual([]);
    expect(outcomes.busybox.code).toBe(0);
    const checks = checksOf(outcomes.busybox);
    expect(checks.get('shell')).toMatchObject({ status: 'ok', found: expect.stringMatching(/^busybox/) });
    expect(checks.get('tools.awk')).toMatchObject({ status: 'ok', found: expect.stringMatching(/^BusyBox \d/) });
    expect(checks.get('tools.top')).toMatchObject({ status: 'note' });
    expect(checks.get('host')).toMatchObject({ status: 'ok' });
  });

  test('without /proc is no use', () => {
    expect(broken(outcomes.withoutProc)).toContain('shell.proc');
    expect(outcomes.withoutProc.code).toBe(1);
  });
});

/** Roots without any tool, and with busybox alone, as bare images have. */
async function lookAtContainers(): Promise<Outcomes> {
  const bare = makeRoot({ sh: requiredTool('dash') });
  const busybox = makeRoot({ busybox: requiredTool('busybox') });
  roots.push(bare, busybox);
  const applets = execFileSync('busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const applet of applets.filter((name) => name !== 'busybox'))
    symlinkSync('busybox', join(busybox, 'bin', applet));
  const env = stateOf(makeHome());
  const look = (wrap: string) => runTraintop(['doctor', '--json', '--wrap', wrap], env);
  const [one, two, three] = await Promise.all([
    look(`exec ${insideRoot(bare)}`),
    look(insideRoot(busybox)),
    look(`chroot ${busybox}`),
  ]);
  return { bare: one, busybox: two, withoutProc: three };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly found: string;
  readonly needed: boolean;
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith, requiredTool } from '../support/requires.ts';
import { closeTerminals, environment } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { markedProcesses, makeHome, oddBytes, panel, removeHomes, traintop, type Home } from './program.ts';

interface Once {
  readonly run: {
    readonly pid: number;
    readonly pids: readonly number[];
    readonly user: string;
    readonly logs: readonly string[];
  };
  readonly threads: readonly {
    readonly pid: number;
    readonly tid: number;
    readonly name: string;
    readonly cpuPercent?: number;
  }[];
  readonly [key: string]: unknown;
}

describeWith(['python3'], 'a run of this machine', () => {
  let home: Home;
  let workload: Workload;
  const mark = `local${process.pid}`;
  const logPath = () => join(home.folder, 'run/train.log');

  beforeAll(async () => {
    home = makeHome();
    mkdirSync(home.file('run'));
    workload = await startWorkload({
      threads: [{ name: 'pump', percent: 30 }, { name: 'a [b] c)', percent: 5 }, { name: mark }],
      logSeconds: 0.5,
      logPath: logPath(),
      cwd: home.file('run'),
    });
  });
  afterAll(async () => {
    await closeTerminals();
    await workload.stop();
    removeHomes();
  });

  const once = (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [resolve('bin/traintop.js'), 'once', '--json', ...args], {
        env: environment(home.env),
        encoding: 'utf8',
      }),
    ) as Once;

  test('the screen shows its command line, PID, user, log, threads, throughput and queue', async () => {
    const terminal = traintop(home, ['--pid', String(workload.pid)]);
    await terminal.waitFor(
      (screen) => /pump +▇.* (?:2[5-9]|3[0-5])\.\d /.test(panel(screen, 'Threads').join('\n')),
      30_000,
    );
    const screen = await terminal.waitFor((screen) => /step \d+ \| loss/.test(panel(screen, 'Log').join('\n')));
    expect(screen).toContain(`PID ${workload.pid}`);
    expect(terminal.row(0)).toMatch(/workload\.py/);
    expect(terminal.row(0)).toContain(userInfo().username);
    await terminal.waitFor((now) => panel(now, 'Log')[0]?.includes('train.log') ?? false);
    await terminal.waitFor(/tok\/s 14\.5K/);
    await terminal.waitFor((now) => /q_hs .*9-10/.test(panel(now, 'Queues').join('\n')));
    await terminal.waitFor('a [b] c)');
    await terminal.waitFor(/nvidia-smi|¹GPUs .*\d ×/);
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    expect(oddBytes(terminal.raw())).toEqual([]);
    await expect.poll(() => markedProcesses(home.marker), { timeout: 5000 }).toEqual([]);
  });

  test('the pattern finds it, and a wrapper stands before every command', async () => {
    const terminal = traintop(home, ['--match', mark, '--wrap', 'env X=1']);
    await terminal.waitFor(`PID ${workload.pid}`, 30_000);
    await terminal.waitFor('through env X=1');
    const wrapped = markedProcesses(home.marker).filter(({ command }) => command === 'sh -s');
    expect(wrapped.length).toBeGreaterThan(2);
    for (const { environment } of wrapped) expect(environment).toContain('X=1');
    terminal.kill('SIGKILL');
    await terminal.exit;
    await expect.poll(() => markedProcesses(home.marker), { timeout: 5000 }).toEqual([]);
  });

  test.each(['proc', 'top', 'pidstat'])(
    'a thread that works is seen by --threads %s, and the main thread sleeps',
    (reader) => {
      if (reader === 'pidstat') requiredTool('pidstat');
      const { run, threads, sources } = once('--pid', String(workload.pid), '--threads', reader);
      expect(run).toMatchObject({
        pid: workload.pid,
        user: userInfo().username,
        logs: [logPath()],
        cwd: home.file('run'),
      });
      const of = (tid: number | undefined) => threads.find((thread) => thread.tid === tid);
      expect(of(workload.tids['pump']), JSON.stringify(sources)).toMatchObject({ name: 'pump', pid: workload.pid });
      // A busy machine gives and takes some percent; how exact the readers are is measured in readers.test.ts.
      expect(of(workload.tids['pump'])?.cpuPercent).toBeGreaterThan(5);
      expect(of(workload.tids['pump'])?.cpuPercent).toBeLessThan(80);
      expect(of(workload.pid)?.cpuPercent ?? 0).toBeLessThan(5);
      expect(threads.map(({ name }) => name)).toEqual(expect.arrayContaining(['a [b] c)', mark]));
    },
  );

  test('nothing asked for and nothing found are one sentence and code 2', () => {
    const run = (...args: string[]) => {
      try {
        execFileSync(process.execPath, [resolve('bin/traintop.js'), 'once', '--json', ...args], {
          env: environment(home.env),
          stdio: 'pipe',
        });
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: Buffer };
        return { status, text: stderr.toString() };
      }
      return undefined;
    };
    expect(run('--pid', '999999999')).toEqual({
      status: 2,
      text: expect.stringMatching(/^traintop: No process 999999999 on [^\n]+\n$/),
    });
    expect(run('--match', '[')).toEqual({
      status: 2,
      text: expect.stringMatching(/^traintop: --match is no regular expression [^\n]+\n$/),
    });
  });
});

describeWith(['python3', 'py-spy'], 'stacks of a run of this machine', () => {
  let home: Home;
  let workload: Workload;
  beforeAll(async () => {
    home = makeHome();
    workload = await startWorkload({ threads: [{ name: 'pump', percent: 30 }, { name: 'resting' }] });
  });
  afterAll(async () => {
    await closeTerminals();
    await workload.stop();
    removeHomes();
  });

  test('d takes them with the real py-spy, joins names to TIDs, and saves them', async () => {
    const args = ['--pid', String(workload.pid), '--py-spy', requiredTool('py-spy')];
    const terminal = traintop(home, args);
    await terminal.waitFor((screen) => /pump +▇/.test(panel(screen, 'Threads').join('\n')), 30_000);
    terminal.press('d');
    await terminal.waitFor(new RegExp(`MainThread +${workload.pid} `), 20_000);
    // Python's own names: threading calls them so.
    await terminal.waitFor(new RegExp(`Thread-\\d+ \\(run_thread\\) +${workload.tids['pump']} `));
    await terminal.waitFor('saved to ');
    const [folder = ''] = readdirSync(home.captures);
    expect(readFileSync(join(home.captures, folder, 'stacks.txt'), 'utf8')).toMatch(/run_thread[^]*workload\.py/);
    terminal.press('esc');
    await terminal.waitFor((screen) =>
      /Thread-\d+ \(run_thread\) +run_thread +▇/.test(panel(screen, 'Threads').join('\n')),
    );
  });

  test('without py-spy a sentence says what to do', async () => {
    // In its own home: names of an earlier dump are kept.
    const terminal = traintop(makeHome(), ['--pid', String(workload.pid), '--py-spy', '/nowhere/py-spy']);
    await terminal.waitFor((screen) => /pump +▇/.test(panel(screen, 'Threads').join('\n')), 25_000);
    terminal.press('d');
    await terminal.waitFor(/\/nowhere\/py-spy is no program that may be run/);
  });
});

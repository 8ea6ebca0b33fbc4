import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, delimiter } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { describeWith, requiredTool } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startWorkload } from '../support/workload.ts';
import { makeHome, removeHomes, traintop } from './program.ts';

const run = promisify(execFile);
const page = readFileSync('docs/import.md', 'utf8');
/** A block of the page, by the comment before it. */
const block = (name: string) =>
  new RegExp(`<!-- ${name} -->\\n\`\`\`sh\\n([^]*?)\`\`\``).exec(page)?.[1] ?? `exit 9 # no ${name}`;

afterAll(async () => {
  await closeTerminals();
  removeHomes();
});

describeWith(['top', 'python3', 'py-spy'], 'the commands of docs/import.md', () => {
  test('save a run here, and what they saved is made a recording that shows it', { timeout: 60_000 }, async () => {
    const home = makeHome();
    const log = home.file('train.log');
    writeFileSync(log, '');
    const workload = await startWorkload({ threads: [{ name: 'busy', percent: 50 }], logSeconds: 0.5, logPath: log });
    try {
      const env = {
        PATH: [dirname(requiredTool('py-spy')), process.env.PATH].join(delimiter),
        HOME: home.folder,
        PIDS: String(workload.pid),
        SECONDS_TO_SAVE: '4',
      };
      await run('sh', ['-c', block('save')], { cwd: home.folder, env });
      await run('sh', ['-c', block('stacks')], { cwd: home.folder, env });
      await run('sh', ['-c', block('log').replace('/path/to/train.log', log)], { cwd: home.folder, env });
    } finally {
      await workload.stop();
    }

    const saved = [
      '--top',
      'top.txt',
      '--nvidia-smi',
      'smi.csv',
      '--dmon',
      'dmon.txt',
      '--stat',
      'stat.txt.gz',
      '--log',
      'train.log',
    ];
    const options = saved.map((word) => (word.startsWith('--') ? word : home.file(`saved/${word}`)));
    const made = home.file('made.jsonl.gz');
    const program = (args: readonly string[]) =>
      run(process.execPath, ['bin/traintop.js', ...args], { env: { ...process.env, ...home.env } });
    const { stdout } = await program(['import', ...options, '--stacks', home.file('saved/stacks'), '-o', made]);
    expect(stdout).toMatch(/--stat +stat\.txt\.gz: 4 rounds of up to \d+ threads, /);
    expect(stdout).toMatch(/--top +top\.txt: load, CPU and memory of the host in 4 frames of up to \d+ threads, /);
    expect(stdout).toMatch(/--stacks +stacks: 5 dumps of PID \d+\n/);
    expect(stdout).not.toContain('could not be read');
    // There is no NVIDIA GPU where this runs, or there is one.
    expect(stdout).toMatch(/--nvidia-smi smi\.csv: (it is empty|\d+ rounds? of)/);

    const once = JSON.parse((await program(['once', made, '--json'])).stdout) as {
      readonly run: { readonly pid: number };
      readonly threads: readonly { readonly tid: number; readonly name: string; readonly cpuPercent: number }[];
      readonly log: { readonly step: number };
      readonly recording: { readonly imported: readonly string[] };
    };
    expect(once.run.pid).toBe(workload.pid);
    const busy = once.threads.find(({ tid }) => tid === workload.tids['busy']);
    // As the dumps have it; the kernel calls it busy.
    expect(busy?.name).toMatch(/^Thread-\d+/);
    // How busy depends on the machine: it did something, and no more than a core.
    expect(busy?.cpuPercent).toBeGreaterThan(5);
    expect(busy?.cpuPercent).toBeLessThanOrEqual(100);
    expect(once.log.step).toBeGreaterThan(0);
    expect(once.recording.imported).toBeTruthy();

    const terminal = traintop(home, ['replay', made], { cols: 120, rows: 40 });
    await terminal.waitFor(
      (screen) =>
        screen.includes(' IMPORTED ') && new RegExp(`│ +${workload.tids['busy']} (?:busy|Thread-)`).test(screen),
      20_000,
    );
    expect(terminal.screen()).not.toContain('connecting');
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
  });
});

test('standard input and pipes are files too', { timeout: 30_000 }, async () => {
  const home = makeHome();
  mkdirSync(home.file('tmp'));
  const script = `node bin/traintop.js import --log - --stat <(cat test/fixtures/import/h200/nccl_hang/stat.txt.gz) -o "${home.file('made')}"`;
  const child = spawn('bash', ['-c', script], { env: { ...process.env, ...home.env, TMPDIR: home.file('tmp') } });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  child.stdin.end(readFileSync('test/fixtures/import/h200/nccl_hang/train.log'));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(said).toContain('--log        standard input: 16 lines, 13:53:22 to 13:53:24');
  expect(said).toContain('8 rounds of up to 20 threads, 13:53:17 to 13:53:24');
  expect(code).toBe(0);
  // What was kept of them is gone.

  expect(readdirSync(home.file('tmp'))).toEqual([]);
});

test('a signal leaves nothing behind', { timeout: 30_000 }, async () => {
  const home = makeHome();
  mkdirSync(home.file('tmp'));
  const args = ['bin/traintop.js', 'import', '--log', '-', '-o', home.file('made')];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...home.env, TMPDIR: home.file('tmp') } });
  child.stdin.write('[13:00:00] step 1\n');
  await expect.poll(() => readdirSync(home.file('tmp')), { timeout: 15_000 }).not.toEqual([]);
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([
    code,
    readdirSync(home.file('tmp')),
    readdirSync(home.folder).filter((name) => name.startsWith('made')),
  ]).toEqual([130, [], []]);
});

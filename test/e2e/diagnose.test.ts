import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { situation } from '../import/imported.ts';
import { makeHome, removeHomes } from './program.ts';

afterAll(removeHomes);

const { top, nvidiaSmi, dmon, stat } = situation('queue_full') as Readonly<Record<string, string>>;
const files = `--top ${top} --nvidia-smi ${nvidiaSmi} --dmon ${dmon} --stat ${stat}`;
const log = 'test/fixtures/import/h200/queue_full/train.log';

/** A line of a shell, in a home of its own. */
async function shell(script: string, input?: string) {
  const home = makeHome();
  const child = spawn('bash', ['-c', `set -o pipefail; ${script}`], { env: { ...process.env, ...home.env } });
  const text = { output: '', errors: '' };
  child.stdout.on('data', (bytes: Buffer) => (text.output += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (text.errors += bytes.toString()));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, ...text };
}

test('goes whole into a pipe, a log from standard input', { timeout: 30_000 }, async () => {
  const script = `node bin/traintop.js diagnose ${files} --log - --json --signals | cat`;
  const { code, output, errors } = await shell(script, readFileSync(log, 'utf8'));
  expect([code, errors]).toEqual([0, '']);
  const { verdicts, signals } = JSON.parse(output) as {
    readonly verdicts: readonly object[];
    readonly signals: object;
  };
  expect(verdicts.length).toBeGreaterThan(0);
  expect(JSON.stringify(signals)).toContain('"queueFill"');
});

test('a reader that goes early is no fault, and files are written nowhere', { timeout: 30_000 }, async () => {
  const { code, output, errors } = await shell(
    `cd "$HOME" && node "$OLDPWD/bin/traintop.js" diagnose --log "$OLDPWD/${log}" | head -1; ls "$HOME" "$HOME/.ssh"`,
  );
  expect([code, errors]).toEqual([0, '']);
  expect(output.split('\n')[0]).toBe('traintop diagnose');
  expect(output).not.toContain('.gz');
});

test.each([
  ['a file that is not there', '--log no.log', /^traintop: \S*no\.log does not exist\.\n$/],
  ['no recording', 'package.json', /^traintop: .*package\.json/],
])('%s is a sentence, and exit code 2', { timeout: 30_000 }, async (_, args, sentence) => {
  const { code, output, errors } = await shell(`node bin/traintop.js diagnose ${args}`);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(sentence);
});

test('a signal ends it', { timeout: 30_000 }, async () => {
  const home = makeHome();
  const args = ['bin/traintop.js', 'diagnose', '--log', '-'];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...home.env, TMPDIR: home.folder } });
  child.stdin.write('[13:00:00] step 1\n');
  await expect
    .poll(() => readdirSync(home.folder).filter((name) => name.startsWith('traintop-import-')), { timeout: 15_000 })
    .not.toEqual([]);
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, readdirSync(home.folder).filter((name) => name.startsWith('traintop-import-'))]).toEqual([130, []]);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { quoteForSystemd, systemdUnit } from '../../src/commands/systemd-unit.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { toolPath } from '../support/requires.ts';
import { runTraintop } from './run-once.ts';

/** Words of a line as systemd takes them apart (systemd.syntax(7), systemd.service(5)): quotes, C escapes, then %% and $$. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined
      ? (plain ?? '')
      : quoted.replace(/\\(.)/g, (_, letter: string) => (letter === 't' ? '\t' : letter)),
  );
  for (const word of words) {
    expect(word.replaceAll('%%', '')).not.toContain('%');
    expect(word.replaceAll('$$', '')).not.toContain('$');
  }
  return words.map((word) => word.replaceAll('%%', '%').replaceAll('$$', '$'));
}

const execStart = (unit: string) => /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';

test.each([
  ['plain', 'gpu7'],
  ['spaces and both quotes', `docker exec -i "a b" 'c'`],
  ['a variable and a specifier', 'pct exec $ID -- 50% %h ${X}'],
  ['backslashes', 'train.*\\.py \\'],
  ['a tab, and what a shell would take', 'a\tb; rm -rf * & `x` #'],
])('a word with %s comes back as it was', (_, word) => {
  expect(wordsOf(`/usr/bin/node ${quoteForSystemd(word)} end`)).toEqual(['/usr/bin/node', word, 'end']);
});

test('a word with a line end is no word of a unit', () => {
  expect(() => quoteForSystemd('a\nExecStartPre=/bin/evil')).toThrow('line end');
});

test('a folder comes back as it was, and a dollar sign there is itself', () => {
  const variables = { XDG_STATE_HOME: '/a/b', XDG_DATA_HOME: '/with blank/$X/50%' };
  const unit = systemdUnit({ node: '/n', program: '/p', words: [], target: 't', name: 'x', variables });
  expect(unit.match(/^Environment=.*$/gm)).toEqual([
    'Environment=XDG_STATE_HOME=/a/b',
    'Environment="XDG_DATA_HOME=/with blank/$X/50%%"',
  ]);
});

test('a target that says something else stays in its line', () => {
  const unit = systemdUnit({ node: '/n', program: '/p', words: [], target: 'a\nExecStart=/bin/evil', name: 'x' });
  expect(unit.match(/^ExecStart=/gm)).toHaveLength(1);
});

test('the command line is the one that was given, with whole paths, and exit code 2 is not tried again', async () => {
  const args = [
    'gpu7',
    '--wrap',
    'docker exec -i $N "a b"',
    '--match',
    '50%',
    '--log',
    'a',
    '--log',
    'b',
    '--read-only',
  ];
  const more = ['--no-auto-dump', '--record', 'runs', '--report-on-exit', 'night.md', '--on-alarm', './ring'];
  const folders = { XDG_STATE_HOME: '/state', XDG_DATA_HOME: 'relative', XDG_CONFIG_HOME: '' };
  const { code, output } = await runTraintop(['init', '--systemd', ...args, ...more, '--on-alarm', 'ring'], folders);
  expect(code).toBe(0);
  const [node, program, ...words] = wordsOf(execStart(output));
  expect([node, program]).toEqual([process.execPath, resolve('bin/traintop.js')]);
  const given = [
    '--wrap=docker exec -i $N "a b"',
    '--match=50%',
    '--log=a',
    '--log=b',
    '--no-auto-dump',
    '--read-only',
  ];
  const here = [`--on-alarm=${resolve('ring')}`, '--on-alarm=ring', `--record=${resolve('runs')}`];
  const last = [`--report-on-exit=${resolve('night.md')}`, 'gpu7'];
  expect(words).toEqual(['watch', '--headless', ...given, ...here, ...last]);
  expect(output.match(/^Environment=.*$/gm)).toEqual(['Environment=XDG_STATE_HOME=/state']);
  expect(output).toMatch(/^Restart=on-failure\n.*\nRestartPreventExitStatus=2$/m);
  const analyze = toolPath('systemd-analyze');
  if (analyze === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'traintop-unit-'));
  try {
    writeFileSync(join(folder, 'traintop-gpu7.service'), output);
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const said = execFileSync(analyze, ['--man=no', 'verify', '--user', join(folder, 'traintop-gpu7.service')], {
      ...{ env, stdio: 'pipe', encoding: 'utf8' },
    });
    expect(said).toBe('');
  } finally {
    removeFolder(folder);
  }
});

test('-o writes a file that is not there yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-unit-'));
  try {
    const path = join(folder, 'x.service');
    expect((await runTraintop(['init', '--systemd', '-o', path])).code).toBe(0);
    expect(execStart(readFileSync(path, 'utf8'))).toMatch(/ watch --headless$/);
    const again = await runTraintop(['init', '--systemd', '-o', path]);
    expect(again.code).toBe(2);
    expect(again.errors).toContain('is there already');
  } finally {
    removeFolder(folder);
  }
});

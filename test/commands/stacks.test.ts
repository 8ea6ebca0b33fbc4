import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readStacksWish } from '../../src/commands/stacks/wish.ts';
import { makeHome, markedProcesses, removeHomes, type Home } from '../e2e/program.ts';
import { describeWith, requiredTool } from '../support/requires.ts';
import { startSix, type Six } from '../support/six.ts';
import { samplingOf } from '../support/spied.ts';
import { environment } from '../support/terminal.ts';
import { waitFor } from '../support/waiting.ts';
import { runTraintop } from './run-once.ts';

afterAll(removeHomes);

/** What docs/stacks.md promises of --json, as far as it is asked for here. */
interface Printed {
  readonly stacks: number;
  readonly kind: string;
  readonly state: string;
  readonly unit: string;
  readonly rate?: number;
  readonly samples: number;
  readonly notes: readonly string[];
  readonly files: readonly string[];
  readonly failure?: string;
  readonly processes: readonly { readonly pid: number; readonly rank?: number }[];
  readonly folded: readonly {
    readonly pid: number;
    readonly tid: number;
    readonly thread: string;
    readonly role: string;
    readonly class: string;
    readonly count: number;
    readonly frames: readonly { readonly function: string; readonly file: string; readonly line?: number }[];
  }[];
}

const parse = (text: string) => JSON.parse(text) as Printed;

describe('traintop stacks refuses', () => {
  const refused: readonly (readonly [words: string, raw: Record<string, unknown>, says: string])[] = [
    ['', {}, 'Say what to take, behind the target: dump, native, many, record, gil; see traintop stacks --help.'],
    ['h200', {}, 'Say what to take, behind the target: dump, native, many, record, gil; see traintop stacks --help.'],
    [
      'dump h200',
      {},
      'Say what to take, behind the target: dump, native, many, record, gil; see traintop stacks --help.',
    ],
    ['dump', { rate: '20' }, '--rate is about record and gil, not about dump; see traintop stacks --help.'],
    ['record', { rounds: '3' }, '--rounds is about many, not about record; see traintop stacks --help.'],
    ['record', { seconds: '0' }, '--seconds is at least 1 s; see traintop stacks --help.'],
    ['record', { rate: '1e6' }, '--rate is at most 1000; see traintop stacks --help.'],
    ['many', { every: 'x' }, '--every is no number; see traintop stacks --help.'],
    ['dump', { json: true, markdown: true }, '--json and --markdown are two forms of the same; choose one.'],
  ];
  test.each(refused)('%s %o', (words, raw, says) => {
    expect(() => readStacksWish(words.split(' ').filter(Boolean), raw)).toThrow(says);
  });
});

describe('traintop stacks demo', () => {
  it('prints a dump, and says where it is saved', { timeout: 60_000 }, async () => {
    const home = makeHome();
    const { code, output, errors } = await runTraintop(['stacks', 'demo', 'dump'], home.env);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toMatch(/^dump of rank 0 \(PID 41207\) on h200-demo/);
    expect(output).toMatch(/^Thread \d+ \((active|idle|active\+gil)\): "target-0" \[target, /m);
    const saved = [...output.matchAll(/^Saved: (.*)$/gm)].map(([, path = '']) => path);
    expect(saved.length).toBeGreaterThan(0);
    for (const path of saved) {
      expect(path.startsWith(home.captures)).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  it('prints a record as one object, and saves it where it is told', { timeout: 60_000 }, async () => {
    const home = makeHome();
    const out = join(home.folder, 'kept');
    const args = ['stacks', 'demo', 'record', '--seconds', '2', '--rate', '10', '--json', '--out', out];
    const { code, output, errors } = await runTraintop(args, home.env);
    expect(errors).toBe('');
    expect(code).toBe(0);
    const printed = parse(output);
    expect(printed).toMatchObject({ stacks: 1, kind: 'record', state: 'done', unit: 'samples', rate: 10, samples: 20 });
    const target = printed.folded.filter(({ thread }) => thread === 'target-0');
    expect(target.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(15);
    expect(target[0]).toMatchObject({ role: 'target' });
    expect(printed.files.every((path) => path.startsWith(out))).toBe(true);
    expect(readFileSync(printed.files.find((path) => path.endsWith('.svg')) ?? '', 'utf8')).toContain('<svg');
  });

  it('says on standard error that it could not be saved', { timeout: 60_000 }, async () => {
    const file = join(makeHome().folder, 'a-file');
    writeFileSync(file, '');
    const { code, errors } = await runTraintop(['stacks', 'demo', 'dump', '--out', file], makeHome().env);
    expect(code).toBe(0);
    expect(errors).toMatch(/^traintop: The capture could not be saved: ENOTDIR.*\.\n$/);
  });

  it('says why there is none of a process that is of no run', { timeout: 60_000 }, async () => {
    const home = makeHome();
    const { code, output, errors } = await runTraintop(['stacks', 'demo', 'dump', '--pid', '1'], home.env);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^traintop: .*\.\n$/);
  });
});

describeWith(['python3', 'py-spy'], 'traintop stacks of a real process', () => {
  let six: Six;
  let home: Home;
  beforeAll(async () => {
    six = await startSix('python3');
    home = makeHome();
  }, 30_000);
  afterAll(() => six?.stop());
  const args = (...more: string[]) => ['stacks', ...more, '--pid', String(six.pid), '--py-spy', requiredTool('py-spy')];

  it('finds its threads through a wrapper', { timeout: 60_000 }, async () => {
    const { code, output, errors } = await runTraintop(
      [...args('local', 'dump', '--json'), '--wrap', 'env A=1'],
      home.env,
    );
    expect(errors).toBe('');
    expect(code).toBe(0);
    const names = parse(output).folded.map(({ thread, tid }) => [thread, tid]);
    for (const [name, tid] of Object.entries(six.tids)) expect(names).toContainEqual([name, tid]);
  });

  it('keeps the part of a record that Ctrl-C ends, and leaves nothing', { timeout: 60_000 }, async () => {
    const child = spawn(
      process.execPath,
      [resolve('bin/traintop.js'), ...args('record', '--seconds', '600', '--json')],
      {
        env: environment(home.env),
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    );
    const text = { output: '', errors: '' };
    child.stdout.on('data', (chunk: Buffer) => (text.output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text.errors += chunk.toString()));
    const ended = new Promise<number | null>((done) => child.once('close', done));
    await samplingOf(() => markedProcesses(home.marker).map(({ pid }) => pid));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(text.errors).toContain('this is the part that there is');
    expect(parse(text.output)).toMatchObject({ kind: 'record', state: 'partial' });
    expect(parse(text.output).folded.length).toBeGreaterThan(4);
    await waitFor('nothing left', () => markedProcesses(home.marker).length === 0, 10_000);
    expect(readFileSync(`/proc/${six.pid}/status`, 'utf8')).not.toMatch(/^State:\s+[Tt]/m);
  });

  it('says why there is none of what is no Python', { timeout: 60_000 }, async () => {
    const other = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      const pid = String(other.pid);
      const { code, output, errors } = await runTraintop(
        ['stacks', 'dump', '--pid', pid, '--py-spy', requiredTool('py-spy')],
        home.env,
      );
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(/^traintop: Process \d+ .*no Python.*\.\n$/);
    } finally {
      other.kill('SIGKILL');
    }
  });
});

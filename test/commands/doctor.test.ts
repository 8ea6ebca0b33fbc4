import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/sshd.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { runTraintop, type Outcome } from './run-once.ts';

interface Check {
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly status: string;
  readonly needed: boolean;
  readonly found: string;
  readonly why?: string;
  readonly mend?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'traintop-doctor-'));
const state = (name: string) => ({ XDG_STATE_HOME: join(folder, name) });
/** With a log in blocks: the environment of who runs the tests may have PYTHONUNBUFFERED. */
const log = join(folder, 'train.log');
let run: Workload;
let outcomes: { readonly [name in 'text' | 'demo' | 'local' | 'unreachable' | 'asked' | 'logs']: Outcome };

beforeAll(async () => {
  run = await startWorkload({
    threads: [{ name: 'trainer', percent: 20 }],
    logPath: log,
    env: { PYTHONUNBUFFERED: '' },
  });
  const port = await freePort();
  const [text, demo, local, unreachable, asked, logs] = await Promise.all([
    runTraintop(['doctor', 'demo']),
    runTraintop(['doctor', 'demo', '--json']),
    runTraintop(['doctor', 'local', '--json', '--pid', String(run.pid)], state('local')),
    runTraintop(['doctor', `nobody@127.0.0.1:${port}`, '--json', '--ssh-config', 'none'], state('unreachable')),
    runTraintop(['doctor', '--json', '--pid', '999999999', '--log', '/no/such.log'], state('asked')),
    runTraintop(
      ['doctor', '--json', '--pid', String(run.pid), '--log', log, '--log', '/no/such.log', '--log', folder],
      state('logs'),
    ),
  ]);
  outcomes = { text, demo, local, unreachable, asked, logs };
}, 120_000);

afterAll(async () => {
  await run.stop();
  rmSync(folder, { recursive: true, force: true });
});

const report = ({ output }: Outcome) =>
  JSON.parse(output) as { readonly checks: readonly Check[]; readonly works: boolean } & Record<string, unknown>;
const check = (outcome: Outcome, id: string) => report(outcome).checks.find((each) => each.id === id);

describe('doctor demo', () => {
  test('is text of 80 columns without colours where it is no terminal', () => {
    const { code, output, errors } = outcomes.text;
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    const lines = output.split('\n');
    expect(Math.max(...lines.map((line) => [...line].length))).toBe(80);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    expect(output).toMatch(/^traintop doctor {2}demo {2}simulated/);
    expect(lines.at(-2)).toBe(' All that is needed works.');
    expect(output).toMatch(/ ✓ driver {8}NVIDIA 580\.159\.04, 8 GPUs/);
  });

  test('is one object with --json', () => {
    const { code, errors } = outcomes.demo;
    expect(errors).toBe('');
    expect(code).toBe(0);
    const { checks, ...object } = report(outcomes.demo);
    expect(object).toEqual({
      doctor: 1,
      traintop: expect.stringMatching(/^\d+\.\d+\.\d+/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      target: 'demo',
      demo: true,
      ran: expect.arrayContaining(['probe', 'processes', 'threads', 'gpu', 'host', 'log', 'doctor']),
      works: true,
      counts: {
        ok: expect.any(Number),
        note: expect.any(Number),
        warn: 0,
        missing: 0,
        failed: 0,
        unknown: expect.any(Number),
      },
    });
    for (const each of checks) {
      expect(each).toMatchObject({
        id: expect.stringMatching(/^[\w.]+$/),
        section: expect.any(String),
        title: expect.any(String),
        status: expect.stringMatching(/^(ok|note|warn|missing|failed|unknown)$/),
        needed: expect.any(Boolean),
        found: expect.stringMatching(/./),
      });
      const { id: _i, section: _s, title: _t, status: _u, needed: _n, found: _f, why: _w, mend: _m, ...more } = each;
      expect(more).toEqual({});
    }
    expect(check(outcomes.demo, 'run')).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^PID 41207, .* 8 GPUs$/),
    });
    expect(check(outcomes.demo, 'gpu.persistence')).toMatchObject({ status: 'ok' });
    expect(check(outcomes.demo, 'record')).toMatchObject({ found: expect.stringMatching(/simulated/) });
  });
});

describe('doctor on this machine', () => {
  test('fails where a log that was named is not there, whenever it looks', () => {
    const { code, errors } = outcomes.logs;
    expect(errors).toBe('');
    expect(code).toBe(1);
    expect(check(outcomes.logs, 'log')).toMatchObject({ needed: true, found: expect.stringContaining(log) });
    const why = expect.stringMatching(/^there is no \/no\/such\.log on \S+$/);
    expect(check(outcomes.logs, 'log.2')).toMatchObject({ status: 'failed', needed: true, why });
  });

  test('finds the run that is named, and that its log comes in blocks', () => {
    const { code, errors } = outcomes.local;
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(check(outcomes.local, 'run')).toMatchObject({
      status: 'ok',
      needed: true,
      found: expect.stringContaining(`PID ${run.pid}`),
      why: expect.stringMatching(/the PID that you named/),
    });
    expect(check(outcomes.local, 'log')).toMatchObject({ status: 'ok', found: expect.stringContaining(log) });
    expect(check(outcomes.local, 'log.buffering')).toMatchObject({
      status: 'warn',
      mend: expect.stringMatching(/PYTHONUNBUFFERED/),
    });
    expect(check(outcomes.local, 'threads')).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^\d+ threads every 1 s/),
    });
    expect(check(outcomes.local, 'shell.proc')).toMatchObject({ status: 'ok' });
    expect(check(outcomes.local, 'cost')).toMatchObject({
      status: expect.stringMatching(/ok|note/),
      found: expect.stringMatching(/% of a core/),
    });
    expect(check(outcomes.local, 'record')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining(join(folder, 'local/traintop/audit.jsonl')),
    });
  });

  test('exits with 1 when what was asked for is not there', () => {
    expect(outcomes.asked.code).toBe(1);
    expect(check(outcomes.asked, 'run')).toMatchObject({
      status: 'missing',
      needed: true,
      why: expect.stringMatching(/No process 999999999/),
    });
    expect(report(outcomes.asked).works).toBe(false);
  });
});

describe('doctor of a host that cannot be reached', () => {
  test('is a finding with its sentence, and exits with 1', () => {
    const { code, errors } = outcomes.unreachable;
    expect(errors).toBe('');
    expect(code).toBe(1);
    expect(report(outcomes.unreachable).checks.map(({ id }) => id)).toEqual(['login', 'record']);
    expect(check(outcomes.unreachable, 'login')).toMatchObject({
      status: 'failed',
      needed: true,
      why: expect.stringMatching(/refused the connection on port/),
    });
  });
});

describe('a wrong command line', () => {
  test.each([
    [['doctor', 'a b'], /^traintop: The target "a b" .*\n$/],
    [['doctor', '--pid', 'x'], /^traintop: --pid is no .*\n$/],
    [['doctor', '--no-such'], /unknown option/],
    [
      ['doctor', 'no-such-host.invalid', '--commands', '--ssh-config', 'none'],
      /^traintop: .*no-such-host\.invalid.*\n$/,
    ],
  ])('%s is one sentence and code 2', async (args, said) => {
    const { code, output, errors } = await runTraintop(args);
    expect(errors).toMatch(said);
    expect(output).toBe('');
    expect(code).toBe(2);
  });
});

describe('doctor --commands', () => {
  test('without a target shows the scripts of a typical host, and needs none', async () => {
    const { code, output, errors } = await runTraintop(['doctor', '--commands'], { PATH: '/nonexistent' });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(/`sh -s`[^]*typical host/);
    const { output: json } = await runTraintop(['doctor', '--commands', '--json', '--wrap', 'pct exec 200 --']);
    const { commands, ...object } = JSON.parse(json) as { readonly commands: readonly Record<string, string>[] };
    expect(object).toEqual({
      doctor: 1,
      traintop: expect.any(String),
      wrap: 'pct exec 200 --',
      shell: 'pct exec 200 -- sh -s',
    });
    const names = commands.map(({ name }) => name);
    expect([...new Set(names)].sort()).toEqual([
      ...[
        'attach',
        'black-box',
        'busiest',
        'doctor',
        'gpu',
        'hangup',
        'host',
        'log',
        'log:2',
        'login-shell',
        'probe',
        'processes',
        'py-spy-copy',
        'signals',
        'stacks',
        'threads',
        'waits',
        'watches',
      ],
    ]);
    expect(names[0]).toBe('probe');
    for (const { name, when, reads, script } of commands) {
      expect(when).toMatch(/./);
      expect(reads).toMatch(/./);
      expect(script).toMatch(new RegExp(`^# traintop:${name}\n`));
      // What comes behind it is a watch's, not an answer of a script.
      if (name !== 'attach') expect(script).toContain('@traintop NONCE ');
    }
    // The text has each of them whole; the log's has a word of its own each time.
    const whole = (text: string | undefined) =>
      (text ?? '')
        .replace(/log-[0-9a-f]{8}/g, 'log')
        .replace(/(\.\/)+/g, '')
        .trimEnd();
    for (const { script } of commands)
      expect(whole(output).replaceAll(/\/\/+/g, '/')).toContain(whole(script).replaceAll(/\/\/+/g, '/'));
  });
});

import { describe, expect, test } from 'vitest';
import { runTraintop } from './run-once.ts';

interface Thread {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly comm: string;
  readonly cpuPercent?: number;
}

async function once(...args: string[]) {
  const { code, output, errors } = await runTraintop(['once', 'demo', '--json', ...args]);
  expect(errors).toBe('');
  expect(code).toBe(0);
  return JSON.parse(output) as Record<string, unknown> & { readonly threads: readonly Thread[] };
}

/** Every value that a JSON text holds. */
function values(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(values) : [value];
}

describe('once demo --json', () => {
  test('is one object with all that the screen knows, and without what is not known', async () => {
    const object = await once();
    expect(object).toMatchObject({
      traintop: expect.stringMatching(/^\d+\.\d+\.\d+/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      target: 'demo',
      demo: true,
      run: {
        pid: 41207,
        pids: expect.arrayContaining([41207, 41607]),
        commandLine: expect.stringContaining('train_pipeline.py'),
        user: 'root',
        startTime: expect.stringMatching(/^\d{4}-/),
        cwd: '/workspace/eagle-27b',
        logs: ['/workspace/eagle-27b/runs/0612/train.log'],
      },
      host: { hostname: 'h200-demo', cores: 128, load1: expect.any(Number) },
      log: {
        path: '/workspace/eagle-27b/runs/0612/train.log',
        format: expect.any(String),
        lineAgeSeconds: expect.any(Number),
        valueAgeSeconds: expect.any(Number),
        step: expect.any(Number),
        totalSteps: 20_000,
        loss: expect.any(Number),
        tokensPerSecond: expect.any(Number),
      },
      queues: [{ name: 'q_hs', capacity: 60, low: expect.any(Number), high: expect.any(Number) }],
      sources: {
        threads: { status: 'live', ageSeconds: expect.any(Number) },
        gpu: { status: 'live' },
        log: { status: 'live' },
        host: { status: 'live' },
      },
      // What it costs is measured from 5 s on: two ticks are over before.
      cost: { memoryBytes: expect.any(Number), processes: expect.any(Number) },
    });
    expect(object['gpus']).toHaveLength(8);
    expect(object['gpus']).toEqual(
      Array.from({ length: 8 }, (_, index) =>
        expect.objectContaining({
          index,
          uuid: expect.stringMatching(/^GPU-/),
          name: 'NVIDIA H200',
          utilizationPercent: expect.any(Number),
          memoryUsedBytes: expect.any(Number),
          memoryTotalBytes: expect.any(Number),
          powerWatts: expect.any(Number),
          powerLimitWatts: 700,
          temperatureCelsius: expect.any(Number),
        }),
      ),
    );
    expect(object.threads).toHaveLength(62);
    for (const thread of object.threads)
      expect(thread).toMatchObject({
        pid: expect.any(Number),
        tid: expect.any(Number),
        name: expect.any(String),
        comm: expect.any(String),
      });
    expect(values(object)).not.toContain(null);
    expect(values(object)).not.toContain(-1);
  });

  test.each([
    ['--wrap', 'pct exec 200 --'],
    ['--pid', '41607'],
    ['--match', 'train_pipe.*27b'],
    ['--log', '/workspace/eagle-27b/runs/0612/train.log'],
    ['--threads', 'proc'],
    ['--threads', 'top'],
    ['--threads', 'pidstat'],
    ['--py-spy', '/opt/venv/bin/py-spy'],
    ['--interval', '0.5'],
    ['--interval', '2'],
  ])('works with %s %s', async (option, value) => {
    const { threads, ...object } = await once(option, value);
    expect(object).toMatchObject({ run: { pid: 41207 }, log: { totalSteps: 20_000 } });
    const target = threads.find(({ tid }) => tid === 41208);
    expect(target?.cpuPercent).toBeGreaterThan(60);
    expect(target?.cpuPercent).toBeLessThanOrEqual(101);
    // The main thread waits: no reader shows the whole process on its row.
    expect(threads.find(({ tid }) => tid === 41207)?.cpuPercent).toBeLessThan(5);
    expect(threads).toHaveLength(62);
  });

  test('a log that is not there is a state of its source, and code 1 says so', async () => {
    const { code, output, errors } = await runTraintop(['once', 'demo', '--log', '/no/such.log']);
    expect(JSON.parse(output)).toMatchObject({
      sources: { log: { status: 'failed', reason: expect.stringMatching(/there is no \/no\/such\.log/) } },
    });
    // It does not look again, and does not say so.
    expect(errors).toMatch(/^traintop: log: there is no \/no\/such\.log on \S+\n$/);
    expect(code).toBe(1);
  });
});

describe('one sentence on standard error, and code 2', () => {
  test.each([
    [
      ['once', 'demo', '--json', '--pid', '99'],
      /^traintop: No process 99 on demo: give --match, or --wrap for one in a container\.\n$/,
    ],
    [
      ['once', 'demo', '--json', '--match', 'nothing-such'],
      /^traintop: No command line on demo matches \/nothing-such\/: give --pid, or --wrap for one in a container\.\n$/,
    ],
    [
      ['once', '--pid', '999999999', '--wrap', 'env A_TOKEN=b'],
      /^traintop: No process 999999999 on local behind `env A_TOKEN=\*\*\*`: give --match, or check --wrap\.\n$/,
    ],
    [['once', 'demo', '--json', '--match', '('], /^traintop: --match is no regular expression .*\n$/],
    [['once', 'demo', '--json', '--pid', 'x'], /^traintop: --pid is no .*\n$/],
    [['once', 'demo', '--json', '--threads', 'htop'], /^traintop: --threads is one of proc, top, pidstat.*\n$/],
    [['once', 'demo', '--json', '--interval', '0.1'], /^traintop: --interval is at least 0\.5 s.*\n$/],
    [['once', 'a b', '--json'], /^traintop: The target "a b" .*\n$/],
    [['once', 'no-such-host.invalid', '--json'], /^traintop: .*no-such-host\.invalid.*\n$/],
    [['demo'], /^traintop: The screen needs a terminal.*\n$/],
    [['user@'], /^traintop: The target "user@" has no host.*\n$/],
    [['shell', 'user@'], /^traintop: The target "user@" has no host.*\n$/],
    [['shell', 'demo'], /^traintop: The host of the demo is simulated.*\n$/],
    [['--no-such-option'], /unknown option/],
  ])('%s', async (args, said) => {
    const { code, output, errors } = await runTraintop(args);
    expect(errors).toMatch(said);
    expect(output).toBe('');
    expect(code).toBe(2);
  });

  test('--help and --version are no faults', async () => {
    expect(await runTraintop(['--version'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await runTraintop(['--help'])).toMatchObject({ code: 0, output: expect.stringContaining('demo') });
  });
});

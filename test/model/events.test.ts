import { beforeEach, describe, expect, test } from 'vitest';
import { createEventFinder, type EventFinder } from '../../src/model/events.ts';
import type { HostFacts } from '../../src/model/facts.ts';
import type { Run } from '../../src/model/run.ts';
import type { GpusSample, LinkSample, LogLine, LogSample, RunSample, Sample } from '../../src/model/samples.ts';

const start = Date.UTC(2026, 5, 12);
let finder: EventFinder;
let now: number;

beforeEach(() => {
  finder = createEventFinder();
  now = start;
});

describe('runs', () => {
  test('one that was there before is no start', () => {
    expect(told(run('running', 1, start - 3_600_000), run('running', 1, start - 3_600_000))).toEqual([]);
  });

  test('one that is waited for', () => {
    expect(told(run('finding'))).toEqual([]);
    now += 30_000;
    expect(told(run('running', 42, now - 1000))).toEqual(['run started: PID 42, train.py']);
  });

  test('an end, once, and the next of the same command', () => {
    told(run('running', 42, start - 7_200_000));
    now += 60_000;
    expect(told(run('ended', 42, start - 7_200_000))).toEqual(['run ended: PID 42, train.py, after 2.0 h']);
    expect(told(run('ended', 42, start - 7_200_000))).toEqual([]);
    now += 22_000;
    expect(told(run('running', 43, now))).toEqual([
      'run restarted: PID 43, train.py, it was PID 42 before, 22 s after its end',
    ]);
  });

  test('another command is no restart, and one that the user chose is no start', () => {
    told(run('running', 42, start - 7_200_000), run('ended', 42, start - 7_200_000));
    expect(told(run('running', 43, now, 'eval.py'))).toEqual(['run started: PID 43, eval.py']);
    expect(told(run('running', 40, start - 7_200_000, 'other.py'))).toEqual([]);
  });

  test('a boot of the host, by its ID, else by its time', () => {
    expect(told(facts({ bootId: 'a' }), facts({ bootId: 'a', bootTime: 5 }))).toEqual([]);
    expect(told(facts({ bootId: 'b', bootTime: start - 180_000 }))).toEqual([
      'host rebooted: 3 min ago, all that ran there is gone',
    ]);
    expect(told(facts({ bootTime: start - 181_000 }))).toEqual([]);
    expect(told(facts({ bootTime: start }))).toHaveLength(1);
  });
});

describe('link and sources', () => {
  test('no loss before the link was up', () => {
    expect(told(link('connecting'), link('lost'), link('connecting'), link('up'))).toEqual([]);
  });

  test('a loss over all attempts, and how long it took', () => {
    told(link('connecting'), link('up'));
    expect(told(link('lost', 'no answer for 15 s.'))).toEqual(['link lost: no answer for 15 s']);
    now += 30_000;
    expect(told(link('connecting'), link('lost'), link('up'))).toEqual(['link back: after 30 s']);
  });

  test('a link that breaks all night', () => {
    told(link('up'));
    const all = repeat(600, () => {
      now += 60_000;
      return told(link('lost'), link('up'));
    });
    // Ten hours: six at once, then one in five minutes, each with its return.
    expect(all.length).toBeLessThan(2 * (6 + 120 + 1));
    expect(all.at(-2)).toMatch(/^link lost: .* \(and 4 losses before it\)$/);
  });

  test('a source that fails is told once, whatever it waits between', () => {
    expect(told(source('failed', 'nvidia-smi ended with code 9.'))).toEqual([
      'source failed: gpu: nvidia-smi ended with code 9',
    ]);
    now += 20_000;
    expect(told(source('waiting'), source('failed'), source('waiting'), source('stale'))).toEqual([]);
    expect(told(source('live'))).toEqual(['source back: gpu, after 20 s']);
    expect(told(source('stale'), source('live'))).toEqual([]);
  });
});

describe('logs', () => {
  test('a traceback is one event that says what it was', () => {
    told(log([line('step 1')]));
    const lines = [
      line('Traceback (most recent call last):', 'error'),
      line('  File "train.py", line 7, in <module>'),
      line('ValueError: no such rank', 'error'),
    ];
    expect(told(log(lines))).toEqual(['log error: ValueError: no such rank']);
    expect(told(log([line('ChildFailedError: 8 ranks', 'error')]))).toEqual([]);
  });

  test('a traceback in two pieces, and one without an end', () => {
    told(log([line('step 1')]));
    expect(told(log([line('Traceback (most recent call last):', 'error')]))).toEqual([]);
    now += 300;
    expect(told(log([line('KeyError: 3', 'error')]))).toEqual(['log error: KeyError: 3']);
    now += 20_000;
    expect(told(log([line('Traceback (most recent call last):', 'error')]))).toEqual([]);
    now += 3000;
    expect(told(link('up'))).toEqual(['log error: Traceback (most recent call last):']);
  });

  test('the same error again is no news for ten minutes, another one is', () => {
    told(log([line('step 1')]));
    const all = repeat(120, (i) => {
      now += 5000;
      return told(log([line(`ERROR: loader ${i} is slow`, 'error')]));
    });
    expect(all).toEqual(['log error: ERROR: loader 0 is slow']);
    now += 5000;
    expect(told(log([line('RuntimeError: out of cheese', 'error')]))).toEqual([
      'log error: RuntimeError: out of cheese',
    ]);
  });

  test('a flood of errors is no flood of events', () => {
    told(log([line('step 1')]));
    const all = repeat(3600, (i) => {
      now += 1000;
      return told(log(Array.from({ length: 50 }, (_, n) => line(`${word(i * 50 + n)}Error: bad`, 'error'))));
    });
    expect(all.length).toBeGreaterThan(5);
    expect(all.length).toBeLessThan(40);
    expect(all.at(-1)).toMatch(/\(and \d+ errors before it\)$/);
  });

  test('what stood in the file before is no news, but what was written while the link was lost', () => {
    const old = { ...line('RuntimeError: of yesterday', 'error'), time: start - 86_400_000 };
    told(link('up'));
    expect(told({ ...log([old]), backlog: true })).toEqual([]);
    expect(
      told({ ...log([{ ...line('RuntimeError: of no known time', 'error'), undated: true }]), backlog: true }),
    ).toEqual([]);
    told(link('lost'), link('up'));
    now += 60_000;
    expect(told({ ...log([line('RuntimeError: of now', 'error')]), backlog: true })).toEqual([
      'log error: RuntimeError: of now',
    ]);
  });

  test('a gap', () => {
    const note = {
      ...line('-- 5 MB were skipped --', 'error'),
      note: true as const,
      gap: { reason: 'skipped' as const },
    };
    expect(told(log([note]))).toEqual(['log gap: 5 MB were skipped']);
  });

  test('the first loss that is no number, and again after it was one', () => {
    const at = (step: number, loss: number) => ({ ...line(`step ${step}`), values: { step, loss } });
    expect(told(log([at(1, 2.5), at(2, NaN), at(3, NaN)]))).toEqual(['loss not finite: it is NaN at step 2']);
    expect(told(log([at(4, NaN)]))).toEqual([]);
    expect(told(log([at(5, 2), at(6, -Infinity)]))).toEqual(['loss not finite: it is minus infinite at step 6']);
  });

  test('the event has the time of its line', () => {
    told(log([line('step 1')]));
    now += 5000;
    const [event] = finder.find(log([{ ...line('KeyError: 3', 'error'), time: now - 700 }]));
    expect(event).toMatchObject({ source: 'log', time: now - 700, receivedAt: now });
  });
});

describe('GPUs', () => {
  test('one that is not listed any more, after two frames, and its return', () => {
    told(gpus(['a', 'b']));
    expect(told(gpus(['a']))).toEqual([]);
    expect(told(gpus(['a']))).toEqual(['gpu lost: GPU 1 (b): the driver does not list it any more']);
    expect(told(gpus(['a']), gpus(['a', 'b']))).toEqual([]);
    expect(told(gpus(['a', 'b']))).toEqual(['gpu back: GPU 1 (b)']);
  });

  test('one that has to be reset; a sensor that fails is none', () => {
    const bad = { ...gpus(['a', 'b']), faults: [null, 'GPU requires reset'] };
    expect(told(bad, bad, bad)).toEqual(['gpu lost: GPU 1 (b): GPU requires reset']);
    const sensor = { ...gpus(['c']), utilizationPercent: [90], faults: ['Unknown Error'] };
    expect(told(sensor, sensor)).not.toContainEqual(expect.stringContaining('(c)'));
  });
});

test('the same Samples give the same events', () => {
  const samples = Array.from({ length: 2000 }, (_, i) => {
    now += 1000;
    return errorOf(i, `/logs/${i}`);
  });
  const other = createEventFinder();
  const events = samples.flatMap((sample) => finder.find(sample));
  expect(events).toHaveLength(2000);
  expect(samples.flatMap((sample) => other.find(sample))).toEqual(events);
});

describe('what is remembered is bounded', () => {
  const forgotten = test.each([
    [49, 0],
    [50, 1],
  ]);

  forgotten('after %i other logs the error of the first one again is news %i times', (others, news) => {
    for (let i = 0; i <= others; i++) expect(told(errorOf(i, `/logs/${i}`))).toHaveLength(1);
    now += 20_000;
    expect(told(errorOf(0, '/logs/0'))).toHaveLength(news);
  });

  forgotten('after %i other errors of a log the first one again is news %i times', (others, news) => {
    told(log([line('step 1')]));
    const act = (number: number) => {
      const texts = told(errorOf(number));
      now += 10_000;
      return texts;
    };
    const texts = [...repeat(others + 1, act)];
    now = start + 590_000;
    texts.push(...act(0));
    now += 600_000;
    texts.push(...act(1000));
    // Those that were held back are counted with the next one that is told.
    const held = texts.map((text) => Number(/and (\d+) errors before/.exec(text)?.[1] ?? 0));
    expect(texts.length + held.reduce((sum, count) => sum + count, 0)).toBe(others + 2 + news);
  });

  test('of 1100 GPUs that are gone 1024 are told, of 300 sources that fail 200', () => {
    told(gpus(Array.from({ length: 1100 }, (_, i) => `GPU-${i}`)));
    expect(told(gpus([]), gpus([]))).toHaveLength(1024);
    const failing = Array.from({ length: 300 }, (_, i) => ({ ...source('failed'), source: `s${i}` }));
    expect(told(...failing)).toHaveLength(200);
  });
});

function told(...samples: readonly Sample[]): readonly string[] {
  return samples.flatMap((sample) => finder.find(sample)).map(({ event, text }) => `${event}: ${text}`);
}

function repeat(times: number, act: (i: number) => readonly string[]): readonly string[] {
  return Array.from({ length: times }, (_, i) => act(i)).flat();
}

/** A word without digits, another one for each number. */
function word(number: number): string {
  return `X${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}

/** An error of its own for each number. */
function errorOf(number: number, path = '/logs/train.log'): LogSample {
  return { ...log([line(`${word(number)}Error: x`, 'error')]), path };
}

function base(source: string) {
  return { host: 'gpu7', source, time: now, receivedAt: now };
}

function run(phase: RunSample['phase'], pid?: number, startTime?: number, script = 'train.py'): RunSample {
  const commandLine = ['/usr/bin/python3', `/src/${script}`, '--lr', '3'];
  const process = {
    pid: pid ?? 0,
    parentPid: 1,
    commandLine,
    gpuMinors: [],
    ...(startTime !== undefined && { startTime }),
  };
  const of: Run = { id: `${pid}:${startTime}`, rootPid: pid ?? 0, processes: [process], outputs: [] };
  return { kind: 'run', ...base('processes'), phase, candidates: [], ...(pid !== undefined && { run: of }) };
}

function facts(part: Partial<HostFacts>): Sample {
  const known = { hostname: 'gpu7', user: 'u', clockTicks: 100, pageSize: 4096, bootTime: start - 86_400_000 };
  return {
    kind: 'facts',
    ...base('facts'),
    facts: { ...known, clockOffsetMs: 0, utcOffsetMinutes: 0, tailFollows: true, ...part },
  };
}

function link(state: LinkSample['state'], reason?: string): Sample {
  return { kind: 'link', ...base('link'), state, ...(reason !== undefined && { reason }) };
}

function source(status: 'waiting' | 'live' | 'stale' | 'failed', reason?: string): Sample {
  return { kind: 'source', ...base('gpu'), status, ...(reason !== undefined && { reason }) };
}

function log(lines: readonly LogLine[]): LogSample {
  return { kind: 'log', ...base('log'), path: '/logs/train.log', format: 'generic', lines };
}

function line(text: string, level?: LogLine['level']): LogLine {
  return { text, time: now, ...(level && { level }) };
}

function gpus(uuid: readonly string[]): GpusSample {
  return { kind: 'gpus', ...base('gpu'), uuid, index: uuid.map((_, i) => i), name: uuid.map(() => null) };
}

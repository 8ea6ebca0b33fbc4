import { beforeEach, describe, expect, test } from 'vitest';
import { createEventFinder, type EventFinder } from '../../src/model/events.ts';
import type { LogEvent, LogLine, LogSample } from '../../src/model/samples.ts';

const start = Date.UTC(2026, 5, 12);
let finder: EventFinder;
let now: number;

beforeEach(() => {
  finder = createEventFinder();
  now = start;
  told('/logs/train.log', line('step 1'));
});

describe('checkpoints', () => {
  const saved = (details: NonNullable<LogEvent['details']>, text = 'saved') =>
    line(text, { kind: 'checkpoint', details });

  test('one is told once: its begin, its end, and by all ranks', () => {
    expect(told('/logs/0.log', saved({ path: 'ckpt/500', step: 500 }))).toEqual(['checkpoint: step 500, ckpt/500']);
    now += 100;
    expect(told('/logs/1.log', saved({ path: 'ckpt/500/rank1.pt', step: 500 }))).toEqual([]);
    now += 300_000;
    expect(told('/logs/0.log', saved({ seconds: 300 }))).toEqual([]);
    now += 600_000;
    expect(told('/logs/0.log', saved({ step: 600 }), saved({ step: 600 }))).toEqual(['checkpoint: step 600']);
  });

  test('two steps are two, and many are few events', () => {
    expect(told('/logs/0.log', saved({ step: 1 }), saved({ step: 2 }))).toHaveLength(2);
    const all = Array.from({ length: 600 }, (_, i) => {
      now += 6000;
      return told('/logs/0.log', saved({ step: 10 + i }));
    }).flat();
    expect(all.length).toBeLessThan(40);
    expect(all.at(-1)).toMatch(/\(and \d+ checkpoints before it\)$/);
  });

  test('without details its line is told', () => {
    expect(told('/logs/0.log', saved({}, '=> saving checkpoint'))).toEqual(['checkpoint: => saving checkpoint']);
  });
});

test('an evaluation: its begin and what it gave', () => {
  const begin = line('Running validation at step 500', { kind: 'evaluation', details: { step: 500 } });
  const result = { kind: 'evaluation', details: { validationLoss: 2.01, step: 500 } } as const;
  expect(told('/logs/0.log', begin, begin)).toEqual(['evaluation: at step 500']);
  now += 30_000;
  expect(told('/logs/0.log', line('val loss 2.01', result))).toEqual(['evaluation: validation loss 2.01 at step 500']);
  expect(told('/logs/1.log', line('val loss 2.01', result))).toEqual([]);
});

test('the rest of a run: skipped steps, jumps, ends', () => {
  const overflow = line('OVERFLOW!', { kind: 'overflow', details: { lossScale: 32768 } }, 'warning');
  expect(told('/logs/0.log', overflow, overflow)).toEqual(['steps skipped: overflow, the loss scale is 32768 now']);
  expect(
    told(
      '/logs/0.log',
      line('step 7 loss 9', { kind: 'loss_spike', details: { loss: 9, median: 2.12345 } }),
      line('Epoch 3 done', { kind: 'epoch_end', details: { epoch: 3 } }),
      line('Training completed', { kind: 'training_end' }),
      line("{'train_runtime': 5, 'train_loss': 2}", { kind: 'training_end' }),
    ),
  ).toEqual([
    'loss spike: it is 9, the last ones were about 2.123',
    'epoch end: epoch 3',
    'training end: Training completed',
  ]);
});

test('the rank that repeats another one tells nothing', () => {
  const spike = line('step 7 loss 9', { kind: 'loss_spike', details: { loss: 9, median: 2 } });
  expect(told('/logs/0.log', { ...spike, repeats: 0 })).toEqual([]);
  expect(told('/logs/0.log', { ...line('x'), repeats: 0, values: { loss: NaN } })).toEqual([]);
});

test('a norm that is no number, once; with such a loss only the loss', () => {
  const at = (step: number, loss: number, gradNorm: number) => ({ ...line('x'), values: { step, loss, gradNorm } });
  expect(told('/logs/0.log', at(1, 2, 0.4), at(2, 2, Infinity), at(3, 2, NaN), at(4, NaN, NaN))).toEqual([
    'norm not finite: it is infinite at step 2',
    'loss not finite: it is NaN at step 4',
  ]);
});

describe('errors whose cause is known', () => {
  const traceback = (exception: string, message: string) =>
    line(
      'Traceback (most recent call last):',
      { kind: 'traceback', details: { exception, message, lines: 3 } },
      'error',
    );

  test('have its name, told once with the traceback, its exception and the exits', () => {
    expect(
      told(
        '/logs/0.log',
        traceback('torch.OutOfMemoryError', 'CUDA out of memory.'),
        line('torch.OutOfMemoryError: CUDA out of memory.', { kind: 'cuda_oom', details: { gpu: 3 } }, 'error'),
        line('failed (exitcode: 1)', { kind: 'rank_exit', details: { code: 1 } }, 'error'),
      ),
    ).toEqual(['out of memory: torch.OutOfMemoryError: CUDA out of memory']);
    now += 3000;
    expect(told('/logs/0.log', line('KeyError: 3', { kind: 'exception' }, 'error'))).toEqual([]);
  });

  test('a cause that comes after what it did is told too', () => {
    const exit = line('failed (exitcode: -9)', { kind: 'rank_exit', details: { code: -9 } }, 'error');
    expect(told('/logs/0.log', exit)).toEqual(['rank exit: failed (exitcode: -9)']);
    now += 2000;
    const oom = line('Detected 1 oom_kill event', { kind: 'host_oom' }, 'error');
    expect(told('/logs/0.log', oom, oom)).toEqual(['out of memory: Detected 1 oom_kill event']);
  });

  test('a traceback whose last line does not come is told by its exception', () => {
    expect(told('/logs/0.log', traceback('a.Odd', 'x'))).toEqual([]);
    now += 3000;
    expect(told('/logs/0.log')).toEqual(['log error: a.Odd: x']);
  });

  test('a collective that one rank did not come to is told once, by whichever rank and log', () => {
    const timeout = (text: string, details: NonNullable<LogEvent['details']>) =>
      line(text, { kind: 'nccl_timeout', details }, 'error');
    const of = { op: 'ALLREDUCE', seq: 901, rank: 0, ranMs: 20_047 };
    expect(told('/out.log', timeout('[default0]:[rank0]:[E1130] [Rank 0] Watchdog caught', of))).toEqual([
      'NCCL timeout: ALLREDUCE 901 of rank 0 gave up after 20 s',
    ]);
    now += 3000;
    expect(told('/0/stderr.log', timeout('[rank0]:[E1130] [Rank 0] Watchdog caught', of))).toEqual([]);
    expect(told('/1/stderr.log', timeout('[rank1]:[E1130] Received a dump signal', { rank: 1 }))).toEqual([]);
  });

  test('a line with the mark of a launcher is the line without it', () => {
    expect(told('/out.log', line('[default1]:[rank1]: RuntimeError: boom', undefined, 'error'))).toEqual([
      'log error: RuntimeError: boom',
    ]);
    now += 20_000;
    expect(told('/1/stderr.log', line('RuntimeError: boom', undefined, 'error'))).toEqual([]);
  });

  test('of the driver, of collectives, of SLURM', () => {
    const kinds = ['xid', 'gpu_lost', 'nccl_timeout', 'slurm_time_limit'] as const;
    const all = kinds.map((kind, i) => {
      now += 20_000;
      return told('/logs/0.log', line(`${'abcd'[i]} failed`, { kind }, 'error'));
    });
    expect(all.flat()).toEqual([
      'gpu error: a failed',
      'gpu error: b failed',
      'NCCL timeout: c failed',
      'job cancelled: d failed',
    ]);
  });
});

test('a file with the same text beside the standard output (of logging, tee or wandb) tells nothing again', () => {
  const saved = (step: number) => line(`saved ${step}`, { kind: 'checkpoint', details: { step } });
  const values = (step: number, loss: number, gradNorm: number) => ({ ...line('x'), values: { step, loss, gradNorm } });
  const all = [
    ...[saved(1), saved(2), values(7, NaN, 1), values(8, 2, 1), values(9, 2, Infinity), values(10, NaN, 1)],
    line('Traceback (most recent call last):', { kind: 'traceback' }, 'error'),
    line('RuntimeError: CUDA error at 0x7f01', { kind: 'exception' }, 'error'),
    line('ERROR giving up', undefined, 'error'),
  ];
  const [first, ...others] = ['/logs/out.log', '/wandb/output.log', '/logs/all.log'];
  expect(told(first ?? '', ...all)).toEqual([
    'checkpoint: step 1',
    'checkpoint: step 2',
    'loss not finite: it is NaN at step 7',
    'norm not finite: it is infinite at step 9',
    'loss not finite: it is NaN at step 10',
    'log error: RuntimeError: CUDA error at 0x7f01',
  ]);
  for (const path of others) {
    // Some of an error comes with the next Sample.
    expect(told(path, line('step 1'))).toEqual([]);
    expect(told(path, ...all.slice(0, -1))).toEqual([]);
    now += 1000;
    expect(told(path, ...all.slice(-1))).toEqual([]);
  }
  now += 20_000;
  expect(told('/logs/all.log', line('ERROR another', undefined, 'error'))).toEqual(['log error: ERROR another']);
});

function told(path: string, ...lines: readonly LogLine[]): readonly string[] {
  const sample: LogSample = {
    kind: 'log',
    host: 'gpu7',
    source: 'log',
    time: now,
    receivedAt: now,
    path,
    format: 'generic',
    lines,
  };
  return finder.find(sample).map(({ event, text }) => `${event}: ${text}`);
}

function line(text: string, event?: LogEvent, level?: LogLine['level']): LogLine {
  return { text, time: now, ...(event && { event }), ...(level && { level }) };
}

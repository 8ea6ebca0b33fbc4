import { describe, expect, it } from 'vitest';
import { levelOf } from '../../../src/collectors/log/level.ts';
import { createPrefixReader } from '../../../src/collectors/log/prefix.ts';
import { readStamp } from '../../../src/collectors/log/stamps.ts';
import { readLine } from './read-line.ts';

const utc = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
const arrival = Date.UTC(2026, 10, 29, 14, 0, 10);
const line = (text: string, backlog = false) => readLine(text, { arrival, host: utc, backlog });

describe('readStamp', () => {
  it('reads a date in the zone of the host, or in its own', () => {
    const east = { utcOffsetMinutes: 120, clockOffsetMs: 500 };
    expect(readStamp('2026-11-29 15:59:00,250 loss 2', arrival, east)).toBe(Date.UTC(2026, 10, 29, 13, 58, 59, 750));
    expect(readStamp('[2026-11-29T13:59:00Z] x', arrival, east)).toBe(Date.UTC(2026, 10, 29, 13, 58, 59, 500));
    expect(readStamp('[titan] 2026-11-29 13:59:00,000 - root', arrival, utc)).toBe(Date.UTC(2026, 10, 29, 13, 59));
  });

  it('takes a time of day for the last one', () => {
    expect(readStamp('[13:59:59] step 1', arrival, utc)).toBe(Date.UTC(2026, 10, 29, 13, 59, 59));
    expect(readStamp('[23:10:00] step 1', arrival, utc)).toBe(Date.UTC(2026, 10, 28, 23, 10));
  });

  it('takes nothing from the future, from within a line, and from what is no time', () => {
    expect(readStamp('2026-11-29 15:00:00 other zone', arrival, utc)).toBeUndefined();
    expect(readStamp('eta: 8:05:12', arrival, utc)).toBeUndefined();
    expect(readStamp('[99:05:12] x', arrival, utc)).toBeUndefined();
  });
});

describe('readLine', () => {
  it('gives a line of the backlog its own time, and a live one its arrival unless it came late', () => {
    expect(line('[14:00:09] step 1', true)?.time).toBe(arrival - 1000);
    expect(line('[14:00:09] step 1')?.time).toBe(arrival);
    expect(line('[13:58:00] step 1')?.time).toBe(arrival - 130_000);
  });

  it('takes its arrival for the time of a live line whose program keeps another zone than the host', () => {
    expect(line('[09:00:10] step 1')?.time).toBe(arrival);
    expect(line('[14:30:09] step 1')?.time).toBe(arrival);
    expect(line('2026-11-29 08:15:09 step 1')?.time).toBe(arrival);
    expect(line('[13:44:00] step 1')?.time).toBe(arrival - 970_000);
  });

  it('makes text safe, short, and leaves empty lines out', () => {
    expect(line('\x1b[31mred\x1b[0m \x07bell\x1b]0;title\x07')?.text).toBe('red \ufffdbell');
    expect(line('x'.repeat(9000))?.text).toHaveLength(2000);
    expect(line('  \x1b[K ')).toBeUndefined();
  });

  it('takes values from a warning only when it is a line of metrics, from an error only where it happened', () => {
    expect(line('WARNING: overflow, setting loss scale to: 64.0, loss=2')?.values).toBeUndefined();
    expect(line('[WARNING] step=5, loss=2')).toMatchObject({ level: 'warning', values: { step: 5, loss: 2 } });
    expect(line('RuntimeError: step=5, loss=2')?.values).toEqual({ step: 5 });
  });
});

describe('levels', () => {
  it.each([
    ['Traceback (most recent call last):', 'error'],
    ['torch.OutOfMemoryError: CUDA out of memory. Tried', 'error'],
    ['[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607] [Rank 0] Watchdog caught', 'error'],
    ['[ 8123.456780] NVRM: Xid (PCI:0000:44:00): 79', 'error'],
    ['slurmstepd: error: *** JOB 1 CANCELLED', 'error'],
    ['[INFO] [loss_scaler.py:183] [deepspeed] OVERFLOW! Rank 0 Skipping step', 'warning'],
    ['W1129 14:22:16.527000 2778 torch/distributed/run.py:851]', 'warning'],
    ['UserWarning: lr_scheduler', 'warning'],
    ['step 5 | error=0.01 | errors: 0', undefined],
    ['INFO no error found', undefined],
  ])('%s', (text, level) => expect(levelOf(text)).toBe(level));
});

describe('prefixes of launchers', () => {
  it.each([
    ['[rank3]:[W512 10:00:01] Warning', 3],
    ['[default0]:step 10 | loss 2.32', 0],
    ['0: step 10 | loss 2.32', 0],
    ['100: loss 2.32', undefined],
    ['[1,mpirank:4,algo-1]<stdout>:step 10', 4],
    ['(RayTrainWorker pid=4711, ip=10.0.0.2) step 10', undefined],
    ['[2024-11-13] [PID:4465] [RANK:2] gather', 2],
  ])('%s', (text, rank) => expect(createPrefixReader().take(text).rank).toBe(rank));
  it('takes them off', () => {
    expect(createPrefixReader().take('[rank3]:[titan] x').rest).toBe('[titan] x');
    expect(createPrefixReader().take('(TaskRunner pid=16292) step 10').rest).toBe('step 10');
  });
});

import { describe, expect, it } from 'vitest';
import { createLogReader } from '../../../src/collectors/log/reader.ts';

function read(...lines: readonly string[]) {
  const reader = createLogReader();
  return [...lines.flatMap((text) => reader.push({ text })), ...reader.flush()].map(({ values }) => values);
}

describe('rows of a table', () => {
  it.each([
    ['CSV', ['epoch,step,train_loss,lr', '0,10,2.31,3e-4']],
    ['with semicolons', ['epoch;step;loss;lr', '0;10;2.31;3e-4']],
    ['with tabs', ['# epoch\tstep\tloss\tlr', '0\t10\t2.31\t3e-4']],
    ['of columns', ['epoch   step   loss     lr', '    0     10   2.31   3e-4']],
    ['in a box', ['| epoch | step | loss | lr |', '|-------|------|------|----|', '| 0 | 10 | 2.31 | 3e-4 |']],
    ['of rich', ['┃ Epoch ┃ Step ┃ Loss ┃ LR   ┃', '┡━━━━━━━╇━━━━━━╇━━━━━━╇━━━━━━┩', '│ 0     │ 10   │ 2.31 │ 3e-4 │']],
    ['behind a logger', ['2026-01-01 10:00:00 INFO epoch step loss lr', '2026-01-01 10:00:01 INFO 0 10 2.31 3e-4']],
  ])('%s', (_, lines) => {
    const values = read(...lines);
    expect(values.at(-1)).toMatchObject({ epoch: 0, step: 10, loss: 2.31, learningRate: 3e-4 });
    expect(values.slice(0, -1).every((one) => one === undefined)).toBe(true);
  });

  it('keep units, other columns and numbers that are not finite, and leave out what is empty', () => {
    const [, first, second] = read(
      'step,loss,val_loss,samples/s,step_ms,acc@1',
      '10,nan,,512.5,412.5,87.1',
      '20,2.2,2.3,520,-,',
    );
    expect(first).toEqual({
      step: 10,
      loss: NaN,
      samplesPerSecond: 512.5,
      stepSeconds: 0.4125,
      other: { 'acc@1': 87.1 },
    });
    expect(second).toEqual({ step: 20, loss: 2.2, validationLoss: 2.3, samplesPerSecond: 520 });
  });

  it('go on below a table of stages or queues, and below their header told again', () => {
    const header = 'step\tloss\tlr\tq_in\telapsed';
    const values = read(
      ...[header, '10\t2.3\t1e-3\t6/16\t0:04:10', '┌───────┬──────────┬───────┐', '│ stage │ avg (ms) │ count │'],
      ...['├───────┼──────────┼───────┤', '│ read  │     0.82 │  3000 │', '└───────┴──────────┴───────┘'],
      ...['20\t2.2\t1e-3\t5/16\t0:08:20', 'queue  depth  cap', 'act    0      8', '30\t2.1\t1e-3\t4/16\t0:12:30'],
      ...[header, '40\t2.0\t1e-3\t3/16\t0:16:40'],
    ).filter((one) => one !== undefined);
    expect(values.map(({ step }) => step)).toEqual([10, undefined, 20, undefined, 30, 40]);
    expect(values[1]?.stages).toEqual([{ name: 'read', averageMs: 0.82, count: 3000 }]);
    expect(values[3]?.queues).toEqual([{ name: 'act', depth: 0, capacity: 8 }]);
    expect(values[5]).toMatchObject({
      loss: 2,
      elapsedSeconds: 1000,
      queues: [{ name: 'q_in', depth: 3, capacity: 16 }],
    });
  });

  it('are none without a header, and none of another number of cells', () => {
    expect(read('0,10,2.31,3e-4')).toEqual([undefined]);
    expect(read('epoch,step,loss', '0,10,2.31,7')).toEqual([undefined, undefined]);
    expect(read('the loss and the step of each epoch', '1 2 3 4 5 6 7 8')).toEqual([undefined, undefined]);
    expect(read('name,size,loss', 'a,7,b')).toEqual([undefined, undefined]);
  });

  it('have times and words in some columns', () => {
    expect(
      read(
        '# run of 2026-01-01 on gpu-07',
        'timestamp,step,phase,train_loss,val_loss,gpu_mem_gib',
        '2026-01-01T10:20:30,1200,train,2.31,,61.5',
        '2026-01-01T10:21:30,1200,val,2.29,,61.5',
      ).slice(2),
    ).toEqual([
      { step: 1200, loss: 2.31, memoryBytes: 61.5 * 2 ** 30 },
      { step: 1200, validationLoss: 2.29, memoryBytes: 61.5 * 2 ** 30 },
    ]);
    const tabs = read('time\tstep\tepoch\tloss\tval_loss\tlr', '2026-01-01 10:20:30\t1200\t3\t2.31\t\t1e-4');
    expect(tabs[1]).toEqual({ step: 1200, epoch: 3, loss: 2.31, learningRate: 1e-4 });
  });

  it('have quoted cells, and none where nothing was logged', () => {
    expect(read('step,loss,val_loss,note', '400,2.2,No log,"warm, up"', '"500","2.1","2.3",ok').slice(1)).toEqual([
      { step: 400, loss: 2.2 },
      { step: 500, loss: 2.1, validationLoss: 2.3 },
    ]);
    expect(read('queue    depth   cap   wait_ms', 'loader     7     16   300')[1]).toEqual({
      queues: [{ name: 'loader', depth: 7, capacity: 16, waitSeconds: 0.3 }],
    });
  });

  it('have units in their header', () => {
    const rows = read(
      '+------+-------+-----------+---------------+----------+',
      '| step |  loss | mem (GiB) | step time [ms] |      ETA |',
      '+------+-------+-----------+---------------+----------+',
      '| 1,000 | 2.31 |      61.5 |         412.5 | 02:44:51 |',
    );
    expect(rows.at(-1)).toEqual({
      step: 1000,
      loss: 2.31,
      memoryBytes: 61.5 * 2 ** 30,
      stepSeconds: 0.4125,
      etaSeconds: 9891,
    });
  });

  it.each([
    ['spdlog', '[2026-01-01 10:00:00.123] [trainer] [info] ', '|'],
    ['logging', '2026-01-01 10:00:00,123 - trainer - INFO - ', '|'],
    ['plain logging', 'INFO:trainer:', ' '],
    ['tracing', '2026-01-01T10:00:00.123Z  INFO train: ', ' '],
    ['env_logger', '[2026-01-01T10:00:00Z INFO  ember::train] ', ' '],
    ['a tag', '[trainer] ', ','],
    ['log4j', '2026-01-01 10:00:00,123 INFO  [main] c.a.Trainer - ', ' '],
    ['syslog', 'Jan  1 10:00:00 node07 train[1234]: ', ' '],
    ['Julia', '[ Info: ', '|'],
    ['pino', '[10:00:00.123] INFO (trainer/123): ', ' '],
    ['slog', 'time=2026-01-01T10:00:00Z level=INFO msg="', '|', '"'],
    ['an object', '{"level":"info","msg":"', ' ', '"}'],
    ['rich', '[10:00:00] INFO     ', '|', '       train.py:88'],
  ])('stand behind the head of %s', (_, head, mark, end = '') => {
    const line = (...cells: readonly string[]) => head + cells.map((cell) => cell.padStart(6)).join(mark) + end;
    expect(read(line('iter', 'epoch', 'loss', 'mfu%'), line('3200', '4', '0.18', '43.8'))).toEqual([
      undefined,
      { step: 3200, epoch: 4, loss: 0.18, mfuPercent: 43.8 },
    ]);
  });

  it('begin below settings, behind a blank line, and are told by a ruler in one piece', () => {
    const values = read(
      ...['model parameters', '  layers   24', '', '    step   train_loss    ms/step   mem_MiB', '-'.repeat(43)],
      ...['     100      6.41823     486.21     61234', '     200      5.27310     485.97     61234'],
    );
    const memoryBytes = 61234 * 2 ** 20;
    expect(values.slice(-2)).toEqual([
      { step: 100, loss: 6.41823, stepSeconds: 0.48621, memoryBytes },
      { step: 200, loss: 5.2731, stepSeconds: 0.48597, memoryBytes },
    ]);
  });

  it('have units behind a blank, marks of the best, steps of a total, and cells that are left blank', () => {
    const [, ...values] = read(
      ...['   iter/total    loss    val loss       mem', '     100/2000    2.31              59.5 GiB'],
      ...['     200/2000    2.21        2.30  59.5 GiB  *', '     300/2000    2.11         ...  59.5 GiB'],
      '     400/2000      2.01   2.20',
    );
    const rest = { totalSteps: 2000, memoryBytes: 59.5 * 2 ** 30 };
    expect(values).toEqual([
      { step: 100, loss: 2.31, ...rest },
      { step: 200, loss: 2.21, validationLoss: 2.3, ...rest },
      { step: 300, loss: 2.11, ...rest },
      undefined,
    ]);
    expect(read('time\tstep\tepoch\tloss\tval_loss', '2026-01-01 10:20\t1200\t3\t2.31\t')[1]).not.toMatchObject({
      epoch: 1200,
    });
  });

  it('are of an evaluation by their tag, and NaN where nothing was evaluated', () => {
    const rows = read('[train] | step | loss | acc |', '[train] | 100 | 2.31 | 0.5 |', '[eval]  | 100 | 2.41 | 0.48 |');
    expect(rows.slice(1)).toEqual([
      { step: 100, loss: 2.31, other: { acc: 0.5 } },
      { step: 100, validationLoss: 2.41, other: { acc: 0.48 } },
    ]);
    expect(read('step,loss,val_loss', '100,2.31,nan')[1]).toEqual({ step: 100, loss: 2.31 });
  });

  it('have what stands beside a number in its cell, and dates that a logger may have written', () => {
    const header = 'step |     loss     | lr';
    for (const loss of ['2.31 (2.40)', '2.31 ± 0.02', '2.31 ↓', '2.31*'])
      expect(read(header, `100 | ${loss} | 3e-4`)[1]).toEqual({ step: 100, loss: 2.31, learningRate: 3e-4 });
    expect(read('date        time      step   loss', '2026-01-01  10:00:00   100   2.31')[1]).toEqual({
      step: 100,
      loss: 2.31,
    });
  });

  it('are none below words of a sentence, and none of trials', () => {
    expect(read('the step, loss, lr columns follow', '100, 2.31, 3e-4').at(-1)).toBeUndefined();
    expect(read('| trial | lr | batch | loss |', '| 1 | 3e-4 | 32 | 2.31 |').at(-1)).toBeUndefined();
  });

  it('have decimal commas, their step in brackets, and the split first', () => {
    expect(read('Schritt | Verlust | Beispiele/s', ' 3.200  | 0,1873  | 1.234,5')[1]).toEqual({
      step: 3200,
      loss: 0.1873,
      samplesPerSecond: 1234.5,
    });
    expect(read('step   loss   lr', '[100]  2.31   3e-4')[1]).toEqual({ step: 100, loss: 2.31, learningRate: 3e-4 });
    expect(read('split | step | loss', 'train | 100 | 2.31', 'val | 100 | 2.41').slice(1)).toEqual([
      { step: 100, loss: 2.31 },
      { step: 100, validationLoss: 2.41 },
    ]);
  });

  it('tell the one time of a stage', () => {
    expect(read('phase      time_ms   share', 'load data   12.1     12%')[1]).toEqual({
      stages: [{ name: 'load data', averageMs: 12.1 }],
    });
  });

  it('have columns that a ruler tells, of names of several words, and empty cells', () => {
    const rows = read(
      'E    #       LOSS TEXTCAT  CATS_SCORE  SCORE ',
      '---  ------  ------------  ----------  ------',
      '  0       0          0.25       33.63    0.34',
      '  3     100          9.24                1.00',
    );
    expect(rows.slice(2)).toEqual([
      { epoch: 0, step: 0, other: { 'LOSS TEXTCAT': 0.25, CATS_SCORE: 33.63, SCORE: 0.34 } },
      { epoch: 3, step: 100, other: { 'LOSS TEXTCAT': 9.24, SCORE: 1 } },
    ]);
    expect(read('E    #       LOSS TEXTCAT', '  0       0          0.25')).toEqual([undefined, undefined]);
  });
});

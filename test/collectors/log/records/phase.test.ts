import { describe, expect, it } from 'vitest';
import { readExtents } from './extents.ts';

const read = async (...lines: readonly string[]) => (await readExtents(lines.join('\n'))).values;
const losses = async (...lines: readonly string[]) => (await read(...lines)).map((values) => values?.loss);

describe('steps that are told as those of the training', () => {
  it("are an evaluation's behind a line that says so, until the training goes on", async () => {
    const values = await read(
      'Epoch 1/2',
      'step  5/20 - loss: 1.53 - 4ms/step',
      'step 20/20 - loss: 0.76 - 2ms/step',
      'Eval begin...',
      'step  5/10 - loss: 0.83 - 814us/step',
      'step 10/10 - loss: 0.85 - 546us/step',
      'Eval samples: 640',
      'Epoch 2/2',
      'step  5/20 - loss: 0.94 - 1ms/step',
    );
    expect(values[4]).toEqual({
      other: { step_in_epoch: 5, steps_per_epoch: 10, val_loss: 0.83, val_step_seconds: 0.000814 },
    });
    expect(values.map((one) => one?.loss)).toEqual([undefined, 1.53, 0.76, undefined, undefined, undefined, undefined, undefined, 0.94]); // prettier-ignore
  });

  it.each([
    ['Running validation', 'loss 2.4 acc 0.31'],
    ['Evaluating...', 'loss: 2.4, acc: 0.31'],
    ['***** Running Evaluation *****', 'loss = 2.4'],
    ['=== Validation ===', 'loss=2.4 acc=0.31'],
    ['开始验证', 'loss: 2.4'],
  ])('%s', async (header, line) => {
    const values = await read('step 100 loss 2.5', header, line, 'step 200 loss 2.3');
    expect(values.at(2)).toMatchObject({ validationLoss: 2.4 });
    expect(values.map((one) => one?.loss)).toEqual([2.5, undefined, undefined, 2.3]);
  });

  it('have no loss of all while it goes on', async () => {
    const values = await read(
      'step 100 loss 2.5',
      'Running evaluation on 640 samples',
      '[10/40] loss=2.7',
      'val_loss=2.4',
    );
    expect(values[2]).toMatchObject({ other: { val_loss: 2.7 } });
    expect(values.map((one) => one?.loss)).toEqual([2.5, undefined, undefined, undefined]);
    expect(values.map((one) => one?.validationLoss)).toEqual([undefined, undefined, undefined, 2.4]);
  });

  it('are of the training where its steps go on, where no evaluation was said, and where it learns', async () => {
    expect(await losses('step 100 loss 2.5', 'Starting evaluation', 'step 110 loss 2.4')).toEqual([
      2.5,
      undefined,
      2.4,
    ]);
    expect(await losses('step 100 loss 2.5', 'validation every 10 steps', 'step 5 loss 2.4')).toEqual([
      2.5,
      undefined,
      2.4,
    ]);
    expect(await losses('step 100 loss 2.5', 'Evaluating', 'step 5 loss 2.4 lr 1e-4')).toEqual([2.5, undefined, 2.4]);
    expect(await losses('Evaluating', 'step 5 loss 2.4')).toEqual([undefined, 2.4]);
  });
});

import { describe, expect, it } from 'vitest';
import { readExtents as read } from './extents.ts';

describe('lines below a title', () => {
  it('are a header with a step and the fields below it, indented or under a line of signs', async () => {
    const { extents, values } = await read(
      [
        '== step 1200/20000 (6%) =========================',
        '     loss 0.0832 | ema_loss 0.0841 | lr 1.0e-04 | grad norm 0.42 | 312.5 img/s | ETA 17h07m',
        '   wrote 16 sample images to samples/grid_004.png',
        '-------- Step 1250 --------',
        'loss: 2.31, lr: 1e-4',
        'tokens/s: 45,000',
        'Checkpoint saved: /ckpt/1250',
        '=== Epoch 3 ===',
        'step 10 loss 2.3',
        'step 20 loss 2.2',
      ].join('\n'),
    );
    expect(extents).toEqual([
      [1, 2],
      [3, 1],
      [4, 3],
      [7, 1],
      [8, 1],
      [9, 1],
      [10, 1],
    ]);
    expect(values[0]).toMatchObject({
      step: 1200,
      totalSteps: 20_000,
      loss: 0.0832,
      gradNorm: 0.42,
      samplesPerSecond: 312.5,
      etaSeconds: 61_620,
    });
    expect(values[1]).toBeUndefined();
    expect(values[2]).toMatchObject({ step: 1250, loss: 2.31, learningRate: 1e-4, tokensPerSecond: 45_000 });
    expect(values[6]).toMatchObject({ step: 20, loss: 2.2 });
  });

  it.each([
    [
      'between rulers',
      ['-'.repeat(40), 'Step 1200 / 20000   |  Epoch 3', '-'.repeat(40), '  loss   : 2.31', '  lr     : 1.5e-04'],
    ],
    ['with dots', ['>>> Iteration 1200', '    loss ............. 2.31', '    lr ............... 1.5e-04']],
    ['without indent', ['step: 1200', 'loss_scale: 1024', 'loss: 2.31', 'lr: 1.5e-04', '', 'step: 1300', 'loss: 2.3']],
    [
      'in double lines',
      [
        '╔════════╤═════════╗',
        '║ step   │ 1200    ║',
        '╟────────┼─────────╢',
        '║ loss   │ 2.31    ║',
        '║ lr     │ 1.5e-04 ║',
        '╚════════╧═════════╝',
      ],
    ],
    ['in a sentence', ['=== Training (step 1200/20000) ===', 'loss: 2.31', 'lr: 1.5e-4']],
    [
      'of cells',
      ['***** Iteration 1200 *****', '| loss    | 2.31    |', '| lr      | 1.5e-4  |', '-----------------------'],
    ],
    ['of Julia', ['┌ Info: step 1200', '│   loss = 2.31', '│   lr = 1.5e-4', '└ @ Main.Train /opt/train.jl:212']],
  ])('are the fields below a step: %s', async (_, lines) => {
    const { values } = await read(lines.join('\n'));
    expect(values.find((one) => one?.step === 1200)).toMatchObject({ loss: 2.31, learningRate: 1.5e-4 });
  });

  it('are none below a bare step that tell nothing of a training', async () => {
    const { extents } = await read('Step 1200\nGenerating samples: 12\nStep 1300\nreward_mean = 2.5\n');
    expect(extents).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
  });

  it('are none where a table of its own follows', async () => {
    const { extents, values } = await read(
      'Step: 1200 | Epoch: 2\n+------+------+\n| loss | 2.31 |\n+------+------+\n',
    );
    expect(extents).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(values[1]).toMatchObject({ loss: 2.31 });
  });
});

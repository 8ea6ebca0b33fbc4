import { describe, expect, it } from 'vitest';
import { readExtents as read } from './extents.ts';

describe('lines that are one record', () => {
  it('are a header and the entries below it', async () => {
    const { extents: lines, values } = await read(
      'Step 100:\n  loss: 2.345\n  lr: 3e-4\n  tokens/s: 45,000\nStep 200:\n  loss: 2.245\nstep 201 loss 2.2\n',
    );
    expect(lines).toEqual([
      [1, 4],
      [5, 2],
      [7, 1],
    ]);
    expect(values[0]).toMatchObject({ step: 100, loss: 2.345, learningRate: 3e-4, tokensPerSecond: 45_000 });
    expect(values[1]).toMatchObject({ step: 200, loss: 2.245 });
  });

  it('are a header in the middle of its line and entries whose colons are in one column', async () => {
    const { extents: lines, values } = await read(
      [
        '##########################################',
        '        Learning iteration 12/1500        ',
        '',
        '          Computation: 12345 steps/s',
        '          Mean reward: 0.51',
        '------------------------------------------',
        '      Total timesteps: 98304',
        '       Iteration time: 1.12s',
        '',
        'done',
      ].join('\n'),
    );
    expect(lines).toEqual([
      [1, 1],
      [2, 6],
      [10, 1],
    ]);
    expect(values[1]).toMatchObject({ step: 12, totalSteps: 1500 });
  });

  it('are tables of names and numbers, each between its own rulers', async () => {
    const { extents, values } = await read(
      [
        '------------------------',
        '| rollout/   |         |',
        '|    ep_len  | 23.7    |',
        '| train/     |         |',
        '|    loss    | 39.5    |',
        '------------------------',
        '------------------------',
        '| train/     |         |',
        '|    loss    | 35.5    |',
        '------------------------',
        '+------+------+',
        '| step | loss |',
        '+------+------+',
        '| 10   | 2.5  |',
        '+------+------+',
      ].join('\n'),
    );
    expect(extents.slice(0, 2)).toEqual([
      [1, 6],
      [7, 4],
    ]);
    expect(values[0]).toMatchObject({ loss: 39.5 });
    expect(values[1]).toMatchObject({ loss: 35.5 });
    expect(values.find((one) => one?.step === 10)).toMatchObject({ loss: 2.5 });
  });

  it('are no block where the lines below are records themselves', async () => {
    const { extents: lines } = await read('  step 1 loss 2\n  step 2 loss 2\n  step 3 loss 2\n');
    expect(lines).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('are no block where a sentence below has a padded number, or a table begins', async () => {
    const { extents } = await read(
      [
        'saving checkpoint at iteration    4210 to /ckpt',
        '  successfully saved checkpoint from iteration    4210 to /ckpt',
        'Step 100:',
        '  data time   0.2',
        '  step   loss     lr',
        '   100   2.31   3e-4',
      ].join('\n'),
    );
    expect(extents).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [5, 1],
      [6, 1],
    ]);
  });

  it("are Composer's, transformers' and an evaluation's", async () => {
    const composer = await read(
      '[batch=1/10]:\n         Train time/epoch: 0\n         Train loss/train/total: 11.6\nx\n',
    );
    expect(composer.extents[0]).toEqual([1, 3]);
    expect(composer.values[0]).toMatchObject({ step: 1, totalSteps: 10, loss: 11.6 });
    const trainer = await read(
      '***** train metrics *****\n  epoch                    =        3.0\n  train_samples_per_second =      1.425\n',
    );
    expect(trainer.extents).toEqual([[1, 3]]);
    expect(trainer.values[0]).toMatchObject({ epoch: 3 });
    const evaluation = await read('Evaluation:\n    loss: 2.9\n    ppl: 18.2\n');
    expect(evaluation.extents).toEqual([[1, 3]]);
    expect(evaluation.values[0]?.loss).toBeUndefined();
  });

  it("are an evaluation's under its header, also where it is called an error", async () => {
    const {
      extents: lines,
      values,
      records,
    } = await read('Test Error: \n Accuracy: 50.9%, Avg loss: 2.150786 \n\nEpoch 2\n');
    expect(lines).toEqual([
      [1, 2],
      [4, 1],
    ]);
    expect(records[0]?.level).toBeUndefined();
    expect(values[0]).toMatchObject({ validationLoss: 2.150786 });
    expect(values[0]?.loss).toBeUndefined();
  });

  it('are a panel in a frame', async () => {
    const { extents: lines, values } = await read(
      '╭──── step 100 ────╮\n│ loss: 2.3  lr: 1e-4 │\n╰──────────────────╯\nstep 101 loss 2\n',
    );
    expect(lines).toEqual([
      [1, 3],
      [4, 1],
    ]);
    expect(values[0]).toMatchObject({ step: 100, loss: 2.3, learningRate: 1e-4 });
  });

  it('say nothing where they are settings', async () => {
    const { extents: lines, values } = await read(
      'Training config:\n  lr: 0.0003\n  loss: 3\n  total_steps: 10\nstep 1 loss 2\n',
    );
    expect(lines).toEqual([
      [1, 4],
      [5, 1],
    ]);
    expect(values).toEqual([undefined, expect.objectContaining({ step: 1 })]);
  });

  it('are wrapped by rich at the edge of a terminal', async () => {
    const { extents: lines, values } = await read(
      [
        '[14:04:35] INFO     train/loss=6.912, train/full_acc=0.031,         trainer.py:9',
        '                    epoch=0, lr=3.00e-05,                                       ',
        '                    global_step=0                                               ',
        '           INFO     train/loss=6.412, epoch=0, lr=3.00e-05,         trainer.py:9',
        '                    global_step=20                                              ',
      ].join('\n'),
    );
    expect(lines).toEqual([
      [1, 3],
      [4, 2],
    ]);
    expect(values).toMatchObject([
      { step: 0, loss: 6.912 },
      { step: 20, loss: 6.412 },
    ]);
  });

  it.each([
    ['within a key', 'response_length/cl', 'ip_ratio:0.005'],
    ['within a number', 'response_length/clip_ratio:0.0', '05'],
    ['behind a colon', 'response_length/clip_ratio:', '0.005'],
    ['before a separator', 'response_length/clip_ratio:0.005', ''],
  ])('were broken by Ray %s', async (_, before, after) => {
    const { extents: lines, values } = await read(
      `(TaskRunner pid=1) step:2 - actor/entropy_loss:0.555 - perf/mfu/actor:1.019 - ${before}\n${after} - timing_s/gen:74.021 - timing_s/step:96.552\n(TaskRunner pid=1) step:3 - actor/entropy_loss:0.5\n`,
    );
    expect(lines).toEqual([
      [1, 2],
      [3, 1],
    ]);
    expect(values[0]).toMatchObject({ step: 2, stepSeconds: 96.552, other: { 'response_length/clip_ratio': 0.005 } });
  });

  it('are not taken for broken ones where a key comes again', async () => {
    const { extents: lines } = await read(
      'epoch:1 - loss:0.5 - acc:0.9\nepoch:2 - loss:0.4 - acc:0.91\nepoch:3 - loss:0.3 - acc:0.92\n',
    );
    expect(lines).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('are no dictionary where one was cut off and the log goes on', async () => {
    const { extents: lines } = await read('args: {lr: 1,\nstep 1 loss 2\nstep 2 loss 2\n');
    expect(lines).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('are dictionaries over several lines', async () => {
    const { extents: lines, values } = await read(
      '{\'loss\': 2.3,\n \'lr\': 0.001,\n \'step\': 30}\nmetrics {\n  "step": 40,\n  "train": {\n    "loss": 2.1\n  }\n}\nstep 41 loss 2\n',
    );
    expect(lines).toEqual([
      [1, 3],
      [4, 6],
      [10, 1],
    ]);
    expect(values).toMatchObject([{ step: 30, loss: 2.3 }, { step: 40, loss: 2.1 }, { step: 41 }]);
  });

  it('are tables of a name and a number', async () => {
    const { extents: lines, values } = await read(
      [
        '-------------------------------',
        '| rollout/          |         |',
        '|    ep_rew_mean    | 23.2    |',
        '| train/            |         |',
        '|    learning_rate  | 0.0003  |',
        '-------------------------------',
        'step 1 loss 2',
      ].join('\n'),
    );
    expect(lines).toEqual([
      [1, 6],
      [7, 1],
    ]);
    expect(values[0]).toMatchObject({ learningRate: 0.0003, other: { 'rollout/ep_rew_mean': 23.2 } });
  });

  it('are the same with line ends of two bytes', async () => {
    const log = 'Step 100:\n  loss: 2.345\n  lr: 3e-4\nstep 101 loss 2\n';
    const values = (await read(log)).values;
    const wide = await read(log.replaceAll('\n', '\r\n'));
    expect([wide.extents, wide.values]).toEqual([
      [
        [1, 3],
        [4, 1],
      ],
      values,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { isTraining, readBar } from '../../../src/collectors/log/bar.ts';
import { recordsOf } from './read-records.ts';

const parts = (text: string) => {
  const bar = readBar(text);
  return bar && JSON.parse(JSON.stringify(bar));
};

describe('a bar', () => {
  it.each([
    [
      'tqdm',
      'Training:  25%|██▌       | 4/16 [00:31<01:34,  7.88s/it, loss=0.0123]',
      {
        description: 'Training',
        done: 4,
        total: 16,
        elapsedSeconds: 31,
        etaSeconds: 94,
        secondsPerItem: 7.88,
        postfix: 'loss=0.0123',
      },
    ],
    [
      'tqdm',
      '  1%|          | 307k/3.20M [1:00:29<26:22:01, 5.74Mit/s]',
      { done: 307_000, total: 3_200_000, elapsedSeconds: 3629, etaSeconds: 94_921, itemsPerSecond: 5_740_000 },
    ],
    ['tqdm', '  0%|          | 0/24 [00:00<?, ?it/s]', { done: 0, total: 24, elapsedSeconds: 0 }],
    ['tqdm', '100%|##########| 1/2 [10:00<103:53:21, 600.33s/it]', { etaSeconds: 374_001 }],
    [
      'tqdm',
      'Epoch 0:  50% 1/2 [00:00<00:00,  6.55it/s, loss=2.20, v_num=0]',
      { description: 'Epoch 0', done: 1, postfix: 'loss=2.20, v_num=0' },
    ],
    [
      'tqdm',
      '12it [00:03,  3.90it/s, loss=2.1]',
      { done: 12, elapsedSeconds: 3, itemsPerSecond: 3.9, postfix: 'loss=2.1' },
    ],
    [
      'tqdm',
      '[ 22/290 02:50 < 38:04, 0.13 it/s, Epoch 0.37/5]',
      { done: 22, total: 290, etaSeconds: 2284, itemsPerSecond: 0.13 },
    ],
    [
      'tqdm',
      '  3%|▎  | 1/30 [00:02<01:00,  2.09s/it][2026-01-02 03:04:05] step=1',
      { rest: '[2026-01-02 03:04:05] step=1' },
    ],
    [
      'rich',
      'Epoch 0   5% ━━━━━━━━╺━━━━━━ 3/60  [ 0:00:01 < 0:00:02 , 33 it/s ]',
      { description: 'Epoch 0', done: 3, total: 60, elapsedSeconds: 1, etaSeconds: 2, itemsPerSecond: 33, postfix: '' },
    ],
    [
      'rich',
      'Epoch 0/9 ━━━━━━━━━━╺━━━━━ 120/1000 0:00:12 • 0:01:20 9.85it/s v_num: 0.000 loss: 2.312',
      {
        description: 'Epoch 0/9',
        done: 120,
        total: 1000,
        elapsedSeconds: 12,
        etaSeconds: 80,
        itemsPerSecond: 9.85,
        postfix: 'v_num: 0.000 loss: 2.312',
      },
    ],
    ['rich', 'Epoch 0   0% ━━━━ 0/60  [ 0:00:00 < -:--:-- , ? it/s ]', { done: 0, total: 60, elapsedSeconds: 0 }],
    [
      'indicatif',
      '⠙ [00:10:23] [##>-----------------------------] 1200/20000 (1.93 it/s, eta 2h 42m) loss=2.3145',
      {
        done: 1200,
        total: 20_000,
        elapsedSeconds: 623,
        itemsPerSecond: 1.93,
        etaSeconds: 9720,
        postfix: 'loss=2.3145',
      },
    ],
    [
      'bar',
      'train [=====>     ] 500/1000, 50.0%, 3.5 it/s, elapsed 2 min 20 s, 2 min 23 s left, loss: 2.31',
      {
        description: 'train',
        done: 500,
        total: 1000,
        itemsPerSecond: 3.5,
        elapsedSeconds: 140,
        etaSeconds: 143,
        postfix: 'loss: 2.31',
      },
    ],
    [
      'bar',
      'Training ▰▰▰▰▰▱▱▱▱▱ 500/1000 (50%) | 0.28 s/it | ETA 0:02:23 | loss 2.31',
      { description: 'Training', done: 500, total: 1000, secondsPerItem: 0.28, etaSeconds: 143, postfix: 'loss 2.31' },
    ],
    [
      'bar',
      '[=====>...] 50% 500/1000 loss=2.3 tok/s=1200 eta=1h20m',
      { done: 500, total: 1000, etaSeconds: 4800, postfix: 'loss=2.3 tok/s=1200' },
    ],
    [
      'bar',
      '1200/20000 ███████░░░░░░░░ 6% 1h 2m < 16h 20m',
      { done: 1200, total: 20_000, elapsedSeconds: 3720, etaSeconds: 58_800, postfix: '' },
    ],
    [
      'keras',
      '29312/60000 [=====>......] - ETA: 2s - loss: 0.0892 - acc: 0.9734',
      { done: 29312, total: 60000, etaSeconds: 2, postfix: 'loss: 0.0892 - acc: 0.9734' },
    ],
    ['keras', '60000/60000 [==========] - 5s 87us/step - loss: 0.3438', { elapsedSeconds: 5, secondsPerItem: 8.7e-5 }],
    ['keras', '12/Unknown - 3s 200ms/step - loss: 0.5', { done: 12, elapsedSeconds: 3, secondsPerItem: 0.2 }],
    [
      'keras',
      '120/1875 ━━━━━━━━━━━━━━━━━━━━ 12s 7ms/step - accuracy: 0.1043 - loss: 2.3012',
      { done: 120, total: 1875, etaSeconds: 12, secondsPerItem: 0.007 },
    ],
    ['keras', '1875/1875 ━━━━━━━━━━━━━━━━━━━━ 14s 7ms/step - loss: 0.2912', { elapsedSeconds: 14 }],
    [
      'alive_progress',
      'Training |████████▌       | 420/1000 [42%] in 12.3s (~17s, 34.1/s) loss=2.1',
      { done: 420, total: 1000, elapsedSeconds: 12.3, etaSeconds: 17, itemsPerSecond: 34.1 },
    ],
    [
      'indicatif',
      '⠁ [00:00:12] [######>-----] 123/1000 (10s) loss=2.5',
      { description: '', done: 123, total: 1000, elapsedSeconds: 12, etaSeconds: 10, postfix: 'loss=2.5' },
    ],
    [
      'progressbar',
      '[>>>>>      ] 10/100, 2.3 task/s, elapsed: 4s, ETA: 40s',
      { done: 10, total: 100, elapsedSeconds: 4, etaSeconds: 40, itemsPerSecond: 2.3, unit: 'task' },
    ],
  ])('of %s is read: %s', (format, text, expected) => expect(parts(text)).toMatchObject({ format, ...expected }));

  it.each([
    ['step 3/10 [00:10] loss 2.1'],
    ['loss 3% of 2/4 < 5'],
    ['a | b [1/2] - 3s'],
    ['[2026-01-02 03:04:05] [INFO] 10/20 done'],
    ['Working... ━━━━━━━━━━ 100% 0:00:05'],
  ])('is none: %s', (text) => expect(readBar(text)).toBeUndefined());

  it.each([
    ['', true],
    ['Training', true],
    ['GRPO Training', true],
    ['Epoch 3/10', true],
    ['Train epoch [1/1]', true],
    ['steps', true],
    ['Validation DataLoader 0', false],
    ['Sanity Checking DataLoader 0', false],
    ['Map (num_proc=8)', false],
    ['Loading checkpoint shards', false],
    ['Generating train split', false],
    ['Capturing CUDA graph shapes', false],
    ['model.safetensors', false],
  ])('described as %j is one of the training loop: %j', (description, expected) => {
    const bar = readBar(`${description === '' ? '' : `${description}: `} 10%|█  | 1/10 [00:01<00:09,  1.00it/s]`);
    expect(bar && isTraining(bar)).toBe(expected);
  });
});

describe('bars of one log', () => {
  const frame = (done: number, total: number) =>
    `\r ${Math.round((done / total) * 100)}%|█ | ${done}/${total} [00:01<00:09,  1.00it/s]`;
  const steps = async (log: string) => (await recordsOf(log)).map(({ values }) => values?.step);

  it('are told apart where an evaluation is nested in the training, and longer', async () => {
    const log = [frame(0, 20), frame(5, 20), frame(0, 400), frame(200, 400), frame(400, 400), frame(6, 20)].join('');
    expect(await steps(log)).toEqual([0, 5, undefined, undefined, undefined, 6]);
  });

  it('are told apart where a short one follows, and count on where a longer run does', async () => {
    expect(await steps([frame(20, 20), frame(0, 4), frame(4, 4)].join(''))).toEqual([20, undefined, undefined]);
    expect(await steps([frame(20, 20), frame(0, 40), frame(4, 40)].join(''))).toEqual([20, 0, 4]);
  });

  it('give their step to the dictionary behind them, once', async () => {
    const records = await recordsOf(
      `${frame(5, 20)}\r      \r{'loss': 2.5, 'epoch': 0.1}\n{'loss': 2.4, 'epoch': 0.1}\n`,
    );
    expect(records.map(({ values }) => [values?.loss, values?.step, values?.totalSteps])).toEqual([
      [undefined, 5, 20],
      [2.5, 5, 20],
      [2.4, undefined, undefined],
    ]);
  });

  it('give way to what is glued to them', async () => {
    const [record] = await recordsOf(
      `${frame(1999, 24128)}[2026-01-02 03:04:05,123] [INFO] [Rank 0] step=2000, lr=[0.002]\n`,
    );
    expect(record).toMatchObject({ rank: 0, values: { step: 2000, totalSteps: 24128, learningRate: 0.002 } });
  });

  it('count steps where a rate behind them is of images, and cannot be theirs', async () => {
    const bar = (done: number, left: string) =>
      `Epoch [3/90] |######......| ${done}/1251 33% loss 2.5 iter_time 0.354s 2891.4 img/s eta ${left}\n`;
    const records = await recordsOf(`${bar(417, '0:04:55')}${bar(1251, '0:00:00')}`);
    expect(records.map(({ values }) => [values?.stepInEpoch, values?.stepsPerEpoch, values?.samplesPerSecond])).toEqual(
      [
        [417, 1251, 2891.4],
        [1251, 1251, 2891.4],
      ],
    );
    const [counted] = await recordsOf('[######......] 16384/50000 loss 2.5 288.4 img/s eta 0:01:56\n');
    expect(counted?.values).toMatchObject({ samplesPerSecond: 288.4, other: { samples: 16384 } });
  });
});

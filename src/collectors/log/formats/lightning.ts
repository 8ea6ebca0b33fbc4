import type { LogFormat } from './format.ts';

/** PyTorch Lightning's bar. */
export const lightning: LogFormat = {
  name: 'lightning',
  title: 'PyTorch Lightning',
  source: 'Lightning-AI/pytorch-lightning, callbacks/progress/tqdm_progress.py (#4225, #14094)',
  note: 'Its bar counts within an epoch, and so do its times; bars of validation and of the sanity check say nothing of the training.',
  anchors: ['Epoch '],
  detect: /^(?!.*\bglobal_step=)Epoch \d+(?:\/\S+)?:?\s+\d+%.*\bv_num[=:]/,
  fields: {
    v_num: { as: 'nothing' },
    train_loss: { as: 'loss' },
    train_loss_step: { as: 'loss' },
    train_loss_epoch: { as: 'metric' },
    loss: { as: 'loss' },
    loss_step: { as: 'loss' },
    loss_epoch: { as: 'metric' },
    val_loss: { as: 'validationLoss' },
  },
  bar: 'epoch',
  examples: [
    {
      lines: 'Epoch 3:  41%|████▏     | 207/502 [01:15<01:47,  2.76it/s, v_num=12, train_loss=0.531, val_loss=0.604]',
      values: [
        {
          epoch: 3,
          stepInEpoch: 207,
          stepsPerEpoch: 502,
          elapsedSeconds: 75,
          iterationsPerSecond: 2.76,
          loss: 0.531,
          validationLoss: 0.604,
          other: { epoch_eta_seconds: 107 },
        },
      ],
    },
  ],
};

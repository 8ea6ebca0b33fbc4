import type { LogFormat } from './format.ts';
import { createTaker } from './taker.ts';

/** MindSpore and MindFormers. */
export const mindspore: LogFormat = {
  name: 'mindspore',
  title: 'MindSpore, MindFormers',
  source: 'mindspore-ai/mindspore, train/callback/_loss_monitor.py; mindformers, core/callback/callback.py',
  note: 'Steps of `epoch: 1 step: 2` count within the epoch.',
  anchors: [', loss is ', 'per step time:', 'per_step_time:'],
  detect:
    /\bepoch: \d+ step: \d+, loss is |\bper step time: [\d.]+ ms|\bEpoch:\[\s*\d+\/\s*\d+\], step:\[\s*\d+\/\s*\d+\], loss/,
  read(text, draft) {
    const line = createTaker(text, draft);
    line.metric('epochs', /(?<=\bEpoch:\[\s*\d+)\/\s*(\d+)/);
    line.field('stepsPerEpoch', /(?<=\bstep:\[\s*\d+)\/\s*(\d+)/);
    line.field('stepInEpoch', /(?<=\bepoch: \d+ )step: (\d+)|\bstep:\[\s*(\d+)/);
    line.field('epoch', /\bepoch: (\d+)|\bEpoch:\[\s*(\d+)/);
    line.field('loss', /\bloss(?: is|:) ?\[?([-+\w.]+)/);
    line.metric('Train epoch time', /\bTrain epoch time: ([\d.]+) ms/);
    line.field('stepSeconds', /\bper[ _]step[ _]time: ([\d.]+ ?ms)/);
    line.field('learningRate', /\blr: \[?([-+\w.]+)/);
    line.metric('loss_scale', /\bloss_scale: ([\d.]+)/);
    line.field('gradNorm', /\bglobal_norm: \[?([-+\w.]+)/);
    return line.left();
  },
  examples: [
    {
      lines:
        'epoch: 3 step: 412, loss is 0.9127731\nTrain epoch time: 58204.117 ms, per step time: 31.044 ms\n' +
        '2025-02-27 20:16:09,553 - mindformers - INFO - { Epoch:[  1/  2], step:[  340/12800], loss: 2.961, per_step_time: 873ms, lr: 4.1e-06, overflow cond: False, loss_scale: 65536.0, global_norm: [1.732]',
      values: [
        { epoch: 3, stepInEpoch: 412, loss: 0.9127731 },
        { stepSeconds: 0.031044, other: { 'Train epoch time': 58204.117 } },
        {
          epoch: 1,
          stepInEpoch: 340,
          stepsPerEpoch: 12800,
          loss: 2.961,
          stepSeconds: 0.873,
          learningRate: 4.1e-6,
          gradNorm: 1.732,
          other: { epochs: 2, loss_scale: 65536 },
        },
      ],
    },
  ],
};

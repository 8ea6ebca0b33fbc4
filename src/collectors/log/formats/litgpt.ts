import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

/** LitGPT: pretraining and finetuning, before and after PR 1055. */
export const litgpt: LogFormat = {
  name: 'litgpt',
  title: 'LitGPT',
  source: 'Lightning-AI/litgpt, pretrain.py and finetune/*.py (PR 1055)',
  note: '`iter` counts micro-batches, `step` those of the optimizer; the time is of a micro-batch.',
  anchors: ['iter time:', 'val loss', 'val time:'],
  detect: /\b(?:Ep|Epoch) \d+ \| iter \d+ \|? ?step \d+|^iter \d+: val loss .*val time:/,
  read(text, draft) {
    const evaluation = /^iter (\d+): val loss ([-+\w.]+), val time: ([\d.]+) ms/.exec(text);
    if (evaluation) {
      takeMetric('iter', evaluation[1], draft);
      takeField('validationLoss', evaluation[2], draft);
      draft.other('val time', Number(evaluation[3]));
      return undefined;
    }
    takeField('epoch', /\b(?:Ep|Epoch) (\d+)/.exec(text)?.[1], draft);
    takeMetric('iter', /\biter (\d+)/.exec(text)?.[1], draft);
    takeField('step', /\bstep (\d+)/.exec(text)?.[1], draft);
    takeField('loss', /\bloss train(?: \(curr\))?: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('validationLoss', /\bval(?: \([^)]*\))?: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('stepSeconds', /\biter time: ([\d.]+ ms)/.exec(text)?.[1], draft);
    takeField('etaSeconds', /\bremaining time: ((?:\d+ days?, )?[\d:]+)/.exec(text)?.[1], draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'Epoch 2 | iter 640 step 80 | loss train: 1.0926, val: 1.1417 | iter time: 254.61 ms (step) remaining time: 1 day, 3:12:09\n' +
        'iter 800: val loss 1.1288, val time: 20114.83 ms',
      values: [
        {
          epoch: 2,
          step: 80,
          loss: 1.0926,
          validationLoss: 1.1417,
          stepSeconds: 0.25461,
          etaSeconds: 97929,
          other: { iter: 640 },
        },
        { validationLoss: 1.1288, other: { iter: 800, 'val time': 20114.83 } },
      ],
    },
  ],
};

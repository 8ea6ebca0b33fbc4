import type { LogFormat } from './format.ts';
import { createTaker } from './taker.ts';

/** LitGPT: pretraining and finetuning, before and after PR 1055. */
export const litgpt: LogFormat = {
  name: 'litgpt',
  title: 'LitGPT',
  source: 'Lightning-AI/litgpt, pretrain.py and finetune/*.py (PR 1055)',
  note: '`iter` counts micro-batches, `step` those of the optimizer; the time is of a micro-batch.',
  anchors: ['iter time:', 'val loss', 'val time:'],
  detect: /\b(?:Ep|Epoch) \d+ \| iter \d+ \|? ?step \d+|^iter \d+: val loss .*val time:/,
  read(text, draft) {
    const line = createTaker(text, draft);
    line.metric('iter', /\biter (\d+)/);
    line.field('epoch', /\b(?:Ep|Epoch) (\d+)/);
    line.field('step', /\bstep (\d+)/);
    line.field('loss', /\bloss train(?: \(curr\))?: ([-+\w.]+)/);
    line.metric('val time', /\bval time: ([\d.]+) ms/);
    line.field('validationLoss', /\bval(?: loss|(?: \([^)]*\))?:) ([-+\w./]+)/);
    line.field('stepSeconds', /\biter time: ([\d.]+ ms)/);
    line.field('etaSeconds', /\bremaining time: ((?:\d+ days?, )?[\d:]+)/);
    return line.left();
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

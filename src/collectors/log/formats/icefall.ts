import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /([a-z]\w*)=([-+\w.]+)(?=,)/gi;

/** icefall (k2, the next generation of Kaldi). */
export const icefall: LogFormat = {
  name: 'icefall',
  title: 'icefall (k2)',
  source: 'k2-fsa/icefall, egs/*/train.py',
  note: 'Batches count within an epoch; `tot_loss` is a running mean, and is left among the metrics.',
  anchors: ['tot_loss[', ' validation: loss='],
  detect: /\bEpoch \d+, batch \d+, .*\bloss\[|\bEpoch \d+, validation: loss=/,
  read(text, draft) {
    takeField('epoch', /\bEpoch (\d+)/.exec(text)?.[1], draft);
    takeField('stepInEpoch', /\bbatch (\d+)/.exec(text)?.[1], draft);
    const own = /(?<!tot_)loss\[([^\]]*)\]/.exec(text)?.[1];
    if (own !== undefined) readEntries(`${own},`, entry, { fields: { loss: { as: 'loss' } } }, draft);
    const validation = /validation: (loss=.*?)(?:, over|$)/.exec(text)?.[1];
    if (validation !== undefined)
      readEntries(`${validation},`, entry, { fields: { loss: { as: 'validationLoss' } } }, draft);
    const total = /\btot_loss\[loss=([-+\w.]+)/.exec(text)?.[1];
    if (total !== undefined) draft.other('tot_loss', Number(total));
    takeField('learningRate', /\blr: ([-+\w.]+)/.exec(text)?.[1], draft);
    const scale = /\bgrad_scale: ([\d.]+)/.exec(text)?.[1];
    if (scale !== undefined) draft.other('grad_scale', Number(scale));
    return undefined;
  },
  examples: [
    {
      lines:
        '2024-03-30 10:02:14,871 INFO [train.py:1050] Epoch 5, batch 1200, loss[loss=0.2417, simple_loss=0.3102, pruned_loss=0.0866, over 17240.00 frames. ], tot_loss[loss=0.2533, simple_loss=0.3190, over 3210446.71 frames. ], batch size: 52, lr: 1.84e-02, grad_scale: 16.0',
      values: [
        {
          epoch: 5,
          stepInEpoch: 1200,
          loss: 0.2417,
          learningRate: 0.0184,
          other: { simple_loss: 0.3102, pruned_loss: 0.0866, tot_loss: 0.2533, grad_scale: 16 },
        },
      ],
    },
  ],
};

import { type EntryRules, onlyMetrics, readEntries } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:^|\|)\s*([A-Za-z]\w*) ([^|(]+)/g;

const ofValidation: EntryRules = {
  ...onlyMetrics,
  fields: { step: { as: 'step' }, epoch: { as: 'epoch' }, loss: { as: 'validationLoss' }, lr: { as: 'learningRate' } },
};

/** NeMo Automodel. */
export const nemoAutomodel: LogFormat = {
  name: 'nemo_automodel',
  title: 'NeMo Automodel',
  source: 'NVIDIA-NeMo/Automodel, recipes/llm/train_ft.py',
  note: '`tps` is of all GPUs, in parentheses one GPU’s share.',
  anchors: ['num_label_tokens'],
  detect: /\bstep \d+ \| epoch \d+ \| .*num_label_tokens \d/,
  fields: {
    step: { as: 'step' },
    epoch: { as: 'epoch' },
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    lr: { as: 'learningRate' },
    mem: { as: 'memoryBytes', unit: 'GiB' },
    tps: { as: 'tokensPerSecond', scope: 'global' },
  },
  read(text, draft) {
    const validation = text.includes('[val]');
    const rest = text.slice(text.search(/\bstep \d+ \|/));
    readEntries(rest, entry, validation ? ofValidation : nemoAutomodel, draft);
    const share = /\(([\d.]+)\/gpu\)/.exec(rest)?.[1];
    if (share !== undefined) draft.other('tps/gpu', Number(share));
    return undefined;
  },
  examples: [
    {
      lines:
        '2026-01-19 12:10:44 | INFO | nemo_automodel.recipes.llm.train_ft | step 73 | epoch 0 | loss 1.9206 | grad_norm 5.8125 | lr 8.20e-06 | mem 51.37 GiB | tps 63018.44(7877.31/gpu) | num_label_tokens 41207\n' +
        '2026-01-19 12:12:03 | INFO | root | [val] name "default" | step 80 | epoch 0 | loss 1.8840 | lr 8.90e-06 | num_label_tokens 20119',
      values: [
        {
          step: 73,
          epoch: 0,
          loss: 1.9206,
          gradNorm: 5.8125,
          learningRate: 8.2e-6,
          memoryBytes: 55158117499,
          tokensPerSecond: 63018.44,
          tokensPerSecondScope: 'global',
          other: { num_label_tokens: 41207, 'tps/gpu': 7877.31 },
        },
        { step: 80, epoch: 0, validationLoss: 1.884, learningRate: 8.9e-6, other: { num_label_tokens: 20119 } },
      ],
    },
  ],
};

import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=: |, )([A-Z][A-Za-z/ ]*?) ([-+\d.naif][\w.+-]*(?: GB|s)?)(?=,|\s*$)/g;

/** MLX LM. */
export const mlxLm: LogFormat = {
  name: 'mlx_lm',
  title: 'MLX LM',
  source: 'ml-explore/mlx-lm, tuner/trainer.py',
  note: 'Memory is in GB of 10^9 bytes; tokens of all devices together.',
  anchors: ['Train loss ', 'Val loss '],
  detect: /^Iter \d+: (?:Train|Val) loss /,
  fields: {
    'Train loss': { as: 'loss' },
    'Val loss': { as: 'validationLoss' },
    'Learning Rate': { as: 'learningRate' },
    'It/sec': { as: 'iterationsPerSecond' },
    'Tokens/sec': { as: 'tokensPerSecond', scope: 'global' },
    'Peak mem': { as: 'memoryBytes', unit: 'GB' },
    'Val took': { as: 'metric' },
  },
  read(text, draft) {
    takeField('step', /^Iter (\d+)/.exec(text)?.[1], draft);
    readEntries(text, entry, mlxLm, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'Iter 140: Train loss 1.418, Learning Rate 9.300e-06, It/sec 0.874, Tokens/sec 391.206, Trained Tokens 61244, Peak mem 18.933 GB\nIter 200: Val loss 1.502, Val took 14.127s',
      values: [
        {
          step: 140,
          loss: 1.418,
          learningRate: 9.3e-6,
          iterationsPerSecond: 0.874,
          tokensPerSecond: 391.206,
          tokensPerSecondScope: 'global',
          memoryBytes: 18933000000,
          other: { 'Trained Tokens': 61244 },
        },
        { step: 200, validationLoss: 1.502, other: { 'Val took': 14.127 } },
      ],
    },
  ],
};

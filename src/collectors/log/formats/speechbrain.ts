import { readEntries } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:^|, | - )([A-Za-z][\w ]*): ([-+\w.%]+)(?=,| - |\s*$)/g;

/** SpeechBrain. */
export const speechbrain: LogFormat = {
  name: 'speechbrain',
  title: 'SpeechBrain',
  source: 'speechbrain/speechbrain, utils/train_logger.py',
  note: 'One line an epoch.',
  anchors: [' - train loss: '],
  detect: /\b[Ee]poch: \d+(?:, \w+: \S+)* - train \w/,
  fields: {
    epoch: { as: 'epoch' },
    Epoch: { as: 'epoch' },
    lr: { as: 'learningRate' },
    'train loss': { as: 'loss' },
    'valid loss': { as: 'validationLoss' },
    steps: { as: 'step' },
  },
  read(text, draft) {
    readEntries(text.slice(text.search(/\b[Ee]poch: /)), entry, speechbrain, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'epoch: 8, lr: 7.50e-04, steps: 20312 - train loss: 1.37 - valid loss: 1.19, valid CER: 4.82, valid WER: 11.07',
      values: [
        {
          epoch: 8,
          step: 20312,
          learningRate: 0.00075,
          loss: 1.37,
          validationLoss: 1.19,
          other: { 'valid CER': 4.82, 'valid WER': 11.07 },
        },
      ],
    },
  ],
};

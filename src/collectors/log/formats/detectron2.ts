import { readEntries } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<![\w.])([A-Za-z][\w/.]*):\s+(\d+ days?, [\d:]+|\S+)/g;

/** detectron2. */
export const detectron2: LogFormat = {
  name: 'detectron2',
  title: 'detectron2',
  source: 'facebookresearch/detectron2, utils/events.py (#195, #1345)',
  note: '`max_mem` is in MiB; there is no total of steps.',
  anchors: ['iter: '],
  detect: /(?:^|\s)(?:eta: (?:[\d:]+|\d+ days?, [\d:]+|N\/A)\s+)?iter: \d+\s+\w+: /,
  fields: {
    eta: { as: 'etaSeconds' },
    iter: { as: 'step' },
    total_loss: { as: 'loss' },
    time: { as: 'stepSeconds' },
    data_time: { as: 'stage' },
    last_time: { as: 'stage' },
    last_data_time: { as: 'stage' },
    lr: { as: 'learningRate' },
    max_mem: { as: 'memoryBytes', unit: 'MiB' },
  },
  read(text, draft) {
    readEntries(text.slice(Math.max(0, text.search(/\b(?:eta|iter): /))), entry, detectron2, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[03/14 15:09:26 d2.utils.events]:  eta: 1 day, 2:17:45  iter: 3219  total_loss: 0.847  loss_cls: 0.391  loss_mask: 0.208  time: 0.5127  last_time: 0.4988  data_time: 0.0146  last_data_time: 0.0139  lr: 0.02  max_mem: 6120M',
      values: [
        {
          step: 3219,
          etaSeconds: 94665,
          loss: 0.847,
          stepSeconds: 0.5127,
          learningRate: 0.02,
          memoryBytes: 6417285120,
          stages: [
            { name: 'last_time', averageMs: 498.8 },
            { name: 'data_time', averageMs: 14.6 },
            { name: 'last_data_time', averageMs: 13.9 },
          ],
          other: { loss_cls: 0.391, loss_mask: 0.208 },
        },
      ],
    },
  ],
};

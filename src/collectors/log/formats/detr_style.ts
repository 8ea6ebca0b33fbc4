import { onlyMetrics, takeEntry, takeField } from './entries.ts';
import { readDuration } from '../numbers.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=\s)([A-Za-z][\w@/-]*): +([-+\w.]+)(?: +\(([-+\w.]+)\))?(?=\s|$)/g;

/** The MetricLogger of torchvision's references: DETR, DeiT, MAE, DINO, BEiT, BLIP, ... */
export const detrStyle: LogFormat = {
  name: 'detr_style',
  title: "torchvision's MetricLogger (DETR, MAE, DINO, DeiT, ...)",
  source: 'pytorch/vision, references/detection/utils.py; facebookresearch/detr, util/misc.py',
  note: 'Of `value (mean)` the first is read; batches count within an epoch; `max mem` is in MB, taken for 10^6 bytes.',
  anchors: ['  eta: '],
  detect: /(?:^|\s)\S[^[\]]*(?:\[\d+\]|\[\d+\/\d+\])?\s+\[\s*\d+\/\d+\]\s+eta: [\d:days, ]+\s/,
  fields: {
    lr: { as: 'learningRate' },
    loss: { as: 'loss' },
    time: { as: 'stepSeconds' },
    data: { as: 'stage' },
    grad_norm: { as: 'gradNorm' },
  },
  read(text, draft) {
    const head = /(\w*):?\s+(?:\[(\d+)(?:\/\d+)?\])?\s+\[\s*(\d+)\/(\d+)\]\s+eta: ((?:\d+ days?, )?[\d:]+)/.exec(text);
    if (!head) return text;
    const [, , epoch, done, total, eta] = head;
    const training = !/\b(?:test|val\w*|eval\w*)\b/i.test(text.slice(0, head.index + 40));
    if (training) {
      takeField('epoch', epoch, draft);
      takeField('stepInEpoch', done, draft);
      takeField('stepsPerEpoch', total, draft);
      const seconds = eta === undefined ? undefined : readDuration(eta);
      if (seconds !== undefined) draft.other('epoch_eta_seconds', seconds);
    }
    const memory = /max mem: (\d+)/.exec(text)?.[1];
    takeField('memoryBytes', memory, draft, 'MB');
    const rest = text.slice(head.index + head[0].length).replace(/max mem: \d+/, '');
    for (const [, key = '', value = '', mean] of rest.matchAll(entry)) {
      if (training) takeEntry(key, value, detrStyle, draft);
      // A validation's value is the mean so far.
      else if (key === 'loss') takeField('validationLoss', mean ?? value, draft);
      else takeEntry(`val_${key}`, mean ?? value, onlyMetrics, draft);
    }
    return undefined;
  },
  examples: [
    {
      lines:
        'Epoch: [7]  [ 440/2502]  eta: 0:14:20  lr: 0.000412  loss: 3.9187 (4.0622)  class_error: 61.52 (64.08)  time: 0.4171  data: 0.0009  max mem: 11806',
      values: [
        {
          epoch: 7,
          stepInEpoch: 440,
          stepsPerEpoch: 2502,
          learningRate: 0.000412,
          loss: 3.9187,
          stepSeconds: 0.4171,
          memoryBytes: 11806000000,
          stages: [{ name: 'data', averageMs: 0.9 }],
          other: { epoch_eta_seconds: 860, class_error: 61.52 },
        },
      ],
    },
  ],
};

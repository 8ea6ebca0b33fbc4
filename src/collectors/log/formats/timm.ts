import { takeField, takeMetric, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

/** timm. */
export const timm: LogFormat = {
  name: 'timm',
  title: 'timm (pytorch-image-models)',
  source: 'huggingface/pytorch-image-models, train.py',
  note: 'Of `value (mean)` the first is read; the rate is in images a second of all GPUs.',
  anchors: ['Train: ', 'Test: ['],
  detect: /\bTrain: \d+ \[\s*\d+\/\d+ \(\s*\d+%\)\]\s+Loss: |\bTest: \[\s*\d+\/\d+\]\s+Time: /,
  read(text, draft) {
    const [, epoch, done, total] = /\bTrain: (\d+) \[\s*(\d+)\/(\d+)/.exec(text) ?? [];
    takeField('epoch', epoch, draft);
    takeField('stepInEpoch', done, draft);
    takeField('stepsPerEpoch', total, draft);
    if (epoch === undefined) {
      takeField('validationLoss', /\bLoss:\s+[-+\w.]+ \(\s*([-+\w.]+)\)/.exec(text)?.[1], draft);
      for (const key of ['Acc@1', 'Acc@5'])
        takeMetric(`val_${key}`, new RegExp(`${key}:\\s+[-+\\w.]+ \\(\\s*([-+\\w.]+)\\)`).exec(text)?.[1], draft);
      return undefined;
    }
    takeField('loss', /\bLoss:\s+([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('stepSeconds', /\bTime:\s+([\d.]+s)/.exec(text)?.[1], draft);
    takeField('samplesPerSecond', /\bTime:\s+[\d.]+s,\s+([\d.]+)\/s/.exec(text)?.[1], draft);
    takeField('learningRate', /\bLR: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeStage('Data', /\bData: ([\d.]+)/.exec(text)?.[1], 's', draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'Train: 18 [ 550/1251 ( 44%)]  Loss: 3.612 (3.70)  Time: 0.287s, 3567.94/s  (0.295s, 3471.18/s)  LR: 7.880e-04  Data: 0.008 (0.013)\n' +
        'Test: [  48/48]  Time: 0.141 (0.209)  Loss:   1.318 ( 1.442)  Acc@1:  71.698 ( 67.904)  Acc@5:  90.566 ( 88.114)',
      values: [
        {
          epoch: 18,
          stepInEpoch: 550,
          stepsPerEpoch: 1251,
          loss: 3.612,
          stepSeconds: 0.287,
          samplesPerSecond: 3567.94,
          learningRate: 0.000788,
          stages: [{ name: 'Data', averageMs: 8 }],
        },
        { validationLoss: 1.442, other: { 'val_Acc@1': 67.904, 'val_Acc@5': 88.114 } },
      ],
    },
  ],
};

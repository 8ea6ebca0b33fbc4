import { takeField, takeMetric, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

/** OpenCLIP. */
export const openClip: LogFormat = {
  name: 'open_clip',
  title: 'OpenCLIP',
  source: 'mlfoundations/open_clip, open_clip_train/train.py',
  note: 'What is counted are samples; the second rate is one GPU’s.',
  anchors: ['Batch (t):'],
  detect: /\bTrain Epoch: \d+ \[\s*\d+\/\d+ \(\s*\d+%\)\] .*\bBatch \(t\): /,
  read(text, draft) {
    const [, epoch, seen, samples] = /\bTrain Epoch: (\d+) \[\s*(\d+)\/(\d+)/.exec(text) ?? [];
    takeField('epoch', epoch, draft);
    takeMetric('samples', seen, draft);
    takeMetric('total_samples', samples, draft);
    takeStage('Data', /\bData \(t\): ([\d.]+)/.exec(text)?.[1], 's', draft);
    const [, time, rate, share] = /\bBatch \(t\): ([\d.]+), ([\d.]+)\/s(?:, ([\d.]+)\/s\/gpu)?/.exec(text) ?? [];
    takeField('stepSeconds', time, draft);
    takeField('samplesPerSecond', rate, draft);
    takeMetric('samples/s/gpu', share, draft);
    takeField('learningRate', /\bLR: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeMetric('Logit Scale', /\bLogit Scale: ([\d.]+)/.exec(text)?.[1], draft);
    takeMetric('Contrastive_loss', /\bContrastive_loss: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('loss', /(?<![\w])Loss: ([-+\w.]+)/.exec(text)?.[1], draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '2025-08-04,12:45:19 | INFO | Train Epoch: 3 [ 2048000/10968539 (19%)] Data (t): 0.041 Batch (t): 0.638, 6420.17/s, 802.521/s/gpu LR: 0.000442 Logit Scale: 41.208 Contrastive_loss: 3.1174 (3.2209) Loss: 3.1174 (3.2209)',
      values: [
        {
          epoch: 3,
          stepSeconds: 0.638,
          samplesPerSecond: 6420.17,
          learningRate: 0.000442,
          loss: 3.1174,
          stages: [{ name: 'Data', averageMs: 41 }],
          other: {
            samples: 2048000,
            total_samples: 10968539,
            'samples/s/gpu': 802.521,
            'Logit Scale': 41.208,
            Contrastive_loss: 3.1174,
          },
        },
      ],
    },
  ],
};

import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const line =
  /^\s*\(?(?:next mAP[^)]*\)\s*)?(\d+): ([-+\w.]+), ([-+\w.]+) avg(?: loss)?, ([\d.]+) rate, ([\d.]+) seconds, (\d+) images(?:, ([\d.]+) hours left)?/;

/** Darknet. */
export const darknet: LogFormat = {
  name: 'darknet',
  title: 'Darknet (YOLO 1 to 4)',
  source: 'AlexeyAB/darknet, src/detector.c',
  note: 'The first number is the loss, the second its running mean.',
  anchors: [' avg'],
  detect: line,
  read(text, draft) {
    const [, step, loss, mean, rate, seconds, images, hours] = line.exec(text) ?? [];
    takeField('step', step, draft);
    takeField('loss', loss, draft);
    takeMetric('avg loss', mean, draft);
    takeField('learningRate', rate, draft);
    takeField('stepSeconds', seconds, draft);
    takeMetric('images', images, draft);
    takeField('etaSeconds', hours, draft, 'h');
    return undefined;
  },
  examples: [
    {
      lines: ' 2210: 1.905117, 2.033846 avg loss, 0.001300 rate, 3.140962 seconds, 141440 images, 6.250000 hours left',
      values: [
        {
          step: 2210,
          loss: 1.905117,
          learningRate: 0.0013,
          stepSeconds: 3.140962,
          etaSeconds: 22500,
          other: { 'avg loss': 2.033846, images: 141440 },
        },
      ],
    },
  ],
};

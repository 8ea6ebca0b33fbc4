import { readDuration } from '../numbers.ts';
import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const names = ['sec/tick', 'sec/kimg', 'maintenance', 'cpumem', 'augment'].map(
  (name) => [name, new RegExp(`(?<=\\s)${name} ([\\d.]+)`)] as const,
);

/** StyleGAN 2-ADA and 3, EDM. */
export const stylegan: LogFormat = {
  name: 'stylegan',
  title: 'StyleGAN2-ADA, StyleGAN3, EDM',
  source: 'NVlabs/stylegan3, training/training_loop.py; NVlabs/edm',
  note: '`kimg` counts thousands of images; memory is in GiB.',
  anchors: ['tick '],
  detect: /^tick \d+\s+kimg [\d.]+\s+time /,
  read(text, draft) {
    takeMetric('tick', /^tick (\d+)/.exec(text)?.[1], draft);
    takeMetric('kimg', /\bkimg ([\d.]+)/.exec(text)?.[1], draft);
    const elapsed = readDuration(/\btime ((?:\d+[dhms]\s?)+)/.exec(text)?.[1]?.trim() ?? '');
    if (elapsed !== undefined) takeField('elapsedSeconds', String(elapsed), draft);
    for (const [name, pattern] of names) takeMetric(name, pattern.exec(text)?.[1], draft);
    takeField('memoryBytes', /\bgpumem ([\d.]+)/.exec(text)?.[1], draft, 'GiB');
    return undefined;
  },
  examples: [
    {
      lines:
        'tick 21    kimg 84.2     time 38m 51s      sec/tick 107.3   sec/kimg 26.61   maintenance 0.4    cpumem 6.02   gpumem 9.75   reserved 11.03  augment 0.031',
      values: [
        {
          elapsedSeconds: 2331,
          memoryBytes: 10468982784,
          other: {
            tick: 21,
            kimg: 84.2,
            'sec/tick': 107.3,
            'sec/kimg': 26.61,
            maintenance: 0.4,
            cpumem: 6.02,
            augment: 0.031,
          },
        },
      ],
    },
  ],
};

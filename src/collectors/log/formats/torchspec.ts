import { readEntries } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<![\w.])([A-Za-z]\w*)=([-+\d.][\w.]*|nan|[-+]?inf)(?=[\s,\]/]|$)/g;

/** TorchSpec's bar. */
export const torchspec: LogFormat = {
  name: 'torchspec',
  title: 'TorchSpec',
  source: 'lightseekorg/TorchSpec, controller/loop.py (40557c3)',
  note: '`pool` is the depth of the pool of samples, `wait` the time until it gave a batch; `I` and `T` are what inference and training could do.',
  anchors: ['acc_len='],
  detect: /\bacc_len=[\d.]{1,12}.*\bthru=[\d.]+/,
  bar: 'run',
  fields: {
    loss: { as: 'loss' },
    pool: { as: 'queue' },
    wait: { as: 'stage' },
    epoch: { as: 'epoch' },
  },
  read(text, draft) {
    readEntries(text, entry, torchspec, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'Training:   6%|▌         | 310/5000 [22:40<5:42:51,  4.39s/step, loss=1.844, acc=0.527, acc_len=2.06, thru=14.6, I=15.9, T=18.2, wait=0.7s, pool=48, epoch=1/3]',
      values: [
        {
          step: 310,
          totalSteps: 5000,
          elapsedSeconds: 1360,
          etaSeconds: 20571,
          stepSeconds: 4.39,
          loss: 1.844,
          epoch: 1,
          queues: [{ name: 'pool', depth: 48 }],
          stages: [{ name: 'wait', averageMs: 700 }],
          other: { acc: 0.527, acc_len: 2.06, thru: 14.6, I: 15.9, T: 18.2 },
        },
      ],
    },
  ],
};

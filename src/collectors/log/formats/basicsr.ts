import { onlyMetrics, readEntries, takeField, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=\s)([A-Za-z]\w*): ([-+\w.]+)(?=\s|$)/g;

/** BasicSR. */
export const basicsr: LogFormat = {
  name: 'basicsr',
  title: 'BasicSR',
  source: 'XPixelGroup/BasicSR, utils/logger.py',
  note: 'There is no loss of all: `l_*` are its parts. The wait for data is in parentheses.',
  anchors: ['time (data):'],
  detect: /\[epoch:\s*\d+, iter:\s*[\d,]+, lr:\(.*\btime \(data\): /,
  read(text, draft) {
    const [, epoch, step, rate] = /\[epoch:\s*(\d+), iter:\s*([\d,]+), lr:\(([^)]*)\)\]/.exec(text) ?? [];
    takeField('epoch', epoch, draft);
    takeField('step', step?.replace(/,$/, ''), draft);
    takeField('learningRate', `[${(rate ?? '').replace(/,\s*$/, '')}]`, draft);
    const [, eta, time, data] = /\[eta: ([^\]]*?), time \(data\): ([\d.]+) \(([\d.]+)\)\]/.exec(text) ?? [];
    takeField('etaSeconds', eta, draft);
    takeField('stepSeconds', time, draft);
    takeStage('data', data, 's', draft);
    readEntries(text.slice(text.lastIndexOf(']') + 1), entry, onlyMetrics, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '2025-03-21 22:08:46,019 INFO: [train..][epoch:  9, iter:  24,300, lr:(2.000e-04,)] [eta: 1 day, 4:33:12, time (data): 0.386 (0.003)] l_pix: 2.1074e-02 l_percep: 1.4420e+00 ',
      values: [
        {
          epoch: 9,
          step: 24300,
          learningRate: 0.0002,
          etaSeconds: 102792,
          stepSeconds: 0.386,
          stages: [{ name: 'data', averageMs: 3 }],
          other: { l_pix: 0.021074, l_percep: 1.442 },
        },
      ],
    },
  ],
};

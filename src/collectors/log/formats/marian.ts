import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

/** Marian NMT. */
export const marian: LogFormat = {
  name: 'marian',
  title: 'Marian NMT',
  source: 'marian-nmt/marian, training/scheduler.h',
  note: '`Up.` counts updates, `Time` is since the line before; `words/s` is of all GPUs.',
  anchors: [' : Up. '],
  detect: /\bEp\. \d+ : Up\. \d+ : /,
  read(text, draft) {
    takeField('epoch', /\bEp\. (\d+)/.exec(text)?.[1], draft);
    takeField('step', /\bUp\. (\d+)/.exec(text)?.[1], draft);
    takeMetric('Sen.', /\bSen\. ([\d,]+)/.exec(text)?.[1], draft);
    takeField('loss', /\bCost ([-+\w.]+)/.exec(text)?.[1], draft);
    takeMetric('Time', /\bTime ([\d.]+)s/.exec(text)?.[1], draft);
    const rate = /([\d.]+) words\/s/.exec(text)?.[1];
    if (rate !== undefined) draft.set('tokensPerSecond', Number(rate), 1000, 'global');
    takeField('gradNorm', /\bgNorm ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('learningRate', /\bL\.r\. ([-+\w.]+)/.exec(text)?.[1], draft);
    const [, name, value] = /\bUp\. \d+ : ([a-z][\w-]*) : ([-+\w.]+)/.exec(text) ?? [];
    if (name !== undefined && /^(?:cross-entropy|ce-mean-words|ce-mean)$/.test(name))
      takeField('validationLoss', value, draft);
    else if (name !== undefined) takeMetric(`val_${name}`, value, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[2024-11-12 02:33:40] Ep. 2 : Up. 7500 : Sen. 1,204,118 : Cost 3.88120508 : Time 48.07s : 33911.20 words/s : gNorm 0.4471 : L.r. 2.8125e-04\n' +
        '[2024-11-12 02:58:19] [valid] Ep. 2 : Up. 10000 : ce-mean-words : 2.41180 : new best',
      values: [
        {
          epoch: 2,
          step: 7500,
          loss: 3.88120508,
          tokensPerSecond: 33911.2,
          tokensPerSecondScope: 'global',
          gradNorm: 0.4471,
          learningRate: 0.00028125,
          other: { 'Sen.': 1204118, Time: 48.07 },
        },
        { epoch: 2, step: 10000, validationLoss: 2.4118 },
      ],
    },
  ],
};

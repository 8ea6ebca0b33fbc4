import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=postfix:|,\s?)([A-Za-z]\w*)=([-+\w.]+)/g;

/** Levanter, whose tqdm writes lines (tqdm_loggable). */
export const levanter: LogFormat = {
  name: 'levanter',
  title: 'Levanter',
  source: 'stanford-crfm/levanter, callbacks; tqdm_loggable',
  note: 'Counts have three digits: `1.20kit` are 1200.',
  anchors: ['Progress on:'],
  detect: /\bProgress on:\s?train\s+[\d.]+[kM]?it\/[\d.]+[kM]?it\b/,
  read(text, draft) {
    const [, done, total] = /Progress on:\s?train\s+([\d.]+[kM]?)it\/([\d.]+[kM]?)it/.exec(text) ?? [];
    takeField('step', done, draft);
    takeField('totalSteps', total, draft);
    const [, rate, unit] = /\brate:([\d.]+)(it\/s|s\/it)/.exec(text) ?? [];
    takeField(unit === 's/it' ? 'stepSeconds' : 'iterationsPerSecond', rate, draft);
    takeField('etaSeconds', /\bremaining:([\d:]+)/.exec(text)?.[1], draft);
    takeField('elapsedSeconds', /\belapsed:([\d:]+)/.exec(text)?.[1], draft);
    readEntries(text, entry, { fields: { loss: { as: 'loss' }, lr: { as: 'learningRate' } } }, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '2026-05-11T04:18:22 - 0 - tqdm_loggable.tqdm_logging - INFO :: Progress on:train 2.41kit/20.0kit rate:1.7it/s remaining:2:52:27 elapsed:24:06 postfix:loss=3.118\n' +
        '2026-05-11T04:30:40 - 0 - tqdm_loggable.tqdm_logging - INFO :: Progress on:train 31.0it/90.0it rate:54.2s/it remaining:53:18 elapsed:28:37 postfix:loss=2.07',
      values: [
        {
          step: 2410,
          totalSteps: 20000,
          iterationsPerSecond: 1.7,
          etaSeconds: 10347,
          elapsedSeconds: 1446,
          loss: 3.118,
        },
        { step: 31, totalSteps: 90, stepSeconds: 54.2, etaSeconds: 3198, elapsedSeconds: 1717, loss: 2.07 },
      ],
    },
  ],
};

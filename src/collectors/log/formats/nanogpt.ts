import type { LogFormat } from './format.ts';
import { createTaker } from './taker.ts';

/** nanoGPT. */
export const nanogpt: LogFormat = {
  name: 'nanogpt',
  title: 'nanoGPT',
  source: 'karpathy/nanoGPT, train.py (#110, #215)',
  note: 'An MFU of -100 % is not known yet.',
  anchors: ['iter ', ': train loss '],
  detect: /(?:^|\s)iter \d+: loss [-+\w.]+, time [\d.]+ ?ms|(?:^|\s)step \d+: train loss [-+\w.]+, val loss /,
  read(text, draft) {
    const line = createTaker(text, draft);
    line.field('step', /\b(?:step|iter) (\d+):/);
    line.field('validationLoss', /\bval loss ([-+\w.]+)/);
    line.field('loss', /\b(?:train )?loss ([-+\w.]+)/);
    line.field('stepSeconds', /\btime ([\d.]+ ?ms)/);
    line.field('mfuPercent', /\bmfu (-?[\d.]+%)/);
    return line.left();
  },
  examples: [
    {
      lines:
        'step 5500: train loss 3.2817, val loss 3.3046\niter 5510: loss 3.1926, time 214.07ms, mfu 41.92%\niter 0: loss 10.9514, time 30712.44ms, mfu -100.00%',
      values: [
        { step: 5500, loss: 3.2817, validationLoss: 3.3046 },
        { step: 5510, loss: 3.1926, stepSeconds: 0.21407, mfuPercent: 41.92 },
        { step: 0, loss: 10.9514, stepSeconds: 30.71244 },
      ],
    },
  ],
};

import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const z = (text: string | undefined) => (text === undefined || text.includes('nan') ? undefined : text);

/** llm.c. */
export const llmc: LogFormat = {
  name: 'llmc',
  title: 'llm.c',
  source: 'karpathy/llm.c, train_gpt2.cu and train_gpt2.py',
  note: 'In parentheses the z score of loss and norm, `nan` until it is known; an MFU of -100 % is not known.',
  anchors: [' MFU', 'val loss ', ' tok/s)', ' norm '],
  detect: /^step\s+\d+\/\d+ \| (?:train )?loss |^step\s+\d+\/\d+: train loss .*ms, \d+ tok\/s|^val loss [\d.naif]+\s*$/,
  read(text, draft) {
    const [, step, total] = /^step\s+(\d+)\/(\d+)/.exec(text) ?? [];
    takeField('step', step, draft);
    takeField('totalSteps', total, draft);
    takeField('validationLoss', /^val loss (\S+)/.exec(text)?.[1], draft);
    takeField('loss', /(?<!val )loss ([-+\w.]+)/.exec(text)?.[1], draft);
    takeMetric('loss_z', z(/loss [-+\w.]+ \(([-+\w.]+)z\)/.exec(text)?.[1]), draft);
    takeField('gradNorm', /\bnorm ([-+\w.]+)/.exec(text)?.[1], draft);
    takeMetric('norm_z', z(/\bnorm [-+\w.]+ \(([-+\w.]+)z\)/.exec(text)?.[1]), draft);
    takeField('learningRate', /\blr ([\d.e+-]+)/.exec(text)?.[1], draft);
    takeField('stepSeconds', /([\d.]+ ms)\b/.exec(text)?.[1], draft);
    takeField('mfuPercent', /(-?[\d.]+%) (?:\w+ )?MFU/.exec(text)?.[1], draft);
    const rate = /([\d.]+) tok\/s/.exec(text)?.[1];
    if (rate !== undefined) draft.set('tokensPerSecond', Number(rate), 1000, 'global');
    return undefined;
  },
  examples: [
    {
      lines:
        'step   72/9400 | loss 6.814205 (-1.12z)| norm 0.9108 (+nanz)| lr 6.17e-05 | 1204.38 ms | 47.6% bf16 MFU | 435318 tok/s\nval loss 6.790144',
      values: [
        {
          step: 72,
          totalSteps: 9400,
          loss: 6.814205,
          gradNorm: 0.9108,
          learningRate: 6.17e-5,
          stepSeconds: 1.20438,
          mfuPercent: 47.6,
          tokensPerSecond: 435318,
          tokensPerSecondScope: 'global',
          other: { loss_z: -1.12 },
        },
        { validationLoss: 6.790144 },
      ],
    },
  ],
};

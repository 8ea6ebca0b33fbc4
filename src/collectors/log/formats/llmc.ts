import type { LogFormat } from './format.ts';
import { createTaker } from './taker.ts';

/** llm.c. */
export const llmc: LogFormat = {
  name: 'llmc',
  title: 'llm.c',
  source: 'karpathy/llm.c, train_gpt2.cu and train_gpt2.py',
  note: 'In parentheses the z score of loss and norm, `nan` until it is known; an MFU of -100 % is not known.',
  anchors: [' MFU', 'val loss ', ' tok/s)', ' norm '],
  detect: /^step\s+\d+\/\d+ \| (?:train )?loss |^step\s+\d+\/\d+: train loss .*ms, \d+ tok\/s|^val loss [\d.naif]+\s*$/,
  read(text, draft) {
    const line = createTaker(text, draft);
    line.field('totalSteps', /(?<=^step\s+\d+)\/(\d+)/);
    line.field('step', /^step\s+(\d+)/);
    line.field('validationLoss', /\bval loss ([-+\w.]+)/);
    line.skip(/\(\+nanz\)/);
    line.skip(/\(\+nanz\)/);
    line.metric('loss_z', /(?<=\bloss [-+\w.]+ )\(([-+\w.]+)z\)/);
    line.metric('norm_z', /(?<=\bnorm [-+\w.]+ )\(([-+\w.]+)z\)/);
    line.field('loss', /\b(?:train )?loss ([-+\w.]+)/);
    line.field('gradNorm', /\bnorm ([-+\w.]+)/);
    line.field('learningRate', /\blr ([\d.e+-]+)/);
    line.field('stepSeconds', /([\d.]{1,20} ms)\b/);
    line.field('mfuPercent', /(-?[\d.]{1,12}%) (?:\w+ )?MFU/);
    line.rate(/([\d.]{1,20}) tok\/s/, 'global');
    return line.left();
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

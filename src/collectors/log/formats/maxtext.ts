import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:completed |,\s*)([A-Za-z][\w/ ]*): ([^,\s]+)/g;

/** MaxText. */
export const maxtext: LogFormat = {
  name: 'maxtext',
  title: 'MaxText',
  source: 'AI-Hypercomputer/maxtext, metric_logger.py (#8, #761, #2232)',
  note: 'Rates are per device.',
  anchors: ['completed step: ', 'eval metrics after step: '],
  detect: /\bcompleted step: \d+, seconds: |\beval metrics after step: \d+, loss=/,
  fields: {
    step: { as: 'step' },
    seconds: { as: 'stepSeconds' },
    'TFLOP/s/device': { as: 'tflopsPerSecond' },
    'TFLOP/s': { as: 'tflopsPerSecond' },
    'Tokens/s/device': { as: 'tokensPerSecond', scope: 'gpu' },
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    learning_rate: { as: 'learningRate' },
  },
  read(text, draft) {
    const [, step, loss] = /\beval metrics after step: (\d+), loss=([-+\w.]+)/.exec(text) ?? [];
    takeField('step', step, draft);
    takeField('validationLoss', loss, draft);
    if (step === undefined) readEntries(text.slice(text.indexOf('completed step')), entry, maxtext, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'completed step: 318, seconds: 3.407, TFLOP/s/device: 211.560, Tokens/s/device: 4808.923, total_weights: 524288, loss: 4.118',
      values: [
        {
          step: 318,
          stepSeconds: 3.407,
          tokensPerSecond: 4808.923,
          tokensPerSecondScope: 'gpu',
          tflopsPerSecond: 211.56,
          loss: 4.118,
          other: { 'TFLOP/s/device': 211.56, total_weights: 524288 },
        },
      ],
    },
    {
      lines: 'eval metrics after step: 400, loss=3.907, total_weights=131072.0',
      values: [{ step: 400, validationLoss: 3.907 }],
    },
  ],
};

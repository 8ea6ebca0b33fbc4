import type { LogFormat } from './format.ts';

/** big_vision, and what else prints the step in brackets before its figures. */
export const bigVision: LogFormat = {
  name: 'big_vision',
  title: 'big_vision',
  source: 'google-research/big_vision, utils.py (BigVisionMetricWriter)',
  note: 'The step stands in brackets before the figures.',
  anchors: [' = '],
  detect: /^\[\d{1,9}\] [A-Za-z][\w/.@-]* = [-+]?[\d.ni]/,
  fields: { l2_grads: { as: 'gradNorm' }, training_loss: { as: 'loss' } },
  read(text, draft) {
    const [head = '', step] = /^\[(\d+)\] /.exec(text) ?? [];
    draft.set('step', Number(step), 100);
    return text.slice(head.length);
  },
  examples: [
    {
      lines: '[2400] training_loss = 2.914  l2_grads = 0.66  lr = 0.0008',
      values: [{ step: 2400, loss: 2.914, gradNorm: 0.66, learningRate: 0.0008 }],
    },
  ],
};

import { readDict } from './dict.ts';
import type { LogFormat } from './format.ts';

/** Liger-Kernel's callback for transformers. */
export const liger: LogFormat = {
  name: 'liger',
  title: "Liger-Kernel's EfficiencyCallback",
  source: 'linkedin/Liger-Kernel, examples/huggingface/callback.py',
  note: 'Tokens are counted over all processes; memory is in MB, taken for 10^6 bytes.',
  anchors: ['step_tokens_per_second'],
  detect: /\{'.*'step_tokens_per_second':/,
  fields: {
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    learning_rate: { as: 'learningRate' },
    epoch: { as: 'epoch' },
    step: { as: 'step' },
    eval_loss: { as: 'validationLoss' },
    step_tokens_per_second: { as: 'tokensPerSecond', scope: 'global' },
    step_peak_memory_allocated_MB: { as: 'memoryBytes', unit: 'MB' },
    step_MFU: { as: 'metric' },
  },
  read(text, draft) {
    const open = text.indexOf('{');
    readDict(text.slice(open), liger, draft);
    return text.slice(0, open);
  },
  examples: [
    {
      lines:
        "{'loss': 1.0318, 'grad_norm': 3.4102, 'learning_rate': 5.2e-06, 'epoch': 0.2, 'step': 21, 'step_tokens_per_second': 28804.6, 'avg_tokens_per_second': 28117.3, 'step_peak_memory_allocated_MB': 40113.9, 'total_peak_memory_allocated_MB': 40266.0}",
      values: [
        {
          step: 21,
          loss: 1.0318,
          gradNorm: 3.4102,
          learningRate: 5.2e-6,
          epoch: 0.2,
          tokensPerSecond: 28804.6,
          tokensPerSecondScope: 'global',
          memoryBytes: 40113900000,
          other: { avg_tokens_per_second: 28117.3, total_peak_memory_allocated_MB: 40266 },
        },
      ],
    },
  ],
};

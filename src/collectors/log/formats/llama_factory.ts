import { readDict } from './dict.ts';
import type { LogFormat } from './format.ts';

/** LLaMA-Factory's trainer_log.jsonl. */
export const llamaFactory: LogFormat = {
  name: 'llama_factory',
  title: 'LLaMA-Factory, trainer_log.jsonl',
  source: 'hiyouga/LLaMA-Factory, train/callbacks.py',
  anchors: ['"current_steps"', "'throughput'"],
  detect: /\{"current_steps": \d+|llamafactory.*\{'loss': .*'throughput':|^\{'loss': .*'throughput':/,
  fields: {
    current_steps: { as: 'step' },
    total_steps: { as: 'totalSteps' },
    loss: { as: 'loss' },
    eval_loss: { as: 'validationLoss' },
    lr: { as: 'learningRate' },
    learning_rate: { as: 'learningRate' },
    grad_norm: { as: 'gradNorm' },
    epoch: { as: 'epoch' },
    elapsed_time: { as: 'elapsedSeconds' },
    remaining_time: { as: 'etaSeconds' },
    throughput: { as: 'tokensPerSecond', scope: 'global' },
    percentage: { as: 'nothing' },
  },
  read(text, draft) {
    readDict(text.slice(text.indexOf('{')), llamaFactory, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '{"current_steps": 60, "total_steps": 2910, "loss": 1.1472, "lr": 2.0618556701030927e-06, "epoch": 0.0618, "percentage": 2.06, "elapsed_time": "0:03:41", "remaining_time": "2:55:12", "throughput": 3902.17, "total_tokens": 862464}',
      values: [
        {
          step: 60,
          totalSteps: 2910,
          loss: 1.1472,
          learningRate: 2.0618556701030927e-6,
          epoch: 0.0618,
          elapsedSeconds: 221,
          etaSeconds: 10512,
          tokensPerSecond: 3902.17,
          tokensPerSecondScope: 'global',
          other: { total_tokens: 862464 },
        },
      ],
    },
  ],
};

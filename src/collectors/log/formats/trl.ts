import { readDict } from './dict.ts';
import { onlyMetrics, type EntryRules } from './entries.ts';
import type { LogFormat } from './format.ts';

const summary: EntryRules = { ...onlyMetrics, fields: { epoch: { as: 'epoch' } } };

/** TRL's trainers: GRPO, DPO, RLOO, KTO, ... */
export const trl: LogFormat = {
  name: 'trl',
  title: 'TRL (GRPO, DPO, RLOO, KTO)',
  source: 'huggingface/trl, trainer/grpo_trainer.py (#6715 for AsyncGRPO); Chi-Shan0707/TinyLoRA-GRPO-Coder#4',
  note: 'A loss of GRPO may be negative or exactly 0; `num_tokens` counts from the beginning.',
  anchors: ["'reward", "'completions/", "'objective/", "'logps/", "'kl'", '"reward', "'sample/rollout_queue_size'"],
  detect:
    /^(?!.*Global step ).*\{['\"].*['"](?:rewards?(?:\/[^'"]*)?|completions\/[^'"]*|objective\/[^'"]*|logps\/[^'"]*|sample\/rollout_queue_size)['"]:/,
  fields: {
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    learning_rate: { as: 'learningRate' },
    lr: { as: 'learningRate' },
    epoch: { as: 'epoch' },
    step: { as: 'step' },
    eval_loss: { as: 'validationLoss' },
    step_time: { as: 'stepSeconds' },
    train_runtime: { as: 'elapsedSeconds' },
    train_tokens_per_second: { as: 'tokensPerSecond', scope: 'global' },
    'sample/rollout_queue_size': { as: 'queue' },
    'sample/time_in_queue_s': { as: 'nothing' },
    'perf/rollout_wait_s': { as: 'stage' },
    'rollout/backpressure_s': { as: 'stage' },
  },
  read(text, draft) {
    const open = text.search(/\{['"]/);
    const waited = /['"]sample\/time_in_queue_s['"]:\s*['"]?([\d.eE+-]+)/.exec(text)?.[1];
    if (waited !== undefined) draft.queue({ name: 'sample/time_in_queue_s', waitSeconds: Number(waited) }, 'surely');
    const isSummary = text.includes("'train_runtime'") && text.includes("'train_loss'");
    readDict(text.slice(open), isSummary ? summary : trl, draft);
    return text.slice(0, open);
  },
  examples: [
    {
      lines:
        "{'loss': 0.0, 'grad_norm': 0.2710449993610382, 'learning_rate': 6.4e-07, 'num_tokens': 2845910.0, 'completions/mean_length': 311.25, 'completions/clipped_ratio': 0.03125, 'rewards/format_reward/mean': 0.8125, 'reward': 1.375, 'reward_std': 0.2165, 'kl': 0.000412, 'step_time': 14.80632, 'epoch': 0.36}",
      values: [
        {
          loss: 0,
          gradNorm: 0.2710449993610382,
          learningRate: 6.4e-7,
          epoch: 0.36,
          stepSeconds: 14.80632,
          other: {
            num_tokens: 2845910,
            'completions/mean_length': 311.25,
            'completions/clipped_ratio': 0.03125,
            'rewards/format_reward/mean': 0.8125,
            reward: 1.375,
            reward_std: 0.2165,
            kl: 0.000412,
          },
        },
      ],
    },
    {
      lines:
        "{'loss': -0.0127, 'learning_rate': 2e-06, 'reward': 0.4453, 'sample/rollout_queue_size': 12, 'sample/time_in_queue_s': 3.41, 'perf/rollout_wait_s': 0.62, 'rollout/backpressure_s': 0.0}",
      values: [
        {
          loss: -0.0127,
          learningRate: 2e-6,
          queues: [
            { name: 'sample/time_in_queue_s', waitSeconds: 3.41 },
            { name: 'sample/rollout_queue_size', depth: 12 },
          ],
          stages: [
            { name: 'perf/rollout_wait_s', averageMs: 620 },
            { name: 'rollout/backpressure_s', averageMs: 0 },
          ],
          other: { reward: 0.4453 },
        },
      ],
    },
  ],
};

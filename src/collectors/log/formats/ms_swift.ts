import { readDict } from './dict.ts';
import type { LogFormat } from './format.ts';

/** ms-swift. */
export const msSwift: LogFormat = {
  name: 'ms_swift',
  title: 'ms-swift',
  source: 'modelscope/ms-swift, trainers/callback.py (dict in the log, JSON lines in logging.jsonl)',
  anchors: ['global_step/max_steps'],
  detect: /\{.*['"]global_step\/max_steps['"]:/,
  fields: {
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    learning_rate: { as: 'learningRate' },
    epoch: { as: 'epoch' },
    eval_loss: { as: 'validationLoss' },
    elapsed_time: { as: 'elapsedSeconds' },
    remaining_time: { as: 'etaSeconds' },
    'memory(GiB)': { as: 'memoryBytes', unit: 'GiB' },
    'train_speed(iter/s)': { as: 'iterationsPerSecond' },
    'train_speed(s/it)': { as: 'stepSeconds' },
    step_time: { as: 'stepSeconds' },
    percentage: { as: 'nothing' },
    'global_step/max_steps': { as: 'step' },
  },
  read(text, draft) {
    const open = text.indexOf('{');
    readDict(text.slice(open), msSwift, draft);
    return text.slice(0, open);
  },
  examples: [
    {
      lines:
        "{'loss': 0.71640325, 'grad_norm': 1.1043271, 'learning_rate': 9.21e-05, 'token_acc': 0.79021344, 'epoch': 0.5, 'global_step/max_steps': '40/158', 'percentage': '25.32%', 'elapsed_time': '12m 9s', 'remaining_time': '1h 2m 6s', 'memory(GiB)': 61.5, 'train_speed(iter/s)': 0.054831}",
      values: [
        {
          step: 40,
          totalSteps: 158,
          loss: 0.71640325,
          gradNorm: 1.1043271,
          learningRate: 9.21e-5,
          epoch: 0.5,
          elapsedSeconds: 729,
          etaSeconds: 3726,
          memoryBytes: 66035122176,
          iterationsPerSecond: 0.054831,
          other: { token_acc: 0.79021344 },
        },
      ],
    },
  ],
};

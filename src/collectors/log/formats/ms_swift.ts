import { readDict } from './dict.ts';
import type { LogFormat } from './format.ts';

/** ms-swift. */
export const msSwift: LogFormat = {
  name: 'ms_swift',
  title: 'ms-swift',
  source: 'modelscope/ms-swift, trainers/callback.py (dict in the log, JSON lines in logging.jsonl)',
  anchors: ['global_step/max_steps', "'iteration': '", '"iteration": "'],
  detect: /\{.*['"](?:global_step\/max_steps|iteration)['"]: ['"]\d+\/\d+['"]/,
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
    iteration: { as: 'step' },
    elapsed_time_per_iteration: { as: 'stepSeconds' },
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
    {
      lines:
        "{'loss': '1.0417', 'grad_norm': '0.8802', 'learning_rate': '8.7e-06', 'epoch': '0.19', 'iteration': '24/640', 'elapsed_time': '4m 18s', 'remaining_time': '1h 50m 23s', 'memory(GiB)': '52.25', 'elapsed_time_per_iteration': '10.61'}",
      values: [
        {
          step: 24,
          totalSteps: 640,
          loss: 1.0417,
          gradNorm: 0.8802,
          learningRate: 8.7e-6,
          epoch: 0.19,
          elapsedSeconds: 258,
          etaSeconds: 6623,
          memoryBytes: 56103010304,
          stepSeconds: 10.61,
        },
      ],
    },
  ],
};

import type { LogFormat } from './format.ts';

/** XTuner since its version 1. */
export const xtuner: LogFormat = {
  name: 'xtuner',
  title: 'XTuner 1',
  source: 'InternLM/xtuner, v1/train/trainer.py',
  note: '`tgs` is tokens a second of one GPU in the step, `e2e_tgs` since the beginning; `time` is of the step.',
  anchors: ['data_time: '],
  detect: /\bEpoch \d+\/\d+ Step \d+\/\d+ +data_time: /,
  fields: {
    time: { as: 'stepSeconds' },
    data_time: { as: 'stage' },
    tgs: { as: 'tokensPerSecond', scope: 'gpu' },
    e2e_tgs: { as: 'metric' },
    exp_tgs: { as: 'metric' },
    max_memory: { as: 'memoryBytes' },
    reserved_memory: { as: 'metric' },
  },
  examples: [
    {
      lines:
        '[XTuner][RANK 0][2025-08-12 10:04:31][INFO] Epoch 1/2 Step 31/800 data_time: 0.0094 lr: 0.000020 time: 2.1312 text_tokens: 16384.0 total_consumed_tokens: 507904 loss: 1.402 grad_norm: 0.644 max_memory: 41.20 GB reserved_memory: 50.31 GB tgs: 7687.7 e2e_tgs: 7401.2 eta: 0:27:19',
      values: [
        {
          epoch: 1,
          step: 31,
          totalSteps: 800,
          learningRate: 2e-5,
          stepSeconds: 2.1312,
          loss: 1.402,
          gradNorm: 0.644,
          memoryBytes: 41_200_000_000,
          tokensPerSecond: 7687.7,
          tokensPerSecondScope: 'gpu',
          etaSeconds: 1639,
          stages: [{ name: 'data_time', averageMs: 9.4 }],
          other: {
            epochs: 2,
            text_tokens: 16384,
            total_consumed_tokens: 507904,
            reserved_memory: 50.31,
            e2e_tgs: 7401.2,
          },
        },
      ],
    },
  ],
};

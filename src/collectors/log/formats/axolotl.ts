import { readDict } from './dict.ts';
import { takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

/** Axolotl. */
export const axolotl: LogFormat = {
  name: 'axolotl',
  title: 'Axolotl',
  source: 'axolotl-ai-cloud/axolotl (#1998, #3072, #3196)',
  note: 'The dict of transformers with keys of its own; memory is in GiB there, and in GB in the line of its own.',
  anchors: ['(gib)', "'memory/", 'tokens_per_second_per_gpu', 'GPU memory usage', 'gather_len_batches'],
  detect: /\{'.*'(?:memory\/[\w ()]+|tokens_per_second_per_gpu)'|GPU memory usage while training|gather_len_batches/,
  fields: {
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    learning_rate: { as: 'learningRate' },
    epoch: { as: 'epoch' },
    eval_loss: { as: 'validationLoss' },
    'memory/max_mem_active(gib)': { as: 'memoryBytes', unit: 'GiB' },
    'memory/max_active (GiB)': { as: 'memoryBytes', unit: 'GiB' },
    'memory/max_mem_allocated(gib)': { as: 'metric' },
    'memory/max_allocated (GiB)': { as: 'metric' },
    'tokens/train_per_sec_per_gpu': { as: 'tokensPerSecond', scope: 'gpu' },
    tokens_per_second_per_gpu: { as: 'tokensPerSecond', scope: 'gpu' },
    train_runtime: { as: 'elapsedSeconds' },
    train_tokens_per_second: { as: 'tokensPerSecond', scope: 'global' },
  },
  read(text, draft) {
    if (text.includes('gather_len_batches')) return undefined;
    const usage =
      /GPU memory usage while training: ([\d.]+[KMGT]?B)(?: \(\+([\d.]+)GB cache, \+([\d.]+)GB misc\))?/.exec(text);
    if (usage) {
      takeField('memoryBytes', usage[1], draft);
      if (usage[2] !== undefined) draft.other('cache_GB', Number(usage[2]));
      if (usage[3] !== undefined) draft.other('misc_GB', Number(usage[3]));
      return undefined;
    }
    const open = text.indexOf('{');
    readDict(text.slice(open), axolotl, draft);
    return text.slice(0, open);
  },
  examples: [
    {
      lines:
        "{'loss': 1.2093, 'grad_norm': 0.6437, 'learning_rate': 1.9e-05, 'memory/max_mem_active(gib)': 38.71, 'memory/max_mem_allocated(gib)': 37.94, 'tokens_per_second_per_gpu': 2716.05, 'epoch': 0.42}\n" +
        '[2025-01-22 16:40:08,911] [INFO] [axolotl.callbacks.on_step_end:128] [PID:2291] [RANK:0] GPU memory usage while training: 21.906GB (+9.117GB cache, +1.204GB misc)\n' +
        '[2025-01-22 16:39:30,204] [INFO] [axolotl.utils.samplers.multipack.calc_min_len:203] [PID:2291] [RANK:0] gather_len_batches: [841, 841]',
      values: [
        {
          loss: 1.2093,
          gradNorm: 0.6437,
          learningRate: 1.9e-5,
          epoch: 0.42,
          memoryBytes: 41564546007,
          tokensPerSecond: 2716.05,
          tokensPerSecondScope: 'gpu',
          other: { 'memory/max_mem_allocated(gib)': 37.94 },
        },
        { memoryBytes: 21906000000, other: { cache_GB: 9.117, misc_GB: 1.204 } },
      ],
    },
  ],
};

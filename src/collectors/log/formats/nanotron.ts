import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /\|\s*([a-z]\w*): ([^|]+)/g;

/** nanotron. */
export const nanotron: LogFormat = {
  name: 'nanotron',
  title: 'nanotron',
  source: 'huggingface/nanotron, trainer.py and logging/base.py',
  note: 'Numbers have three digits and a power of 1000: `1.23K` is 1230; `tokens_per_sec` is of all GPUs.',
  anchors: ['iteration: '],
  detect: /\biteration: \d+ \/ \d+ \| \w+: /,
  fields: {
    elapsed_time_per_iteration_ms: { as: 'stepSeconds', unit: 'ms' },
    time_per_iteration_ms: { as: 'stepSeconds', unit: 'ms' },
    tokens_per_sec: { as: 'tokensPerSecond', scope: 'global' },
    lm_loss: { as: 'loss' },
    lr: { as: 'learningRate' },
    eta: { as: 'etaSeconds' },
    model_tflops_per_gpu: { as: 'tflopsPerSecond' },
    grad_norm: { as: 'gradNorm' },
    hd_total_memory_tb: { as: 'metric' },
    hd_used_memory_tb: { as: 'metric' },
    hd_free_memory_tb: { as: 'metric' },
    cuda_max_memory_reserved: { as: 'memoryBytes' },
  },
  read(text, draft) {
    const head = /\biteration: (\d+) \/ (\d+) /.exec(text);
    takeField('step', head?.[1], draft);
    takeField('totalSteps', head?.[2], draft);
    const rest = text.slice((head?.index ?? 0) + (head?.[0].length ?? 0));
    readEntries(rest, entry, nanotron, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '06/12/2025 08:55:10 [INFO|DP=0|PP=0|TP=0|node-3]: iteration: 740 / 30000 | consumed_tokens: 776M | elapsed_time_per_iteration_ms: 2.14K | tokens_per_sec: 490K | tokens_per_sec_per_gpu: 30.6K | global_batch_size: 256 | lm_loss: 3.42 | lr: 0.000296 | model_tflops_per_gpu: 287 | grad_norm: 0.64 | cuda_max_memory_reserved: 51.2G',
      values: [
        {
          step: 740,
          totalSteps: 30000,
          stepSeconds: 2.14,
          tokensPerSecond: 490000,
          tokensPerSecondScope: 'global',
          loss: 3.42,
          learningRate: 0.000296,
          tflopsPerSecond: 287,
          gradNorm: 0.64,
          memoryBytes: 51200000000,
          other: {
            consumed_tokens: 776000000,
            tokens_per_sec_per_gpu: 30600,
            global_batch_size: 256,
            model_tflops_per_gpu: 287,
          },
        },
      ],
    },
  ],
};

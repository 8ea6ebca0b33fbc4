import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /([A-Za-z][^|:]{0,100}?):\s*([^|]+)/g;

/** GPT-NeoX. */
export const gptNeox: LogFormat = {
  name: 'gpt_neox',
  title: 'GPT-NeoX',
  source: 'EleutherAI/gpt-neox, megatron/logging.py; output in deepspeedai/DeepSpeed#3742',
  anchors: ['lm_loss:', 'approx flops per GPU'],
  detect: /samples\/sec:.{0,300}\|\s*iteration\s+\d+\s*\/\s*\d+\s*\|/,
  fields: {
    'samples/sec': { as: 'samplesPerSecond' },
    'elapsed time per iteration (ms)': { as: 'stepSeconds', unit: 'ms' },
    'learning rate': { as: 'learningRate' },
    'approx flops per GPU': { as: 'tflopsPerSecond' },
    lm_loss: { as: 'loss' },
    'lm loss': { as: 'loss' },
  },
  read(text, draft) {
    const head = /\|\s*iteration\s+(\d+)\s*\/\s*(\d+)\s*(?=\|)/.exec(text);
    takeField('step', head?.[1], draft);
    takeField('totalSteps', head?.[2], draft);
    readEntries(text.slice(Math.max(0, text.indexOf('samples/sec'))), entry, gptNeox, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        ' samples/sec: 41.207 | iteration      610/  143000 | elapsed time per iteration (ms): 3106.4 | learning rate: 2.558E-04 | approx flops per GPU: 61.4TFLOPS | lm_loss: 4.271903E+00 | loss scale: 16384.0 | number of skipped iterations:   0 | number of nan iterations:   0 |',
      values: [
        {
          step: 610,
          totalSteps: 143000,
          samplesPerSecond: 41.207,
          stepSeconds: 3.1064,
          learningRate: 0.0002558,
          loss: 4.271903,
          tflopsPerSecond: 61.4,
          other: {
            'approx flops per GPU': 61.4,
            'loss scale': 16384,
            'number of skipped iterations': 0,
            'number of nan iterations': 0,
          },
        },
      ],
    },
  ],
};

import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:^|[\s|])([A-Za-z][\w/]*):([-+]?[\d.][^\s]*|nan|[-+]?inf)(?=\s|$)/gi;

/** torchtune. */
export const torchtune: LogFormat = {
  name: 'torchtune',
  title: 'torchtune',
  source: 'pytorch/torchtune, training/metric_logging.py (#640, #1358)',
  note: 'Memory is in bytes, in newer versions in GiB: the number tells. The bar begins with epoch and step.',
  anchors: ['Step ', '|Loss: '],
  detect: /^Step \d+ \| \w[\w/]*:\S|^\d+\|\d+\|Loss: /,
  fields: {
    loss: { as: 'loss' },
    lr: { as: 'learningRate' },
    grad_norm: { as: 'gradNorm' },
    tokens_per_second_per_gpu: { as: 'tokensPerSecond', scope: 'gpu' },
    val_loss: { as: 'validationLoss' },
    gpu_resources: { as: 'nothing' },
    peak_memory_active: { as: 'nothing' },
    peak_memory_alloc: { as: 'metric' },
    peak_memory_reserved: { as: 'metric' },
  },
  bar: 'epoch',
  read(text, draft) {
    const bar = /^(\d+)\|(\d+)\|Loss: ([-+\w.]+):?/.exec(text);
    if (bar) {
      takeField('step', bar[2], draft);
      takeField('loss', bar[3], draft);
      takeField('epoch', bar[1], draft);
      return undefined;
    }
    takeField('step', /^Step (\d+)/.exec(text)?.[1], draft);
    const [, memory] = /\b(?:gpu_resources|peak_memory_active):([\d.]+)/.exec(text) ?? [];
    // Nobody's GPU has a million GiB.
    if (memory !== undefined) takeField('memoryBytes', memory, draft, Number(memory) < 1e6 ? 'GiB' : undefined);
    readEntries(text, entry, torchtune, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'Step 84 | loss:1.1924571990966797 lr:1.68e-05 tokens_per_second_per_gpu:2913.06 grad_norm:4.71 peak_memory_active:19.25 peak_memory_alloc:19.02\n' +
        'Step 85 | loss:1.2077 lr:1.7e-05 gpu_resources:28110422016\n' +
        '2|85|Loss: 1.2077: 40%|████      | 85/212 [03:10<04:44,  2.24s/it]',
      values: [
        {
          step: 84,
          loss: 1.1924571990966797,
          learningRate: 1.68e-5,
          tokensPerSecond: 2913.06,
          tokensPerSecondScope: 'gpu',
          gradNorm: 4.71,
          memoryBytes: 20669530112,
          other: { peak_memory_alloc: 19.02 },
        },
        { step: 85, loss: 1.2077, learningRate: 1.7e-5, memoryBytes: 28110422016 },
        {
          epoch: 2,
          step: 85,
          loss: 1.2077,
          stepInEpoch: 85,
          stepsPerEpoch: 212,
          elapsedSeconds: 190,
          stepSeconds: 2.24,
          other: { epoch_eta_seconds: 284 },
        },
      ],
    },
  ],
};

import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /\|\s*([A-Z][\w. -]*?):\s*([^|]+)/g;

/** prime-rl: trainer, SFT and orchestrator. */
export const primeRl: LogFormat = {
  name: 'prime_rl',
  title: 'prime-rl',
  source: 'PrimeIntellect-ai/prime-rl, trainer/rl/train.py, trainer/sft/train.py, orchestrator.py',
  note: 'Throughput is of all GPUs; the orchestrator has one of its own.',
  anchors: ['| Time: '],
  detect: /\bStep \d+ \| Time: [\d.]+s \| (?:Loss|Reward): /,
  scope: 'global',
  fields: {
    Time: { as: 'stepSeconds' },
    Loss: { as: 'loss' },
    'Grad. Norm': { as: 'gradNorm' },
    LR: { as: 'learningRate' },
    Throughput: { as: 'tokensPerSecond', scope: 'global' },
    MFU: { as: 'mfuPercent' },
    'Peak Mem.': { as: 'memoryBytes', unit: 'GiB' },
    'Val. Loss': { as: 'validationLoss' },
  },
  read(text, draft) {
    const head = /\bStep (\d+) (?=\|)/.exec(text);
    takeField('step', head?.[1], draft);
    const rest = text.slice((head?.index ?? 0) + (head?.[0].length ?? 0));
    readEntries(
      rest.replace(/(Peak Mem\.: [\d.]+)\/[\d.]+/, '$1').replace(/ tokens\/sample/, ''),
      entry,
      primeRl,
      draft,
    );
    return undefined;
  },
  examples: [
    {
      lines:
        '14:22:09 SUCCESS Step 212 | Time: 61.44s | Loss: 0.0033 | Entropy: 0.3172 | Mismatch KL: 0.0011 | Grad. Norm: 0.0924 | LR: 1.00e-06 | Throughput: 20418 tokens/s | MFU: 27.6% | Peak Mem.: 58.3 GiB\n' +
        '14:22:31 SUCCESS Step 212 | Time: 73.02s | Reward: 0.7116 | Throughput: 2204.9 tokens/s | Seq. Length: 1630.2 tokens/sample | Async Level: 2',
      values: [
        {
          step: 212,
          stepSeconds: 61.44,
          loss: 0.0033,
          gradNorm: 0.0924,
          learningRate: 1e-6,
          tokensPerSecond: 20418,
          tokensPerSecondScope: 'global',
          mfuPercent: 27.6,
          memoryBytes: 62599148339,
          other: { Entropy: 0.3172, 'Mismatch KL': 0.0011 },
        },
        {
          step: 212,
          stepSeconds: 73.02,
          tokensPerSecond: 2204.9,
          tokensPerSecondScope: 'global',
          other: { Reward: 0.7116, 'Seq. Length': 1630.2, 'Async Level': 2 },
        },
      ],
    },
  ],
};

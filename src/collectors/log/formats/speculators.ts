import type { Draft } from '../draft.ts';
import { takeEntry, takeField, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<![\w/.])([a-z]\w*(?:\/\w+)?)=([-+\w.]+)/gi;

/** speculators. */
export const speculators: LogFormat = {
  name: 'speculators',
  title: 'speculators',
  source: 'vllm-project/speculators, train/logger.py (c05b95b); run here with rich',
  note: '`profile/tokens_per_s` is one rank’s; rich wraps the line at 80 columns where there is no terminal.',
  anchors: ['train/', 'profile/'],
  detect: /(?<![\w/.])(?:train|profile)\/\w+=[-+\w.]+,? /,
  fields: {
    'train/loss': { as: 'loss' },
    'val/loss': { as: 'validationLoss' },
    'profile/grad_norm': { as: 'gradNorm' },
    'train/grad_norm': { as: 'gradNorm' },
    'profile/tokens_per_s': { as: 'tokensPerSecond', scope: 'gpu' },
    lr: { as: 'learningRate' },
    epoch: { as: 'epoch' },
    global_step: { as: 'step' },
    step: { as: 'step' },
  },
  read(text, draft) {
    // The place in the program that rich puts at the right of the first row.
    for (const [, key = '', value = ''] of text.matchAll(entry)) readOne(key, value, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[09:41:18] INFO     train/loss=3.207, train/full_acc=0.214, profile/fetch_ms=8.113, profile/fwd_ms=61.902, profile/step_ms=201.338, profile/tokens_per_s=4.07e+04, profile/fetch_frac=0.04, epoch=1, lr=2.40e-05, global_step=1380',
      values: [
        {
          step: 1380,
          epoch: 1,
          loss: 3.207,
          learningRate: 2.4e-5,
          tokensPerSecond: 40700,
          tokensPerSecondScope: 'gpu',
          stepSeconds: 0.201338,
          stages: [
            { name: 'fetch', averageMs: 8.113 },
            { name: 'fwd', averageMs: 61.902 },
          ],
          other: { 'train/full_acc': 0.214, 'profile/fetch_frac': 0.04 },
        },
      ],
    },
  ],
};

function readOne(key: string, value: string, draft: Draft): void {
  const [, stage] = /^profile\/(\w+)_ms$/.exec(key) ?? [];
  if (stage === 'step') takeField('stepSeconds', value, draft, 'ms');
  else if (stage !== undefined) takeStage(stage, value, 'ms', draft);
  else takeEntry(key, value, speculators, draft);
}

import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /\|\s*([A-Za-z][\w/ ]*?): ([^|\s]+)/g;

/** nanochat: pretraining, finetuning and RL. */
export const nanochat: LogFormat = {
  name: 'nanochat',
  title: 'nanochat',
  source: 'karpathy/nanochat, scripts/base_train.py, chat_sft.py and chat_rl.py (00255c1)',
  note: '`lrm` multiplies the learning rate and is none; `bf16_mfu` is in percent without a sign; bits per byte are no loss.',
  anchors: ['tok/sec:', 'Validation bpb', 'CORE metric', 'Average reward'],
  detect:
    /^step \d+(?:\/\d+)? \([\d.]+%\) \| loss:|^Step \d+(?:\/\d+)? \| (?:Validation bpb|CORE metric|Average reward):/,
  fields: {
    loss: { as: 'loss' },
    dt: { as: 'stepSeconds' },
    'tok/sec': { as: 'tokensPerSecond', scope: 'global' },
    bf16_mfu: { as: 'mfuPercent' },
    mfu: { as: 'mfuPercent' },
    epoch: { as: 'epoch' },
    'total time': { as: 'elapsedSeconds', unit: 'min' },
    eta: { as: 'etaSeconds', unit: 'min' },
  },
  read(text, draft) {
    const [, step, total] = /^[Ss]tep (\d+)(?:\/(\d+))?/.exec(text) ?? [];
    takeField('step', step, draft);
    takeField('totalSteps', total, draft);
    draft.metrics();
    // Minutes with an m: no million.
    readEntries(text.replace(/(total time|eta): ([\d.]+)m\b/g, '$1: $2'), entry, nanochat, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'step 01250/09000 (13.89%) | loss: 3.104418 | lrm: 1.00 | dt: 331.07ms | tok/sec: 1,583,612 | bf16_mfu: 49.16 | epoch: 1 pq: 14 rg: 208 | total time: 6.84m | eta: 42.8m\n' +
        'Step 01500 | Validation bpb: 0.918204',
      values: [
        {
          step: 1250,
          totalSteps: 9000,
          loss: 3.104418,
          stepSeconds: 0.33107,
          tokensPerSecond: 1583612,
          tokensPerSecondScope: 'global',
          mfuPercent: 49.16,
          epoch: 1,
          elapsedSeconds: 410.4,
          etaSeconds: 2568,
          other: { lrm: 1 },
        },
        { step: 1500, other: { 'Validation bpb': 0.918204 } },
      ],
    },
  ],
};

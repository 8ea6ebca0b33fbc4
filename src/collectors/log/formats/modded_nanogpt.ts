import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:^|\s)([a-z_]+):([-+\d.][^\s]*|nan|[-+]?inf)(?=\s|$)/g;

/** modded-nanogpt, and what is made from it. */
export const moddedNanogpt: LogFormat = {
  name: 'modded_nanogpt',
  title: 'modded-nanogpt',
  source: 'KellerJordan/modded-nanogpt, records and PR 65; openai/parameter-golf#839',
  note: '`train_time` is in ms or s, by version; the first `step_avg` is not known.',
  anchors: ['step:'],
  detect: /^step:\d+\/\d+ (?:val_loss|train_loss|train_time):/,
  fields: {
    train_loss: { as: 'loss' },
    val_loss: { as: 'validationLoss' },
    train_time: { as: 'elapsedSeconds' },
    step_avg: { as: 'stepSeconds' },
    lr: { as: 'learningRate' },
  },
  read(text, draft) {
    const [whole = '', step, total] = /^step:(\d+)\/(\d+)/.exec(text) ?? [];
    takeField('step', step, draft);
    takeField('totalSteps', total, draft);
    readEntries(text.slice(whole.length), entry, moddedNanogpt, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'step:250/2440 val_loss:4.31907 train_time:21406ms step_avg:85.62ms\nstep:1/2440 train_loss:10.9018 train_time:118ms step_avg:nanms\nstep:2440/2440 val_loss:3.27911 val_bpb:1.0926 train_time:208.553s step_avg:85.47ms',
      values: [
        { step: 250, totalSteps: 2440, validationLoss: 4.31907, elapsedSeconds: 21.406, stepSeconds: 0.08562 },
        { step: 1, totalSteps: 2440, loss: 10.9018, elapsedSeconds: 0.118 },
        {
          step: 2440,
          totalSteps: 2440,
          validationLoss: 3.27911,
          elapsedSeconds: 208.553,
          stepSeconds: 0.08547,
          other: { val_bpb: 1.0926 },
        },
      ],
    },
  ],
};

import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:^|\|)\s*([A-Z][^|:]*?): ([^|]+)/g;

/** fairseq2. */
export const fairseq2: LogFormat = {
  name: 'fairseq2',
  title: 'fairseq2',
  source: 'facebookresearch/fairseq2, metrics/recorders (its output was not seen)',
  note: 'Losses have names of the task’s: the first that ends in `Loss` is read.',
  anchors: [' Metrics (step ', ' Metrics (Step '],
  detect: /\b(?:[Tt]rain|[Vv]alid\w*) Metrics \([Ss]tep [\d,]+\)(?: -|:) [A-Z]/,
  fields: {
    Loss: { as: 'loss' },
    'Gradient Norm': { as: 'gradNorm' },
    'Learning Rate': { as: 'learningRate' },
    'Data Epoch': { as: 'epoch' },
    'Elapsed Time': { as: 'metric' },
    'Wall Time': { as: 'elapsedSeconds' },
    Time: { as: 'metric' },
  },
  read(text, draft) {
    const [head = '', set, step] = /\b(\w+) Metrics \([Ss]tep ([\d,]+)\)(?: -|:)/.exec(text) ?? [];
    takeField('step', step, draft);
    const rest = text.slice(text.indexOf(head) + head.length);
    const loss = /(?:^|\|)\s*([A-Z][^|:]*Loss[^|:]*): /.exec(rest)?.[1];
    const field = { as: /^train$/i.test(set ?? '') ? 'loss' : 'validationLoss' } as const;
    const fields = { ...fairseq2.fields, ...(loss !== undefined && { [loss]: field }) };
    readEntries(rest, entry, { fields }, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[Rank 0] 2026-03-17 06:40:12,115 INFO fairseq2 - Train Metrics (step 450) - CTC Loss: 21.84 | Gradient Norm: 3.117 | Elapsed Time: 46.2s | Wall Time: 1208s | Learning Rate: 4.5e-05 | Batch Size: 64',
      values: [
        {
          step: 450,
          loss: 21.84,
          gradNorm: 3.117,
          elapsedSeconds: 1208,
          learningRate: 4.5e-5,
          other: { 'Elapsed Time': 46.2, 'Batch Size': 64 },
        },
      ],
    },
  ],
};

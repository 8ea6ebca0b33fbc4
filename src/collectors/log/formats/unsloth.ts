import { readEntries, takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

/** The sloth is drawn in front of the banner. */
const art = String.raw`^(?:==\(\(====\)\)==|\s*\\\\\s+\/\||O\^O\/ \\_\/ \\|\\\s+\/|\s"-____-")`;
const entry = /(?<=^|\| ?|\s\s)([A-Z][A-Za-z ]{0,60}?)(?: used)?\s{0,4}=\s*([\d,.]+)/g;
const notebook = /^\s*\[\s*\d+\/\d+ [\d:]+ < [\d:]+, [\d.]+ it\/s, Epoch [\d.]+\/\d+\]/;

/** Unsloth's banner, and the progress line of transformers in a notebook. */
export const unsloth: LogFormat = {
  name: 'unsloth',
  title: 'Unsloth, and transformers in a notebook',
  source: 'unslothai/unsloth#1140, #1194; transformers, utils/notebook.py',
  anchors: ['Unsloth', 'Num examples =', 'Batch size per', 'Total batch size', 'rainable parameters', ' it/s, Epoch '],
  detect: new RegExp(`${art}.*[a-z] = [\\d,]+|${notebook.source}`),
  fields: { 'Total steps': { as: 'totalSteps' } },
  read(text, draft) {
    const [, epoch, epochs] = /^Epoch ([\d.]+)\/(\d+)$/.exec(text) ?? [];
    takeField('epoch', epoch, draft);
    takeMetric('epochs', epochs, draft);
    readEntries(text, entry, unsloth, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '==((====))==  Unsloth - 2x faster free finetuning | Num GPUs used = 1\n' +
        '   \\\\   /|    Num examples = 1,204 | Num Epochs = 3 | Total steps = 450\n' +
        '[ 61/450 07:12 < 46:30, 0.14 it/s, Epoch 0.41/3]',
      values: [
        { other: { 'Num GPUs': 1 } },
        { totalSteps: 450, other: { 'Num examples': 1204, 'Num Epochs': 3 } },
        {
          step: 61,
          totalSteps: 450,
          elapsedSeconds: 432,
          etaSeconds: 2790,
          iterationsPerSecond: 0.14,
          epoch: 0.41,
          other: { epochs: 3 },
        },
      ],
    },
  ],
};

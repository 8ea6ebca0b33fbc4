import type { Draft } from '../draft.ts';
import { onlyMetrics, readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const assigned = /(?<![\w.])([A-Za-z]\w*)=([^,\s]+)/g;
const piped = /\|\s*([A-Za-z]\w*)\s+([-+\w.]+)\s*(?=\||$)/g;
const quoted = /"([\w]+)":\s*"?([-+\w.]+)"?/g;

/** fairseq. */
export const fairseq: LogFormat = {
  name: 'fairseq',
  title: 'fairseq',
  source: 'facebookresearch/fairseq, logging/progress_bar.py (#506, #940, #1967, #2201, #2338)',
  note: 'The step is `num_updates`; what stands before the values counts within the epoch. `wps` is of all GPUs together.',
  anchors: ['num_updates', ' wps=', '"wps"'],
  detect: /\bepoch \d+(?::\s+\d+ \/ \d+|\s*\|)|\{"epoch": \d+,.*"(?:\w+_)?num_updates"/,
  fields: {
    epoch: { as: 'epoch' },
    loss: { as: 'loss' },
    train_loss: { as: 'loss' },
    valid_loss: { as: 'validationLoss' },
    wps: { as: 'tokensPerSecond', scope: 'global' },
    train_wps: { as: 'tokensPerSecond', scope: 'global' },
    ups: { as: 'iterationsPerSecond' },
    train_ups: { as: 'iterationsPerSecond' },
    num_updates: { as: 'step' },
    train_num_updates: { as: 'step' },
    valid_num_updates: { as: 'step' },
    lr: { as: 'learningRate' },
    train_lr: { as: 'learningRate' },
    gnorm: { as: 'gradNorm' },
    train_gnorm: { as: 'gradNorm' },
    wall: { as: 'elapsedSeconds' },
    train_wall: { as: 'metric' },
  },
  read(text, draft) {
    const open = text.indexOf('{"epoch": ');
    if (open >= 0) {
      readEntries(text.slice(open), quoted, fairseq, draft);
      return undefined;
    }
    const head = /\bepoch (\d+)(?::\s+(\d+) \/ (\d+))?/.exec(text);
    takeField('epoch', head?.[1], draft);
    takeField('stepInEpoch', head?.[2], draft);
    takeField('stepsPerEpoch', head?.[3], draft);
    const rest = text.slice((head?.index ?? 0) + (head?.[0].length ?? 0));
    if (/\|\s*valid on\b/.test(rest)) readValidation(rest, draft);
    else readEntries(rest, head?.[2] === undefined ? piped : assigned, fairseq, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '2022-04-03 19:26:44 | INFO | train_inner | epoch 003:    780 / 2150 loss=5.618, nll_loss=4.127, ppl=17.47, wps=88213.6, ups=1.71, wpb=51587.1, bsz=1893.4, num_updates=5080, lr=0.000443, gnorm=1.062, clip=0, loss_scale=8, train_wall=57, gb_free=21.3, wall=3118',
      values: [
        {
          epoch: 3,
          stepInEpoch: 780,
          stepsPerEpoch: 2150,
          step: 5080,
          loss: 5.618,
          tokensPerSecond: 88213.6,
          tokensPerSecondScope: 'global',
          iterationsPerSecond: 1.71,
          learningRate: 0.000443,
          gradNorm: 1.062,
          elapsedSeconds: 3118,
          other: {
            nll_loss: 4.127,
            ppl: 17.47,
            wpb: 51587.1,
            bsz: 1893.4,
            clip: 0,
            loss_scale: 8,
            train_wall: 57,
            gb_free: 21.3,
          },
        },
      ],
    },
    {
      lines:
        "2022-04-03 19:41:02 | INFO | valid | epoch 003 | valid on 'valid' subset | loss 5.204 | nll_loss 3.711 | ppl 13.09 | wps 190412 | num_updates 6450 | best_loss 5.204\n" +
        '{"epoch": 9, "update": 8.412, "loss": "4.377", "ppl": "12.61", "wps": "91055.2", "ups": "1.76", "num_updates": "18090", "lr": "0.000235", "gnorm": "0.944", "train_wall": "56", "wall": "10877"}',
      values: [
        {
          epoch: 3,
          step: 6450,
          validationLoss: 5.204,
          other: { nll_loss: 3.711, ppl: 13.09, wps: 190412, best_loss: 5.204 },
        },
        {
          epoch: 9,
          step: 18090,
          loss: 4.377,
          tokensPerSecond: 91055.2,
          tokensPerSecondScope: 'global',
          iterationsPerSecond: 1.76,
          learningRate: 0.000235,
          gradNorm: 0.944,
          elapsedSeconds: 10877,
          other: { update: 8.412, ppl: 12.61, train_wall: 56 },
        },
      ],
    },
  ],
};

/** Its rate is the validation's. */
function readValidation(text: string, draft: Draft): void {
  const fields = { loss: { as: 'validationLoss' }, num_updates: { as: 'step' } } as const;
  readEntries(text, piped, { ...onlyMetrics, fields }, draft);
}

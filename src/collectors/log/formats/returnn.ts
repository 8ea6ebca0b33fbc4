import { readDuration } from '../numbers.ts';
import { onlyMetrics, takeEntry, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=, )([a-z][\w:.]*) ([-+\w.]+)(?: ?([KMGT]B))?(?=,|\s*$)/gi;

/** RETURNN. */
export const returnn: LogFormat = {
  name: 'returnn',
  title: 'RETURNN',
  source: 'rwth-i6/returnn, torch/engine.py and tf/engine.py',
  note: 'Steps count within an epoch; its losses have names of the network’s.',
  anchors: ['exp. remaining', 'sec/step'],
  detect: /\bep \d+ (?:train|dev|devtrain), step \d+, |epoch \d+, step \d+, .*\bsec\/step.*exp\. remaining/,
  read(text, draft) {
    const [, epoch, set = 'train', step] = /\bep(?:och)? (\d+)(?: (\w+))?, step (\d+)/.exec(text) ?? [];
    if (set === 'train') {
      takeField('epoch', epoch, draft);
      takeField('stepInEpoch', step, draft);
      takeField('stepSeconds', /, ([\d.]+) sec\/step/.exec(text)?.[1], draft);
      takeField('memoryBytes', /\bmem_usage:\S+ ([\d.]+ ?[KMGT]i?B)/.exec(text)?.[1], draft);
      const left = readDuration(/exp\. remaining ([\d:]+)/.exec(text)?.[1] ?? '');
      if (left !== undefined) draft.other('epoch_eta_seconds', left);
    }
    for (const [, key = '', value = ''] of text.matchAll(entry)) {
      if (!/^(?:step|complete|elapsed|exp|mem_usage)/.test(key))
        takeEntry(set === 'train' ? key : `${set}_${key}`, value, onlyMetrics, draft);
    }
    return undefined;
  },
  examples: [
    {
      lines:
        'ep 14 train, step 207, ctc 1.318, aed_ce 0.902, num_seqs 48, max_size:time 221840, mem_usage:cuda:0 26.4GB, 0.713 sec/step, elapsed 0:02:31, exp. remaining 0:17:42, complete 12.47%',
      values: [
        {
          epoch: 14,
          stepInEpoch: 207,
          stepSeconds: 0.713,
          memoryBytes: 26400000000,
          other: { epoch_eta_seconds: 1062, ctc: 1.318, aed_ce: 0.902, num_seqs: 48, 'max_size:time': 221840 },
        },
      ],
    },
  ],
};

import { readEntries, takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /;\s*([a-z]+):\s*([-+\w.]+)(?=;)/g;

/** OpenNMT-py. */
export const opennmt: LogFormat = {
  name: 'opennmt',
  title: 'OpenNMT-py',
  source: 'OpenNMT/OpenNMT-py, utils/statistics.py',
  note: 'The loss is `xent`; the two rates are of the source’s and the target’s tokens.',
  anchors: [' tok/s;'],
  detect: /\bStep \d+\/\s*\d+; acc: /,
  fields: { xent: { as: 'loss' }, lr: { as: 'learningRate' } },
  read(text, draft) {
    const head = /\bStep (\d+)\/\s*(\d+)(?=;)/.exec(text);
    takeField('step', head?.[1], draft);
    takeField('totalSteps', head?.[2], draft);
    readEntries(text.slice((head?.index ?? 0) + (head?.[0].length ?? 0)), entry, opennmt, draft);
    const [, source, target] = /;\s*([\d.]+)\/\s*([\d.]+) tok\/s;/.exec(text) ?? [];
    takeMetric('src tok/s', source, draft);
    takeMetric('tgt tok/s', target, draft);
    takeField('elapsedSeconds', /tok\/s;\s*(\d+) sec/.exec(text)?.[1], draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[2024-07-08 13:20:15,664 INFO] Step 1350/100000; acc: 31.7; ppl: 58.4; xent: 4.1; lr: 0.00021; sents: 27114; bsz: 4390/3871/21; 21940/19346 tok/s; 418 sec;',
      values: [
        {
          step: 1350,
          totalSteps: 100000,
          loss: 4.1,
          learningRate: 0.00021,
          elapsedSeconds: 418,
          other: { acc: 31.7, ppl: 58.4, sents: 27114, 'src tok/s': 21940, 'tgt tok/s': 19346 },
        },
      ],
    },
  ],
};

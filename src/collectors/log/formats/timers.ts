import type { Draft } from '../draft.ts';
import { exact } from '../numbers.ts';
import { takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /\|\s*([^|:]{1,100}?):\s*([^|]+)/g;
/** What several numbers of a timer are, in their order: `time (ms) avg/max over ranks |`. */
const order = /time \((ms|s)\)([^|:\d]{0,80})\|/;
const statistic = /\b(avg|average|mean|max(?:imum)?|min(?:imum)?|median)\b/gi;
const row = /^\s*([A-Za-z][\w /()-]{0,100}?) ?\.*:\s*(?:\(([\d.]+), ([\d.]+)\)|([\d.]+))\s*$/;

/** The timers of Megatron-LM, DeepSpeed and GPT-NeoX: a line, or a block of (min, max) across ranks. */
export const timers: LogFormat = {
  name: 'timers',
  title: 'Timers of Megatron-LM, DeepSpeed and GPT-NeoX',
  source: 'NVIDIA/Megatron-LM, megatron/core/timers.py; deepspeedai/DeepSpeed, utils/timer.py',
  note: 'Of a block, the slowest rank is the maximum; of `(min, max)` there is no average.',
  anchors: ['time (ms) ', 'time (s) ', 'across ranks (ms):'],
  detect:
    /(?:^|\s)time \(ms\) \||(?:^|\s)time \(m?s\)[^|:\d]{0,40}\b(?:avg|average|mean|max|min)\b[^|:\d]{0,40}\||time across ranks \(ms\):/,
  continues: (line, first) => first.includes('across ranks (ms):') && row.test(line),
  read(text, draft) {
    const [head, unit, words = ''] = order.exec(text) ?? [];
    if (head === undefined) readBlock(text, draft);
    else readLine(text.slice(text.indexOf(head)), unit === 's' ? 's' : 'ms', words.match(statistic) ?? [], draft);
    return undefined;
  },
  examples: [
    {
      lines: 'time (ms) | forward-compute: 311.42 | backward-compute: 597.08 | optimizer: 48.91',
      values: [
        {
          stages: [
            { name: 'forward-compute', averageMs: 311.42 },
            { name: 'backward-compute', averageMs: 597.08 },
            { name: 'optimizer', averageMs: 48.91 },
          ],
        },
      ],
    },
    {
      lines:
        '    time (ms) min/max/avg over ranks | forward: 2302.10/2502.18/2411.30 | ep-all-to-all: 500.02/1204.55/611.92 |',
      values: [
        {
          stages: [
            { name: 'forward', maximumMs: 2502.18, averageMs: 2411.3 },
            { name: 'ep-all-to-all', maximumMs: 1204.55, averageMs: 611.92 },
          ],
        },
      ],
    },
    {
      lines:
        '(min, max) time across ranks (ms):\n    forward-backward ...............................: (812.07, 831.55)\n    all-grads-sync .................................: (3.18, 4.02)',
      values: [
        {
          stages: [
            { name: 'forward-backward', maximumMs: 831.55 },
            { name: 'all-grads-sync', maximumMs: 4.02 },
          ],
        },
      ],
    },
  ],
};

/** Of several numbers those are taken of which it is told what they are. */
function readLine(text: string, unit: 'ms' | 's', told: readonly string[], draft: Draft): void {
  for (const [, key = '', value = ''] of text.matchAll(entry)) {
    const name = key.trim();
    const numbers = value.match(/[\d.]+/g) ?? [];
    if (told.length === 0) takeStage(name, value, unit, draft);
    else if (numbers.length === told.length && /^\(?[\d.]+(?:\s?[/,]\s?[\d.]+)*\)?\s*$/.test(value))
      told.forEach((word, i) => {
        const milliseconds = exact(Number(numbers[i]) * (unit === 's' ? 1000 : 1));
        if (/^(?:avg|average|mean)$/i.test(word)) draft.stage({ name, averageMs: milliseconds });
        else if (/^max/i.test(word)) draft.stage({ name, maximumMs: milliseconds });
      });
  }
}

function readBlock(text: string, draft: Draft): void {
  for (const line of text.split('\n').slice(1)) {
    const [, name, , maximum, only] = row.exec(line) ?? [];
    if (name !== undefined) draft.stage({ name, maximumMs: Number(maximum ?? only) });
  }
}

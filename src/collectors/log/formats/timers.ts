import { takeStage } from './entries.ts';
import type { Draft } from '../draft.ts';
import type { LogFormat } from './format.ts';

const entry = /\|\s*([^|:]{1,100}?):\s*([^|]+)/g;
const row = /^\s*([A-Za-z][\w /()-]{0,100}?) ?\.*:\s*(?:\(([\d.]+), ([\d.]+)\)|([\d.]+))\s*$/;

/** The timers of Megatron-LM, DeepSpeed and GPT-NeoX: a line, or a block of (min, max) across ranks. */
export const timers: LogFormat = {
  name: 'timers',
  title: 'Timers of Megatron-LM, DeepSpeed and GPT-NeoX',
  source: 'NVIDIA/Megatron-LM, megatron/core/timers.py; deepspeedai/DeepSpeed, utils/timer.py',
  note: 'Of a block, the slowest rank is the maximum; of `(min, max)` there is no average.',
  anchors: ['time (ms) |', 'across ranks (ms):'],
  detect: /(?:^|\s)time \(ms\) \||time across ranks \(ms\):/,
  continues: (line, first) => first.includes('across ranks (ms):') && row.test(line),
  read(text, draft) {
    const at = text.indexOf('time (ms) |');
    if (at < 0) readBlock(text, draft);
    else {
      for (const [, name = '', value] of text.slice(at).matchAll(entry)) takeStage(name.trim(), value, 'ms', draft);
    }
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

function readBlock(text: string, draft: Draft): void {
  for (const line of text.split('\n').slice(1)) {
    const [, name, , maximum, only] = row.exec(line) ?? [];
    if (name !== undefined) draft.stage({ name, maximumMs: Number(maximum ?? only) });
  }
}

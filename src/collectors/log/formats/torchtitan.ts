import { onlyMetrics, takeEntry, takeField, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<!\w)(\w{1,60}):\s+(\S+?)(?:\((\d+(?:\.\d+)?)%\))?(?=\s|$)/g;

/** torchtitan. */
export const torchtitan: LogFormat = {
  name: 'torchtitan',
  title: 'torchtitan',
  source: 'pytorch/torchtitan, components/metrics.py (b5bcd76c6)',
  note: '`tps` is per GPU, `memory` the peak that was reserved; every rank may print.',
  anchors: ['step:', '[GC]'],
  detect: /\bstep:\s+\d[\d,]*\s+loss:\s.*\b(?:memory|tps|mfu):|\[GC\].*\d seconds/,
  scope: 'gpu',
  fields: {
    step: { as: 'step' },
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    memory: { as: 'memoryBytes' },
    tps: { as: 'tokensPerSecond', scope: 'gpu' },
    tflops: { as: 'tflopsPerSecond' },
    mfu: { as: 'mfuPercent' },
  },
  read(text, draft) {
    const collection = /\[GC\].*?(\d{1,9}(?:\.\d{1,9})?) seconds/.exec(text);
    if (collection) return void takeStage('GC', collection[1], 's', draft);
    const validation = /\bvalidate step:/.test(text);
    const from = text.search(/\bstep:\s/);
    entry.lastIndex = Math.max(0, from);
    for (let match = entry.exec(text); match; match = entry.exec(text)) {
      const [, key = '', value = '', share] = match;
      if (validation && key === 'loss') takeField('validationLoss', value, draft);
      // The rate of the validation is none of the training's.
      else takeEntry(key, value, validation && key === 'tps' ? onlyMetrics : torchtitan, draft);
      if (share !== undefined) draft.other(`${key}_percent`, Number(share));
    }
    return undefined;
  },
  examples: [
    {
      lines:
        '[titan] 2026-03-02 09:14:51,207 - root - INFO - step: 37  loss:  5.81742  grad_norm:  1.2063  memory: 41.25GiB(52.08%)  tps: 6,418  tflops: 331.07  mfu: 33.47%',
      values: [
        {
          step: 37,
          loss: 5.81742,
          gradNorm: 1.2063,
          memoryBytes: 44291850240,
          tokensPerSecond: 6418,
          tokensPerSecondScope: 'gpu',
          tflopsPerSecond: 331.07,
          mfuPercent: 33.47,
          other: { memory_percent: 52.08, tflops: 331.07 },
        },
      ],
    },
    {
      lines:
        '[titan] 2026-03-02 09:20:13,551 - root - INFO - validate step: 40  loss:  5.7711  memory: 41.25GiB(52.08%)  tps: 17,902\n' +
        '[titan] 2026-03-02 09:20:14,018 - root - INFO - [GC] Performing periodic GC collection took 0.11 seconds',
      values: [
        {
          step: 40,
          validationLoss: 5.7711,
          memoryBytes: 44291850240,
          other: { memory_percent: 52.08, tps: 17902 },
        },
        { stages: [{ name: 'GC', averageMs: 110 }] },
      ],
    },
  ],
};

import { readEntries, takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<![\w.])(\w+)=(\[[^=]*\]|[^,\s/]+)/g;

/** DeepSpeed's engine. */
export const deepspeed: LogFormat = {
  name: 'deepspeed',
  title: 'DeepSpeed',
  source: 'deepspeedai/DeepSpeed, runtime/engine.py and utils/timer.py (#1825, #3742, #5779)',
  note: '`MaxMemAllocated` is the peak; its GB are taken for 10^9 bytes, as printed.',
  anchors: ['SamplesPerSec=', ', skipped=', ' Max_MA '],
  detect: /SamplesPerSec=|\bstep=\d+, skipped=\d+, lr=|\bMA [\d.]+ GB\s+Max_MA [\d.]+ GB/,
  fields: {
    epoch: { as: 'epoch' },
    step: { as: 'step' },
    global_step: { as: 'step' },
    lr: { as: 'learningRate' },
    SamplesPerSec: { as: 'samplesPerSecond' },
    CurrSamplesPerSec: { as: 'samplesPerSecond' },
    MaxMemAllocated: { as: 'memoryBytes', unit: 'GB' },
    rank: { as: 'nothing' },
  },
  read(text, draft) {
    const [, used, most, cached] = /\bMA ([\d.]+ GB)\s+Max_MA ([\d.]+ GB)\s+CA ([\d.]+ GB)/.exec(text) ?? [];
    takeField('memoryBytes', most, draft);
    takeMetric('MA', used, draft);
    takeMetric('CA', cached, draft);
    const micro = /(?:^|\s)(\d+)\/(\d+), (?:Running|Curr|Samples)/.exec(text);
    takeField('epoch', micro?.[1], draft);
    takeMetric('micro_step', micro?.[2], draft);
    readEntries(text, entry, deepspeed, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[2024-05-20 08:31:17,402] [INFO] [logging.py:96:log_dist] [Rank 0] step=150, skipped=1, lr=[1.2e-05, 1.2e-05], mom=[(0.9, 0.95)]',
      values: [{ step: 150, learningRate: 1.2e-5, other: { skipped: 1 } }],
    },
    {
      lines:
        '[2024-05-20 08:31:17,409] [INFO] [timer.py:258:stop] epoch=1/micro_step=600/global_step=150, RunningAvgSamplesPerSec=31.40712905, CurrSamplesPerSec=32.18854731, MemAllocated=18.07GB, MaxMemAllocated=44.92GB',
      values: [
        {
          epoch: 1,
          step: 150,
          samplesPerSecond: 32.18854731,
          memoryBytes: 44920000000,
          other: { micro_step: 600, RunningAvgSamplesPerSec: 31.40712905, MemAllocated: 18.07 },
        },
      ],
    },
    {
      lines:
        '[2024-05-20 08:30:58,114] [INFO] [utils.py:782:see_memory_usage] MA 11.62 GB         Max_MA 13.8 GB         CA 14.05 GB         Max_CA 14 GB',
      values: [{ memoryBytes: 13800000000, other: { MA: 11.62, CA: 14.05 } }],
    },
  ],
};

import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /^\s*([^=\n]+)=([^\n]+)$/gm;

/** OLMo-core and OLMo. */
export const olmoCore: LogFormat = {
  name: 'olmo_core',
  title: 'OLMo-core, OLMo',
  source: 'allenai/OLMo-core, train/callbacks/console_logger.py (fa6c501); allenai/OLMo, olmo/train.py',
  note: 'A block of lines; rates are per GPU.',
  anchors: ['[step='],
  detect: /\[step=\d+(?:\/(?:\d+|\?+))?,epoch=\d+/,
  continues: (line) => /^\s{4}\S[^=]*=\S/.test(line),
  scope: 'gpu',
  fields: {
    'optim/LR (group 0)': { as: 'learningRate' },
    'optim/learning_rate_group0': { as: 'learningRate' },
    'optim/total grad norm': { as: 'gradNorm' },
    'optim/total_grad_norm': { as: 'gradNorm' },
    'throughput/device/MFU': { as: 'mfuPercent' },
    'throughput/device/TPS': { as: 'tokensPerSecond', scope: 'gpu' },
    'throughput/device/tokens_per_second': { as: 'tokensPerSecond', scope: 'gpu' },
    'throughput/device/BPS': { as: 'iterationsPerSecond' },
    'throughput/device/batches_per_second': { as: 'iterationsPerSecond' },
    'throughput/device/data loading (s)': { as: 'stage' },
    'throughput/device/data loading (%)': { as: 'metric' },
    'system/GPU active mem (GiB)': { as: 'memoryBytes', unit: 'GiB' },
    'train/CE loss': { as: 'loss' },
    'train/CrossEntropyLoss': { as: 'loss' },
  },
  read(text, draft) {
    const [, step, total, epoch] = /\[step=(\d{1,15})(?:\/(\d{1,15}))?[^,\]]{0,20},epoch=(\d{1,9})/.exec(text) ?? [];
    takeField('step', step, draft);
    takeField('totalSteps', total, draft);
    takeField('epoch', epoch, draft);
    takeField('etaSeconds', /[[,]eta=([\dhms: days,]+?)(?:\]| \()/.exec(text)?.[1], draft);
    const end = text.indexOf('\n');
    if (end >= 0) readEntries(text.slice(end + 1), entry, olmoCore, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[2026-02-03 19:44:20] INFO     [olmo_core.train.callbacks.console_logger:78, rank=0] [step=4210/95000,epoch=1,eta=3h 51m]\n' +
        '    optim/LR (group 0)=4.1E-04\n' +
        '    optim/total grad norm=0.295\n' +
        '    throughput/device/BPS=0.731\n' +
        '    throughput/device/TPS=38,904\n' +
        '    throughput/device/data loading (s)=0.0034\n' +
        '    throughput/total tokens=17.7B\n' +
        '    train/CE loss=2.761',
      values: [
        {
          step: 4210,
          totalSteps: 95000,
          epoch: 1,
          etaSeconds: 13860,
          learningRate: 0.00041,
          gradNorm: 0.295,
          iterationsPerSecond: 0.731,
          tokensPerSecond: 38904,
          tokensPerSecondScope: 'gpu',
          loss: 2.761,
          stages: [{ name: 'throughput/device/data loading (s)', averageMs: 3.4 }],
          other: { 'throughput/total tokens': 17700000000 },
        },
      ],
    },
  ],
};

import { onlyMetrics, readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /^\s*Train ([^:]+): (\S+)/gm;
const evaluation = /^\s*Eval ([^:]+): (\S+)/gm;

/** MosaicML Composer and LLM Foundry. */
export const composer: LogFormat = {
  name: 'composer',
  title: 'MosaicML Composer, LLM Foundry',
  source: 'mosaicml/composer, loggers/console_logger.py; mosaicml/llm-foundry#244, #444',
  note: 'A block of lines; `time/total` is in hours, `mfu` a share of 1; a learning rate of four decimals that are 0 is none.',
  anchors: ['[batch=', '[epoch=', '[ba='],
  detect: /^\s*(?:\[(?:Eval )?(?:epoch|batch|ba|ep)=\d+(?:\/\d+)?\])+:?\s*(?:\n|$)/,
  continues: (line) => /^\s+(?:Train|Eval) [\w/.-]+[^:]*: /.test(line),
  fields: {
    'time/epoch': { as: 'epoch' },
    'time/total': { as: 'elapsedSeconds', unit: 'h' },
    'memory/allocated_mem': { as: 'memoryBytes', unit: 'GB' },
    'memory/current_allocated_mem': { as: 'metric' },
    'memory/peak_allocated_mem': { as: 'memoryBytes', unit: 'GB' },
    'loss/train/total': { as: 'loss' },
    'throughput/tokens_per_sec': { as: 'tokensPerSecond', scope: 'global' },
    'throughput/samples_per_sec': { as: 'samplesPerSecond' },
    'throughput/batches_per_sec': { as: 'iterationsPerSecond' },
    'throughput/device/mfu': { as: 'mfuPercent', unit: 'fraction' },
    'l2_norm/grad/global': { as: 'gradNorm' },
  },
  read(text, draft) {
    takeField('step', /(?:batch|ba)=(\d+)/.exec(text)?.[1], draft);
    takeField('totalSteps', /(?:batch|ba)=\d+\/(\d+)/.exec(text)?.[1], draft);
    if (!/(?:batch|ba)=/.test(text)) takeField('epoch', /(?:epoch|ep)=(\d+)/.exec(text)?.[1], draft);
    // Of four decimals that are 0 nothing is known.
    readEntries(text.replace(/lr-[^:\n]+: .*$/gm, ''), entry, composer, draft);
    takeField('learningRate', /lr-[^:\n]+: (\S*[1-9]\S*)/.exec(text)?.[1], draft);
    readEntries(text, evaluation, onlyMetrics, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[batch=640/4800]:\n' +
        '         Train time/epoch: 0\n' +
        '         Train time/total: 1.3075\n' +
        '         Train memory/peak_allocated_mem: 22.4180\n' +
        '         Train loss/train/total: 3.0716\n' +
        '         Train throughput/tokens_per_sec: 88034.7716\n' +
        '         Train throughput/device/mfu: 0.4127\n' +
        '         Train lr-DecoupledAdamW/group0: 0.0006',
      values: [
        {
          step: 640,
          totalSteps: 4800,
          epoch: 0,
          elapsedSeconds: 4707,
          memoryBytes: 22418000000,
          loss: 3.0716,
          tokensPerSecond: 88034.7716,
          tokensPerSecondScope: 'global',
          mfuPercent: 41.27,
          learningRate: 0.0006,
        },
      ],
    },
  ],
};

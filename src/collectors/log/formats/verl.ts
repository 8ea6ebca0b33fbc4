import type { Draft } from '../draft.ts';
import { takeEntry, takeField, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

/** verl. */
export const verl: LogFormat = {
  name: 'verl',
  title: 'verl',
  source: 'volcengine/verl, utils/logger/aggregate_logger.py (#1208, #2566, #7412)',
  note: 'One long line of ` - key:value`. `perf/throughput` is per GPU; a learning rate of three decimals that are 0 is none, and an MFU above 1 is not believed.',
  anchors: ['step:'],
  detect: /^\s*step:\d+ - [\w/@()-]+:[-+\dn]/,
  fields: {
    'actor/grad_norm': { as: 'gradNorm' },
    'actor/pg_loss': { as: 'loss' },
    'train/loss': { as: 'loss' },
    'train/grad_norm': { as: 'gradNorm' },
    'train/time(s)': { as: 'stepSeconds' },
    'val/loss': { as: 'validationLoss' },
    'perf/throughput': { as: 'tokensPerSecond', scope: 'gpu' },
    'perf/max_memory_allocated_gb': { as: 'memoryBytes', unit: 'GB' },
    'training/epoch': { as: 'epoch' },
    'training/global_step': { as: 'step' },
    'timing_s/step': { as: 'stepSeconds' },
    'perf/time_per_step': { as: 'metric' },
    'actor/lr': { as: 'nothing' },
    'train/lr(1e-3)': { as: 'nothing' },
  },
  read(text, draft) {
    const at = text.search(/step:\d+ - /);
    for (const part of text.slice(Math.max(0, at)).replace(/\n/g, '').split(' - ')) readPart(part.trim(), draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'step:31 - actor/kl_loss:0.004 - actor/pg_loss:-0.013 - actor/grad_norm:0.217 - actor/lr:0.000 - perf/mfu/actor:0.412 - perf/max_memory_allocated_gb:48.307 - critic/rewards/mean:0.381 - timing_s/gen:58.114 - timing_s/update_actor:21.907 - timing_s/step:94.220 - perf/throughput:988.514',
      values: [
        {
          step: 31,
          loss: -0.013,
          gradNorm: 0.217,
          mfuPercent: 41.2,
          memoryBytes: 48307000000,
          stepSeconds: 94.22,
          tokensPerSecond: 988.514,
          tokensPerSecondScope: 'gpu',
          stages: [
            { name: 'gen', averageMs: 58114 },
            { name: 'update_actor', averageMs: 21907 },
          ],
          other: { 'actor/kl_loss': 0.004, 'critic/rewards/mean': 0.381 },
        },
      ],
    },
  ],
};

function readPart(part: string, draft: Draft): void {
  const colon = part.lastIndexOf(':');
  if (colon < 0) return;
  const [key, value] = [part.slice(0, colon), part.slice(colon + 1)];
  if (key === 'step') return takeField('step', value, draft);
  const [, stage] = /^timing_s\/(.+)$/.exec(key) ?? [];
  if (stage !== undefined && stage !== 'step') return takeStage(stage, value, 's', draft);
  if (key === 'actor/lr' && Number(value) > 0) takeField('learningRate', value, draft);
  if (key === 'train/lr(1e-3)' && Number(value) > 0) takeField('learningRate', `${value}e-3`, draft);
  if (key === 'perf/mfu/actor' && Number(value) <= 1) takeField('mfuPercent', value, draft, 'fraction');
  else takeEntry(key, value, verl, draft);
}

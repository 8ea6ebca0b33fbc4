import type { Draft } from '../draft.ts';
import { readDict } from './dict.ts';
import { takeField, takeMetric, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const times = /['"]perf\/(\w+)_time['"]:\s*([\d.eE+-]+)/g;

/** slime and Miles. */
export const slime: LogFormat = {
  name: 'slime',
  title: 'slime, Miles',
  source: 'THUDM/slime, backends/megatron_utils/data.py and model.py; Miles, docs',
  note: '`step N` is the trainer’s, `rollout N` and `perf N` count rollouts; times are in seconds.',
  anchors: ["'perf/", "'train/", "'rollout/"],
  detect: /\b(?:perf|step|rollout|eval) \d+: \{'(?:perf|train|rollout|eval)\//,
  fields: {
    'train/loss': { as: 'loss' },
    'train/grad_norm': { as: 'gradNorm' },
    'train/lr-pg_0': { as: 'learningRate' },
    'train/step': { as: 'metric' },
    'perf/actor_train_tflops': { as: 'tflopsPerSecond' },
  },
  read(text, draft) {
    const head = /\b(perf|step|rollout|eval) (\d+): \{/.exec(text);
    if (!head) return text;
    const [, what, number] = head;
    if (what === 'step') takeField('step', number, draft);
    else takeMetric('rollout', number, draft);
    for (const [, name = '', seconds] of text.matchAll(times)) readTime(name, seconds, draft);
    readDict(text.slice(head.index).replace(times, ''), slime, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        "[2026-04-21 11:02:37] model.py:412 - step 9: {'train/loss': 0.0047, 'train/pg_loss': 0.0031, 'train/grad_norm': 0.388, 'train/lr-pg_0': 1e-06, 'train/step': 9}\n" +
        "[2026-04-21 11:02:39] data.py:288 - perf 9: {'perf/train_wait_time': 84.7, 'perf/actor_train_time': 52.6, 'perf/step_time': 139.8, 'perf/wait_time_ratio': 0.606}",
      values: [
        {
          step: 9,
          loss: 0.0047,
          gradNorm: 0.388,
          learningRate: 1e-6,
          other: { 'train/pg_loss': 0.0031, 'train/step': 9 },
        },
        {
          stepSeconds: 139.8,
          stages: [
            { name: 'train_wait', averageMs: 84700 },
            { name: 'actor_train', averageMs: 52600 },
          ],
          other: { rollout: 9, 'perf/wait_time_ratio': 0.606 },
        },
      ],
    },
  ],
};

function readTime(name: string, seconds: string | undefined, draft: Draft): void {
  if (name === 'step') takeField('stepSeconds', seconds, draft);
  else takeStage(name, seconds, 's', draft);
}

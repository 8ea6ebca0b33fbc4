import type { LogFormat } from './format.ts';

/** torchtitan. */
export const torchtitan: LogFormat = {
  name: 'torchtitan',
  title: 'torchtitan',
  source: 'pytorch/torchtitan, components/metrics.py (b5bcd76c6)',
  note: '`tps` is per GPU; every rank may print',
  anchors: ['step:'],
  detect: /\bstep:\s+\d+\s+loss:\s.*\b(?:memory|tps):/,
  fields: { tps: { as: 'tokensPerSecond', scope: 'gpu' }, tflops: { as: 'tflopsPerSecond' } },
  examples: [
    {
      lines:
        '[titan] 2026-05-18 16:04:46,338 - root - INFO - step: 14  loss:  3.24406  grad_norm:  0.8310  memory:  9.47GiB(64.90%)  tps: 7,282  tflops: 0.53  mfu: 0.18%',
      values: [],
    },
  ],
};

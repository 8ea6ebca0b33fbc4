import { takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=[.,] |batch,? )(#?[a-z][\w -]*(?:\([\w/]+\))?): ([\d.]+)(?=[,.]?(?:\s|$))/g;

/** SGLang's scheduler: the rollouts' side of a run, or a server beside it. */
export const sglang: LogFormat = {
  name: 'sglang',
  title: 'SGLang',
  source: 'sgl-project/sglang, srt/managers/scheduler_metrics_mixin.py',
  note: 'Its tokens a second are none of the training’s; its requests are queues.',
  anchors: ['#running-req:', '#queue-req:'],
  detect: /\b(?:Prefill|Decode) batch\b.*#(?:running|queue)-req: \d/,
  read(text, draft) {
    draft.metrics();
    for (const [, key = '', value] of text.slice(text.search(/(?:Prefill|Decode) batch/)).matchAll(entry)) {
      if (/^#(?:running|queue)-req$/.test(key)) draft.queue({ name: key, depth: Number(value) }, 'surely');
      else takeMetric(key, value, draft);
    }
    return undefined;
  },
  examples: [
    {
      lines:
        '[2026-01-30 05:14:19 TP0] Decode batch. #running-req: 41, #token: 60217, token usage: 0.38, cuda graph: True, gen throughput (token/s): 2315.77, #queue-req: 6\n' +
        '[2026-01-30 05:14:21 TP0] Prefill batch, #new-seq: 3, #new-token: 1792, #cached-token: 256, token usage: 0.39, #running-req: 41, #queue-req: 3',
      values: [
        {
          queues: [
            { name: '#running-req', depth: 41 },
            { name: '#queue-req', depth: 6 },
          ],
          other: { '#token': 60217, 'token usage': 0.38, 'gen throughput (token/s)': 2315.77 },
        },
        {
          queues: [
            { name: '#running-req', depth: 41 },
            { name: '#queue-req', depth: 3 },
          ],
          other: { '#new-seq': 3, '#new-token': 1792, '#cached-token': 256, 'token usage': 0.39 },
        },
      ],
    },
  ],
};

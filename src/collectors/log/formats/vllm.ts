import type { Draft } from '../draft.ts';
import { takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /([A-Z][\w ]*?): ([\d.]+)( reqs|%| tokens\/s| tokens)?(?=[,.]?(?:\s|$))/g;

/** vLLM's engine: the rollouts' side of a run, or a server beside it. */
export const vllm: LogFormat = {
  name: 'vllm',
  title: 'vLLM',
  source: 'vllm-project/vllm, v1/metrics/loggers.py, engine/metrics.py (#7540, #11517, #19680, #43295)',
  note: 'Its tokens a second are none of the training’s; its requests are queues.',
  anchors: ['prompt throughput', 'SpecDecoding metrics'],
  detect: /Avg prompt throughput: [\d.]+ tokens\/s|SpecDecoding metrics: /,
  read(text, draft) {
    draft.metrics();
    const rest = text.slice(text.search(/Avg prompt throughput|SpecDecoding metrics/));
    for (const [, key = '', value, unit] of rest.replace('SpecDecoding metrics: ', '').matchAll(entry))
      take(key, value, unit, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'INFO 11-20 07:31:42 [loggers.py:127] Engine 000: Avg prompt throughput: 803.6 tokens/s, Avg generation throughput: 4120.9 tokens/s, Running: 96 reqs, Waiting: 31 reqs, GPU KV cache usage: 88.4%, Prefix cache hit rate: 12.7%\n' +
        'INFO 11-20 07:31:42 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 3.08, Accepted throughput: 210.45 tokens/s, Drafted throughput: 303.60 tokens/s',
      values: [
        {
          queues: [
            { name: 'Running', depth: 96 },
            { name: 'Waiting', depth: 31 },
          ],
          other: {
            'Avg prompt throughput': 803.6,
            'Avg generation throughput': 4120.9,
            'GPU KV cache usage_percent': 88.4,
            'Prefix cache hit rate_percent': 12.7,
          },
        },
        { other: { 'Mean acceptance length': 3.08, 'Accepted throughput': 210.45, 'Drafted throughput': 303.6 } },
      ],
    },
  ],
};

function take(key: string, value: string | undefined, unit: string | undefined, draft: Draft): void {
  if (unit === ' reqs') draft.queue({ name: key, depth: Number(value) }, 'surely');
  else takeMetric(unit === '%' ? `${key}_percent` : key, value, draft);
}

import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

/** TensorFlow's estimators, and what is made from them. */
export const tensorflow: LogFormat = {
  name: 'tensorflow',
  title: 'TensorFlow Estimator',
  source: 'tensorflow/estimator, training hooks (basic_session_run_hooks.py)',
  note: 'The seconds in parentheses are those since the line before.',
  anchors: [', step = ', 'global_step/sec', 'examples/sec'],
  detect: /(?:^|[\s:])loss = [-+\w.]+, step = \d+|global_step\/sec: [\d.]+|\bexamples\/sec: [\d.]+/,
  read(text, draft) {
    takeField('loss', /(?:^|[\s:])loss = ([-+\w.]+), step/.exec(text)?.[1], draft);
    takeField('step', /, step = (\d+)/.exec(text)?.[1], draft);
    takeMetric('sec', /, step = \d+ \(([\d.]+) sec\)/.exec(text)?.[1], draft);
    takeField('iterationsPerSecond', /global_step\/sec: ([\d.]+)/.exec(text)?.[1], draft);
    takeField('samplesPerSecond', /\bexamples\/sec: ([\d.]+)/.exec(text)?.[1], draft);
    return undefined;
  },
  examples: [
    {
      lines: 'INFO:tensorflow:loss = 1.8402717, step = 2300 (17.604 sec)\nINFO:tensorflow:global_step/sec: 5.68048',
      values: [{ loss: 1.8402717, step: 2300, other: { sec: 17.604 } }, { iterationsPerSecond: 5.68048 }],
    },
  ],
};

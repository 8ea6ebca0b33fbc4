import type { LogFormat } from './format.ts';
import { createTaker } from './taker.ts';

/** TensorFlow's estimators, and what is made from them. */
export const tensorflow: LogFormat = {
  name: 'tensorflow',
  title: 'TensorFlow Estimator',
  source: 'tensorflow/estimator, training hooks (basic_session_run_hooks.py)',
  note: 'The seconds in parentheses are those since the line before.',
  anchors: [', step = ', 'global_step/sec', 'examples/sec'],
  detect: /(?:^|[\s:])loss = [-+\w.]+, step = \d+|global_step\/sec: [\d.]+|\bexamples\/sec: [\d.]+/,
  read(text, draft) {
    const line = createTaker(text, draft);
    line.metric('sec', /(?<=, step = \d+ )\(([\d.]+) sec\)/);
    line.field('step', /, step = (\d+)/);
    line.field('loss', /(?<=^|[\s:])loss = ([-+\w.]+)/);
    line.field('iterationsPerSecond', /global_step\/sec: ([\d.]+)/);
    line.field('samplesPerSecond', /\bexamples\/sec: ([\d.]+)/);
    return line.left().replace('INFO:tensorflow:', '');
  },
  examples: [
    {
      lines: 'INFO:tensorflow:loss = 1.8402717, step = 2300 (17.604 sec)\nINFO:tensorflow:global_step/sec: 5.68048',
      values: [{ loss: 1.8402717, step: 2300, other: { sec: 17.604 } }, { iterationsPerSecond: 5.68048 }],
    },
  ],
};

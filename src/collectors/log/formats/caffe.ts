import { takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

/** Caffe. */
export const caffe: LogFormat = {
  name: 'caffe',
  title: 'Caffe',
  source: 'BVLC/caffe, src/caffe/solver.cpp and sgd_solver.cpp',
  anchors: ['Iteration '],
  detect: /solver\.cpp:\d+\] Iteration \d+(?: \(.*\))?, (?:loss|lr) = /,
  read(text, draft) {
    takeField('step', /\bIteration (\d+)/.exec(text)?.[1], draft);
    takeField('iterationsPerSecond', /\(([\d.]+) iter\/s/.exec(text)?.[1], draft);
    takeField('loss', /\bloss = ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('learningRate', /\blr = ([-+\w.]+)/.exec(text)?.[1], draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'I0714 09:21:05.118302 20817 solver.cpp:239] Iteration 4200 (6.80512 iter/s, 14.6948s/100 iters), loss = 1.07213\nI0714 09:21:05.118402 20817 sgd_solver.cpp:112] Iteration 4200, lr = 0.00871',
      values: [
        { step: 4200, iterationsPerSecond: 6.80512, loss: 1.07213 },
        { step: 4200, learningRate: 0.00871 },
      ],
    },
  ],
};

import type { LogFormat } from './format.ts';

/** CLU, which writes the metrics of JAX's and Flax's trainers to absl's log. */
export const clu: LogFormat = {
  name: 'clu',
  title: 'CLU (JAX, Flax)',
  source: 'google/CommonLoopUtils, clu/metric_writers/logging_writer.py and clu/periodic_actions.py',
  note: 'The step stands in brackets before the figures; notes of a work unit tell the rate, the place and the time left.',
  anchors: ['logging_writer.py:', 'work unit notes: '],
  detect: /\blogging_writer\.py:\d+\] \[\d+\] |\bSetting work unit notes: [\d.]+ steps\/s/,
  read(text, draft) {
    const [written, step] = /\blogging_writer\.py:\d+\] \[(\d+)\] /.exec(text) ?? [];
    if (written !== undefined) {
      const figures = text.slice(text.indexOf(written) + written.length);
      // `[1000] Got images: ...` tells of nothing.
      if (!/^[\w/.@-]+=/.test(figures)) return undefined;
      draft.set('step', Number(step), 100);
      return figures;
    }
    const [, place, total] = /% \((\d+)\/(\d+)\)/.exec(text) ?? [];
    if (place !== undefined && total !== undefined) {
      draft.set('step', Number(place), 100);
      draft.set('totalSteps', Number(total), 100);
    }
    const rate = /notes: ([\d.]+) steps\/s/.exec(text)?.[1];
    if (rate !== undefined) draft.set('iterationsPerSecond', Number(rate), 100);
    return /, (ETA: [\w:]+)/.exec(text)?.[1];
  },
  examples: [
    {
      lines: [
        'I0711 08:14:55.120331 140213 logging_writer.py:48] [750] learning_rate=0.0004, train_loss=3.1184',
        'I0711 08:15:01.002217 140213 local.py:45] Setting work unit notes: 5.2 steps/s, 3.8% (760/20000), ETA: 1h2m',
      ].join('\n'),
      values: [
        { step: 750, learningRate: 0.0004, loss: 3.1184 },
        { step: 760, totalSteps: 20000, iterationsPerSecond: 5.2, etaSeconds: 3720 },
      ],
    },
  ],
};

import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

/** Time-Series-Library, and what has its loop: Informer, Autoformer, iTransformer, ... */
export const timeseriesLib: LogFormat = {
  name: 'timeseries_lib',
  title: 'Time-Series-Library (Informer, Autoformer, ...)',
  source: 'thuml/Time-Series-Library, exp/exp_long_term_forecasting.py',
  note: '`iters` counts within an epoch; the speed and the time that is left are on a line of their own.',
  anchors: ['iters: ', 'left time: ', 'Vali Loss: '],
  detect:
    /^\s*iters: \d+, epoch: \d+ \| loss: |^\s*speed: [\d.]+s\/iter; left time: |^Epoch: \d+, Steps: \d+ \| Train Loss: /,
  read(text, draft) {
    takeField('stepInEpoch', /\biters: (\d+)/.exec(text)?.[1], draft);
    takeField('epoch', /\b[Ee]poch: (\d+)/.exec(text)?.[1], draft);
    takeField('stepsPerEpoch', /\bSteps: (\d+)/.exec(text)?.[1], draft);
    takeField('loss', /(?:\bloss|Train Loss): ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('validationLoss', /\bVali Loss: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeMetric('Test Loss', /\bTest Loss: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('stepSeconds', /\bspeed: ([\d.]+s)\/iter/.exec(text)?.[1], draft);
    takeField('etaSeconds', /\bleft time: ([\d.]+s)/.exec(text)?.[1], draft);
    return undefined;
  },
  examples: [
    {
      lines: '\titers: 300, epoch: 2 | loss: 0.3914402',
      values: [{ epoch: 2, stepInEpoch: 300, loss: 0.3914402 }],
    },
    {
      lines: '\tspeed: 0.0287s/iter; left time: 211.4073s',
      values: [{ stepSeconds: 0.0287, etaSeconds: 211.4073 }],
    },
    {
      lines: 'Epoch: 2, Steps: 781 | Train Loss: 0.4012233 Vali Loss: 0.6890117 Test Loss: 0.3920584',
      values: [
        { epoch: 2, stepsPerEpoch: 781, loss: 0.4012233, validationLoss: 0.6890117, other: { 'Test Loss': 0.3920584 } },
      ],
    },
  ],
};

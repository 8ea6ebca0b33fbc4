import { onlyMetrics, readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<![\w.])([A-Za-z][\w/.@-]*):\s+(\d+ days?, [\d:]+|[^\s,]+)/g;

const validationFields: LogFormat['fields'] = {
  loss: { as: 'validationLoss' },
  time: { as: 'stage' },
  data_time: { as: 'stage' },
  memory: { as: 'memoryBytes', unit: 'MB' },
};

/** MMEngine and MMCV: MMDetection, MMSegmentation, XTuner, ... */
export const mmengine: LogFormat = {
  name: 'mmengine',
  title: 'MMEngine, MMCV, XTuner',
  source: 'open-mmlab/mmengine, hooks/logger_hook.py; open-mmlab/mmdetection#2672, InternLM/xtuner#658',
  note: 'Epochs count steps within an epoch; `memory` is in MB, taken for 10^6 bytes.',
  anchors: ['Epoch [', 'Epoch(', 'Iter [', 'Iter('],
  detect: /\b(?:Epoch|Iter)(?:\((?:train|val|test)\))? *(?:\[\d+\])?\[\s*\d+\/\d+\](?:\t|\s{2,}|,?\s*lr:)/,
  fields: {
    eta: { as: 'etaSeconds' },
    lr: { as: 'learningRate' },
    base_lr: { as: 'metric' },
    time: { as: 'stepSeconds' },
    data_time: { as: 'stage' },
    memory: { as: 'memoryBytes', unit: 'MB' },
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
  },
  read(text, draft) {
    const head = /\b(Epoch|Iter)(?:\((train|val|test)\))? ?\s*(?:\[(\d+)\])?\s*\[\s*(\d+)\/(\d+)\]/.exec(text);
    if (!head) return text;
    const [whole, unit, phase, epoch, done, total] = head;
    takeField('epoch', epoch, draft);
    const training = phase === undefined || phase === 'train';
    // The batches of a validation are none of the training's steps.
    if (training && unit === 'Iter') {
      takeField('step', done, draft);
      takeField('totalSteps', total, draft);
    } else if (training) {
      takeField('stepInEpoch', done, draft);
      takeField('stepsPerEpoch', total, draft);
    }
    const rest = text.slice(head.index + whole.length);
    const rules = training ? mmengine : { ...onlyMetrics, fields: validationFields };
    readEntries(rest, entry, rules, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '2023-09-18 21:07:33,846 - mmseg - INFO - Epoch [4][350/2211]\tlr: 7.500e-03, eta: 11:36:20, time: 0.611, data_time: 0.018, memory: 8142, decode.loss_ce: 0.5127, decode.acc_seg: 81.2259, loss: 0.7346',
      values: [
        {
          epoch: 4,
          stepInEpoch: 350,
          stepsPerEpoch: 2211,
          learningRate: 0.0075,
          etaSeconds: 41780,
          stepSeconds: 0.611,
          memoryBytes: 8142000000,
          loss: 0.7346,
          stages: [{ name: 'data_time', averageMs: 18 }],
          other: { 'decode.loss_ce': 0.5127, 'decode.acc_seg': 81.2259 },
        },
      ],
    },
    {
      lines:
        '2024/10/02 06:44:09 - mmengine - INFO - Iter(train) [ 1240/20000]  base_lr: 1.2400e-05 lr: 1.2400e-05  eta: 2 days, 3:05:58  time: 9.8036  data_time: 0.0071  memory: 41277  loss: 1.1824  grad_norm: 2.3071\n' +
        '2024/10/02 07:10:51 - mmengine - INFO - Epoch(val)  [3][120/120]    coco/bbox_mAP: 0.3710  coco/bbox_mAP_50: 0.5630  data_time: 0.0042  time: 0.0937',
      values: [
        {
          step: 1240,
          totalSteps: 20000,
          learningRate: 1.24e-5,
          etaSeconds: 183958,
          stepSeconds: 9.8036,
          memoryBytes: 41277000000,
          loss: 1.1824,
          gradNorm: 2.3071,
          stages: [{ name: 'data_time', averageMs: 7.1 }],
          other: { base_lr: 1.24e-5 },
        },
        {
          epoch: 3,
          stages: [
            { name: 'data_time', averageMs: 4.2 },
            { name: 'time', averageMs: 93.7 },
          ],
          other: { 'coco/bbox_mAP': 0.371, 'coco/bbox_mAP_50': 0.563 },
        },
      ],
    },
  ],
};

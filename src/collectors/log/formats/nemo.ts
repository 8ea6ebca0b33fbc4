import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /(?:^|\|)\s*([A-Za-z][\w /-]*?(?: in s)?):\s*([^|]+)/g;

/** NVIDIA NeMo, 1 (a bar) and 2 (fields between bars). */
export const nemo: LogFormat = {
  name: 'nemo',
  title: 'NVIDIA NeMo',
  source:
    'NVIDIA/NeMo, lightning/pytorch/callbacks/progress_printer.py; NeMo-Framework-Launcher#55, bionemo-recipes#740',
  note: 'The step is `global_step`, the loss the one over all ranks.',
  anchors: ['reduced_train_loss', 'Training epoch'],
  detect: /^Epoch \d+:?\s.*\bglobal_step=|\bTraining epoch \d+, iteration \d+\/\d+ \|/,
  fields: {
    lr: { as: 'learningRate' },
    global_step: { as: 'step' },
    reduced_train_loss: { as: 'loss' },
    loss: { as: 'nothing' },
    v_num: { as: 'nothing' },
    grad_norm: { as: 'gradNorm' },
    'train_step_timing in s': { as: 'stepSeconds' },
    train_step_timing: { as: 'stepSeconds' },
    'validation_step_timing in s': { as: 'stage' },
    tokens_per_sec_per_gpu: { as: 'tokensPerSecond', scope: 'gpu' },
    TFLOPS_per_GPU: { as: 'tflopsPerSecond' },
    val_loss: { as: 'validationLoss' },
  },
  // Whatever it calls itself.
  bar: 'run',
  read(text, draft) {
    const head = /\bTraining epoch (\d+), iteration (\d+)\/(\d+) /.exec(text);
    if (head) {
      takeField('epoch', head[1], draft);
      takeField('totalSteps', head[3], draft);
      readEntries(text.slice(head.index + head[0].length), entry, nemo, draft);
      if (!text.includes('global_step:')) takeField('step', head[2], draft);
      return undefined;
    }
    return text.replace(/^Epoch \d+/, '');
  },
  examples: [
    {
      lines:
        'Training epoch 0, iteration 35/4000 | lr: 1.2e-05 | consumed_samples: 9216 | global_batch_size: 256 | global_step: 35 | reduced_train_loss: 8.317 | train_step_timing in s: 4.127 | val_loss: 8.902',
      values: [
        {
          epoch: 0,
          step: 35,
          totalSteps: 4000,
          learningRate: 1.2e-5,
          loss: 8.317,
          stepSeconds: 4.127,
          validationLoss: 8.902,
          other: { consumed_samples: 9216, global_batch_size: 256 },
        },
      ],
    },
    {
      lines:
        'Epoch 0:   3%|▎         | 1502/50000 [2:11:07<70:33:20,  5.24s/it, loss=2.71, v_num=, reduced_train_loss=2.698, global_step=1501.0, consumed_samples=3.84e+5]',
      values: [
        {
          epoch: 0,
          step: 1501,
          totalSteps: 50000,
          elapsedSeconds: 7867,
          etaSeconds: 254000,
          stepSeconds: 5.24,
          loss: 2.698,
          other: { consumed_samples: 384000 },
        },
      ],
    },
  ],
};

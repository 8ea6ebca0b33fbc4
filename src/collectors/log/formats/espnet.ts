import { onlyMetrics, takeEntry, takeField } from './entries.ts';
import type { Draft } from '../draft.ts';
import type { LogFormat } from './format.ts';

const entry = /(?<=[\s:\]])([a-z]\w*)=([-+\w.]+)(?=[,\s]|$)/gi;

/** ESPnet 2. */
export const espnet: LogFormat = {
  name: 'espnet',
  title: 'ESPnet',
  source: 'espnet/espnet, espnet2/train/reporter.py and trainer.py',
  note: 'Batches count within an epoch; `iter_time` is the wait for data; the line of results has both sets.',
  anchors: ['epoch:train:', 'epoch results:'],
  detect: /\b\d+epoch(?::train:\d+-\d+batch: | results: )/,
  fields: {
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    optim0_lr0: { as: 'learningRate' },
    train_time: { as: 'stepSeconds' },
    iter_time: { as: 'stage' },
    forward_time: { as: 'stage' },
    backward_time: { as: 'stage' },
    optim_step_time: { as: 'stage' },
    gpu_max_cached_mem_GB: { as: 'memoryBytes', unit: 'GB' },
  },
  read(text, draft) {
    const [, epoch, batch] = /\b(\d+)epoch(?::train:\d+-(\d+)batch)?/.exec(text) ?? [];
    takeField('epoch', epoch, draft);
    takeField('stepInEpoch', batch, draft);
    const rest = text.slice(text.search(/batch: | results: /));
    const [training = '', validation] = rest.split('[valid]');
    for (const [, key = '', value = ''] of training.matchAll(entry)) takeEntry(key, value, espnet, draft);
    if (validation !== undefined) readValidation(validation, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[node-1] 2024-09-05 17:33:02,114 (trainer:762) INFO: 6epoch:train:401-600batch: iter_time=1.204e-04, forward_time=0.187, loss_ctc=51.306, loss_att=38.274, acc=0.662, loss=42.184, backward_time=0.241, grad_norm=61.027, optim_step_time=0.019, optim0_lr0=7.215e-04, train_time=0.493\n' +
        '[node-1] 2024-09-05 18:02:40,907 (trainer:338) INFO: 6epoch results: [train] loss=40.912, train_time=0.488, total_count=7212, gpu_max_cached_mem_GB=17.420, [valid] loss=36.108, acc=0.701, total_count=504',
      values: [
        {
          epoch: 6,
          stepInEpoch: 600,
          loss: 42.184,
          gradNorm: 61.027,
          learningRate: 0.0007215,
          stepSeconds: 0.493,
          stages: [
            { name: 'iter_time', averageMs: 0.1204 },
            { name: 'forward_time', averageMs: 187 },
            { name: 'backward_time', averageMs: 241 },
            { name: 'optim_step_time', averageMs: 19 },
          ],
          other: { loss_ctc: 51.306, loss_att: 38.274, acc: 0.662 },
        },
        {
          epoch: 6,
          loss: 40.912,
          stepSeconds: 0.488,
          memoryBytes: 17420000000,
          validationLoss: 36.108,
          other: { total_count: 7212, val_acc: 0.701, val_total_count: 504 },
        },
      ],
    },
  ],
};

function readValidation(text: string, draft: Draft): void {
  for (const [, key = '', value = ''] of text.matchAll(entry)) {
    if (key === 'loss') takeField('validationLoss', value, draft);
    else takeEntry(`val_${key}`, value, onlyMetrics, draft);
  }
}

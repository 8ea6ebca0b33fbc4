import type { Draft } from '../draft.ts';
import { readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry =
  /(?<=^|[\s,])([A-Za-z][\w/]*)(?:\([A-Z]\w*\))?: (\d+ days?, [\d:]+|[^,\s]+(?: (?:s|samples\/s|images\/s|tokens\/s)(?=,|\s|$))?)/g;

/** PaddlePaddle: PaddleNLP, PaddleDetection, PaddleOCR, PaddleClas. */
export const paddle: LogFormat = {
  name: 'paddle',
  title: 'PaddlePaddle (PaddleNLP, PaddleDetection, PaddleOCR, PaddleClas)',
  source: 'PaddlePaddle/PaddleNLP, trainer/trainer.py; PaddleDetection, ppdet/engine; PaddleOCR, tools/program.py',
  note: 'PaddleNLP’s memory is in GB, taken for 10^9 bytes.',
  anchors: ['interval_runtime', 'batch_cost', ' ips: '],
  detect: /\bglobal_step: \d+, .*interval_runtime: |\b(?:batch_cost|avg_batch_cost): .*\bips: /,
  fields: {
    loss: { as: 'loss' },
    learning_rate: { as: 'learningRate' },
    lr: { as: 'learningRate' },
    global_step: { as: 'step' },
    epoch: { as: 'epoch' },
    progress_or_epoch: { as: 'epoch' },
    max_memory_allocated: { as: 'memoryBytes', unit: 'GB' },
    interval_samples_per_second: { as: 'samplesPerSecond' },
    interval_steps_per_second: { as: 'iterationsPerSecond' },
    interval_tokens_per_second_per_device: { as: 'tokensPerSecond', scope: 'gpu' },
    interval_hardware_tflops_per_device: { as: 'tflopsPerSecond' },
    global_norm: { as: 'gradNorm' },
    batch_cost: { as: 'stepSeconds' },
    avg_batch_cost: { as: 'stepSeconds' },
    data_cost: { as: 'stage' },
    reader_cost: { as: 'stage' },
    avg_reader_cost: { as: 'stage' },
    ips: { as: 'samplesPerSecond' },
    eta: { as: 'etaSeconds' },
  },
  read(text, draft) {
    const rest = text.slice(Math.max(0, text.search(/\bloss: |\[Train\]|\bEpoch: \[|\bepoch: \[/)));
    const heads = readHeads(rest, draft);
    readEntries(heads, entry, paddle, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        '[2025-05-06 14:50:33,208] [    INFO] - loss: 1.73310852, learning_rate: 2.94e-05, global_step: 260, current_memory_allocated: 14.2018, max_memory_allocated: 33.7725, interval_runtime: 4.9018, interval_samples_per_second: 26.1128, interval_tokens_per_second_per_device: 6684.88, interval_steps_per_second: 2.0401, progress_or_epoch: 0.1842',
      values: [
        {
          step: 260,
          epoch: 0.1842,
          loss: 1.73310852,
          learningRate: 2.94e-5,
          memoryBytes: 33772500000,
          samplesPerSecond: 26.1128,
          tokensPerSecond: 6684.88,
          tokensPerSecondScope: 'gpu',
          iterationsPerSecond: 2.0401,
          other: { current_memory_allocated: 14.2018, interval_runtime: 4.9018 },
        },
      ],
    },
    {
      lines:
        '[11/08 19:12:57] ppdet.engine INFO: Epoch: [2] [ 180/1466] learning_rate: 0.000750 loss: 2.814466 loss_cls: 1.206931 eta: 9:26:41 batch_cost: 0.6127 data_cost: 0.0102 ips: 13.0570 images/s\n' +
        '[2024/06/14 03:27:18] ppocr INFO: epoch: [4/100], global_step: 820, lr: 0.000893, acc: 0.513671, loss: 9.214806, avg_reader_cost: 0.01874 s, avg_batch_cost: 0.27081 s, avg_samples: 96.0, ips: 354.49208 samples/s, eta: 1 day, 1:30:07',
      values: [
        {
          epoch: 2,
          stepInEpoch: 180,
          stepsPerEpoch: 1466,
          learningRate: 0.00075,
          loss: 2.814466,
          etaSeconds: 34001,
          stepSeconds: 0.6127,
          samplesPerSecond: 13.057,
          stages: [{ name: 'data_cost', averageMs: 10.2 }],
          other: { loss_cls: 1.206931 },
        },
        {
          epoch: 4,
          step: 820,
          learningRate: 0.000893,
          loss: 9.214806,
          etaSeconds: 91807,
          stepSeconds: 0.27081,
          samplesPerSecond: 354.49208,
          stages: [{ name: 'avg_reader_cost', averageMs: 18.74 }],
          other: { epochs: 100, acc: 0.513671, avg_samples: 96 },
        },
      ],
    },
  ],
};

/** `Epoch: [2] [ 180/1466]`, `[Train][Epoch 1/20][Iter: 10/100]`, `epoch: [4/100], `; what follows it. */
function readHeads(text: string, draft: Draft): string {
  const pattern = /^(?:\[Train\])?\[?[Ee]poch:? ?\[?(\d+)(?:\/(\d+))?\]?,?\s*(?:\[(?:Iter: )?\s*(\d+)\/(\d+)\])?,?\s*/;
  const [whole = '', epoch, epochs, done, total] = pattern.exec(text) ?? [];
  takeField('epoch', epoch, draft);
  takeField('stepInEpoch', done, draft);
  takeField('stepsPerEpoch', total, draft);
  if (epochs !== undefined) draft.other('epochs', Number(epochs));
  return text.slice(whole.length);
}

import type { Draft } from '../draft.ts';
import { takeField, takeMetric, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const imagenet = /\b(Epoch|Test): ?(?:\[(\d+)\])?\[\s*(\d+)\/(\d+)\]\s/;
const mnist = /^Train Epoch: (\d+) \[(\d+)\/(\d+) \(\s*\d+%\)\]\s/;
const entry = /(?<=\s)(Time|Data|Loss|Acc@1|Acc@5|Prec@1|Prec@5|LR|lr):?\s+([-+\w.]+)(?:\s+\(\s*([-+\w.]+)\))?/g;

/** PyTorch's examples: ImageNet and MNIST, and the many that began as one of them. */
export const pytorchExamples: LogFormat = {
  name: 'pytorch_examples',
  title: "PyTorch's examples (ImageNet, MNIST)",
  source: 'pytorch/examples, imagenet/main.py and mnist/main.py',
  note: 'Of `value (mean)` the first is read. ImageNet counts batches within an epoch, MNIST samples.',
  anchors: ['Epoch: [', 'Train Epoch: ', 'Test: [', 'Test set: Average loss'],
  detect: new RegExp(`${imagenet.source}+Time\\s|${mnist.source}*Loss: |^Test set: Average loss: `),
  read(text, draft) {
    const [, phase, epoch, done, total] = imagenet.exec(text) ?? [];
    if (phase === 'Epoch') {
      takeField('epoch', epoch, draft);
      takeField('stepInEpoch', done, draft);
      takeField('stepsPerEpoch', total, draft);
    }
    if (phase !== undefined) {
      for (const [, key = '', value = '', mean] of text.matchAll(entry)) {
        if (phase === 'Epoch') readTraining(key, value, draft);
        else readTest(key, mean ?? value, draft);
      }
      return undefined;
    }
    const [, of, seen, samples] = mnist.exec(text) ?? [];
    takeField('epoch', of, draft);
    takeMetric('samples', seen, draft);
    takeMetric('total_samples', samples, draft);
    takeField('loss', /\]\s+Loss: ([-+\w.]+)/.exec(text)?.[1], draft);
    takeField('validationLoss', /^Test set: Average loss: ([-+\w.]+)/.exec(text)?.[1], draft);
    const [, right, all] = /\bAccuracy: (\d+)\/(\d+)/.exec(text) ?? [];
    takeMetric('Accuracy', right, draft);
    takeMetric('test_samples', all, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        'Epoch: [11][ 230/2502]\tTime  0.318 (  0.331)\tData  0.006 (  0.011)\tLoss 2.9104e+00 (2.9871e+00)\tAcc@1  38.28 ( 37.10)\tAcc@5  61.72 ( 61.95)\n' +
        'Train Epoch: 2 [19200/60000 (32%)]\tLoss: 0.118402\n' +
        'Test set: Average loss: 0.0517, Accuracy: 9836/10000 (98%)',
      values: [
        {
          epoch: 11,
          stepInEpoch: 230,
          stepsPerEpoch: 2502,
          stepSeconds: 0.318,
          loss: 2.9104,
          stages: [{ name: 'Data', averageMs: 6 }],
          other: { 'Acc@1': 38.28, 'Acc@5': 61.72 },
        },
        { epoch: 2, loss: 0.118402, other: { samples: 19200, total_samples: 60000 } },
        { validationLoss: 0.0517, other: { Accuracy: 9836, test_samples: 10000 } },
      ],
    },
  ],
};

function readTraining(key: string, value: string, draft: Draft): void {
  if (key === 'Time') takeField('stepSeconds', value, draft);
  else if (key === 'Data') takeStage('Data', value, 's', draft);
  else if (key === 'Loss') takeField('loss', value, draft);
  else if (/^lr$/i.test(key)) takeField('learningRate', value, draft);
  else takeMetric(key, value, draft);
}

/** A test's values are the means so far. */
function readTest(key: string, mean: string, draft: Draft): void {
  if (key === 'Loss') takeField('validationLoss', mean, draft);
  else if (key === 'Time') takeStage('test', mean, 's', draft);
  else takeMetric(`val_${key}`, mean, draft);
}

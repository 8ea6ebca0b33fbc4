import { describe, expect, it } from 'vitest';
import { recordJson } from '../../../src/commands/logs/record-json.ts';
import { recordsOf } from './read-records.ts';

/** What a line says, without its place; of an event its kind. */
async function told(log: string): Promise<readonly object[]> {
  return (await recordsOf(log)).map((record) => {
    const { line: _, format: _format, repeats: _repeats, event, ...said } = recordJson(record) as Record<string, unknown>;
    return { ...said, ...(typeof event === 'object' && event && 'kind' in event && { event: event.kind }) };
  });
}

/** Of what is told about an evaluation the loss is its loss. */
const evaluations: readonly (readonly [line: string, said: object])[] = [
  [
    'dev-clean @ step 2000: loss 39.873, wer 84.62%',
    { step: 2000, validationLoss: 39.873, event: 'evaluation', metrics: { wer: 84.62 } },
  ],
  [
    'eval on day_23: loss 0.1251, auc 0.8024 (89,137,319 rows, 21.4 s)',
    { validationLoss: 0.1251, event: 'evaluation', metrics: { auc: 0.8024 } },
  ],
  [
    'Validação | época 3 | perda 0.3891 | dice 0.8014 | iou 0.7093',
    { epoch: 3, validationLoss: 0.3891, event: 'evaluation', metrics: { dice: 0.8014, iou: 0.7093 } },
  ],
  [
    'Avaliação: passo 1000, perda 0.389, acurácia 0.91',
    { step: 1000, validationLoss: 0.389, event: 'evaluation', metrics: { acurácia: 0.91 } },
  ],
  ['Validazione | epoca 3 | perdita 0.3891', { epoch: 3, validationLoss: 0.3891, event: 'evaluation' }],
  ['Evaluación en el paso 1200: pérdida=2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  [
    'test-other step=2000 loss=12.3 wer=8.1',
    { step: 2000, validationLoss: 12.3, event: 'evaluation', metrics: { wer: 8.1 } },
  ],
  [
    'val2017 | epoch 3 | loss 1.23 | AP 0.412',
    { epoch: 3, validationLoss: 1.23, event: 'evaluation', metrics: { AP: 0.412 } },
  ],
  [
    'valid step 1200 loss 2.31 ppl 10.1',
    { step: 1200, validationLoss: 2.31, event: 'evaluation', metrics: { ppl: 10.1 } },
  ],
  [
    'evaluation at step 1200: loss=2.31 acc=0.81',
    { step: 1200, validationLoss: 2.31, event: 'evaluation', metrics: { acc: 0.81 } },
  ],
  ['validation after epoch 3: loss=2.31', { epoch: 3, validationLoss: 2.31, event: 'evaluation' }],
  ['eval results: loss 2.31, accuracy 0.8', { validationLoss: 2.31, event: 'evaluation', metrics: { accuracy: 0.8 } }],
  ['[eval] step 1200 | loss 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['test set: loss 2.31, acc 81%', { validationLoss: 2.31, event: 'evaluation', metrics: { acc: 81 } }],
  ['Evaluating on dev set: loss 2.31, acc 81%', { validationLoss: 2.31, event: 'evaluation', metrics: { acc: 81 } }],
  ['holdout: step 1200 loss 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['held-out | step 1200 | loss 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['train on shard 3: loss 2.31 step 100', { step: 100, loss: 2.31 }],
  ['验证集 | 步数 1200 | 损失 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['評価: ステップ 1200, 損失 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['Валидация | эпоха 3 | потери 0.389', { epoch: 3, validationLoss: 0.389, event: 'evaluation' }],
  ['Validierung nach Epoche 3: Verlust 0,389', { epoch: 3, validationLoss: 0.389, event: 'evaluation' }],
  ['validation (epoch 3): loss 0.389', { epoch: 3, validationLoss: 0.389, event: 'evaluation' }],
  ['Valid Epoch: 3 | loss: 0.389', { epoch: 3, validationLoss: 0.389, event: 'evaluation' }],
  ['epoch 3 | train loss 0.4 | dev loss 0.5', { epoch: 3, loss: 0.4, validationLoss: 0.5, event: 'evaluation' }],
  ['step 1200 loss 2.3 (eval in 300 steps)', { step: 1200, loss: 2.3 }],
  ['step 100 train: loss 2.31 val: loss 2.41', { step: 100, loss: 2.31, validationLoss: 2.41, event: 'evaluation' }],
  ['train (epoch 3): loss 2.31 lr 1e-4', { epoch: 3, loss: 2.31, learningRate: 0.0001 }],
  ['val (epoch=3): loss=2.31', { epoch: 3, validationLoss: 2.31, event: 'evaluation' }],
  ['Epoch 3 [train] loss 2.31 [valid] loss 2.40', { epoch: 3, loss: 2.31, validationLoss: 2.4, event: 'evaluation' }],
  ['set=train step=3 loss=2.31', { step: 3, loss: 2.31 }],
  ['split: test, step: 1200, loss: 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
];

/** `step_s` is a time, and `it_s` a rate. */
const steps: readonly (readonly [line: string, said: object])[] = [
  ['step_s=4.1 step=3 loss=2.0', { step: 3, loss: 2, stepSeconds: 4.1 }],
  ['step (s): 4.1, step: 3, loss: 2.0', { step: 3, loss: 2, stepSeconds: 4.1 }],
  ['step=3 loss=2.0 it_s=4.1', { step: 3, loss: 2, iterationsPerSecond: 4.1 }],
  ['step=3 loss=2.0 steps_s=4.1', { step: 3, loss: 2, iterationsPerSecond: 4.1 }],
  ['step=3 loss=2.0 iter_sec=4.1 avg_step_s=4.2', { step: 3, loss: 2, stepSeconds: 4.1, metrics: { avg_step_s: 4.2 } }],
  ['step=3 loss=2.0 step/s=4.1', { step: 3, loss: 2, iterationsPerSecond: 4.1 }],
  ['step=3 loss=2.0 steps/sec=4.1', { step: 3, loss: 2, iterationsPerSecond: 4.1 }],
  ['step=3 loss=2.0 step/sec: 4.1', { step: 3, loss: 2, iterationsPerSecond: 4.1 }],
  ['step=3 loss=2.0 samples_s=4.1 tok_s=1000', { step: 3, loss: 2, tokensPerSecond: 1000, samplesPerSecond: 4.1 }],
];

describe('neighbours of lines that were read wrongly', () => {
  it.each([...evaluations, ...steps])('%s', async (line, said) => expect(await told(line)).toEqual([said]));
});

import { describe, expect, it } from 'vitest';
import { recordJson } from '../../../src/commands/logs/record-json.ts';
import { recordsOf } from './read-records.ts';

/** What a line says, without its place; of an event its kind. */
async function told(log: string): Promise<readonly object[]> {
  return (await recordsOf(log)).map((record) => {
    const {
      line: _,
      format: _format,
      repeats: _repeats,
      event,
      ...said
    } = recordJson(record) as Record<string, unknown>;
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

/** Warnings and errors, queues and memory by their heads, words that only say how long, what ends a training. */
const others: readonly (readonly [line: string, said: object])[] = [
  [
    '2025-05-02T08:13:02.530098Z  WARN loader: batch was late prefetch_queue=0/32',
    { queues: { prefetch_queue: { depth: 0, capacity: 32 } } },
  ],
  [
    '2025-04-07 10:37:49,004 - train.py[line:233] - WARNING - 数据队列: 3/64, 等待 0.82 秒',
    { queues: { 数据队列: { waitSeconds: 0.82, depth: 3, capacity: 64 } } },
  ],
  ['WARNING: queue decode 0/16, trainer starved for 3.2s', { queues: { decode: { depth: 0, capacity: 16 } } }],
  ['[warning  ] queue_full queue=loader depth=64 capacity=64', { queues: { loader: { capacity: 64, depth: 64 } } }],
  ['WARN only 3/8 workers answered', {}],
  ['WARN retry 3/5 after 2.5 s', {}],
  ['WARNING disk cache 91% full (912/1000 GB)', {}],
  [
    'W0519 14:12:21.330012 139847502 input_pipeline.py:97] prefetch queue 0/32, step is waiting for data',
    { queues: { 'prefetch queue': { depth: 0, capacity: 32 } } },
  ],
  [
    '{"level":"warn","ts":1718000000.1,"msg":"queue almost full","queue":"batch","depth":62,"capacity":64}',
    { queues: { batch: { capacity: 64, depth: 62 } } },
  ],
  ['{"level":"error","ts":1718000000.1,"msg":"step failed","step":5120,"loss":2.31,"err":"timeout"}', { step: 5120 }],
  [
    '2025-06-03T20:16:12.233+0200\tERROR\tlearner/learner.go:171\tloss is not finite, batch dropped\t{"step": 43147, "loss": "NaN"}',
    { step: 43147, loss: 'NaN', event: 'not_finite' },
  ],
  [
    '2025-06-03T20:17:41.006+0200\tFATAL\tlearner/learner.go:240\tCUDA error: out of memory\t{"step": 43702, "requested": "2.00 GiB"}',
    { step: 43702, event: 'cuda_oom' },
  ],
  ['2025-05-21 16:46:29 [error    ] step_failed                    step=8512', { step: 8512 }],
  ['level=error msg="loss is nan" step=311 loss=nan lr=0.0001', { step: 311, loss: 'NaN', event: 'not_finite' }],
  ['ERROR: expected loss 2.31 at step 12, got 3.1', {}],
  [
    'ERROR trainer: step=1200 loss=inf grad_norm=inf, stopping',
    { step: 1200, loss: 'Infinity', gradNorm: 'Infinity', event: 'not_finite' },
  ],
  ['ERROR: batch 12 of 500 has no labels', {}],
  ['ERROR worker 3: epoch 2 step 7 file missing', {}],
  ['ERROR - Iteration 500 timed out after 300 s', { step: 500 }],
  [
    'queues: reader 61/64, decode 12/64, gpu 0/4',
    {
      queues: {
        reader: { depth: 61, capacity: 64 },
        decode: { depth: 12, capacity: 64 },
        gpu: { depth: 0, capacity: 4 },
      },
    },
  ],
  [
    'queues: reader=61/64 batch=12/64 gpu=0/4',
    {
      queues: {
        reader: { depth: 61, capacity: 64 },
        batch: { depth: 12, capacity: 64 },
        gpu: { depth: 0, capacity: 4 },
      },
    },
  ],
  [
    'queue depths: node 3/8, device 1/4, rank 0/2',
    { queues: { node: { depth: 3, capacity: 8 }, device: { depth: 1, capacity: 4 }, rank: { depth: 0, capacity: 2 } } },
  ],
  [
    'epoch | step | train loss | GPU GiB\n1 | 457 | 0.4812 | 22.61',
    [{}, { step: 457, epoch: 1, loss: 0.4812, memoryBytes: 24277302641 }],
  ],
  [
    'step=3 loss=2.0 gpu_gb=22.6 gpu_util=91',
    { step: 3, loss: 2, memoryBytes: 22600000000, metrics: { gpu_util: 91 } },
  ],
  ['step 3 | loss 2.0 | cuda_mb=2201', { step: 3, loss: 2, memoryBytes: 2201000000 }],
  ['step 3 | loss 2.0 | peak GPU GB 22.6', { step: 3, loss: 2, memoryBytes: 22600000000 }],
  ['gpu_gb=80 gpus=8', {}],
  [
    'checkpoint saved\t{"step": 41500, "path": "gs://zero-runs/r12/041500.pb", "took": "2.318s"}',
    { step: 41500, event: 'checkpoint', metrics: { took: 2.318 } },
  ],
  ['{"event":"step","step":12,"loss":2.0,"took":"312ms"}', { step: 12, loss: 2, metrics: { took: 312 } }],
  [
    '{"step":12,"loss":2.0,"duration":"312ms","elapsed":"1h2m"}',
    { step: 12, loss: 2, elapsedSeconds: 3720, metrics: { duration: 312 } },
  ],
  [
    '验证完成 | 步数: 1500 | 验证损失: 2.3918 | 困惑度: 10.93 | 耗时 96.4 秒',
    { step: 1500, validationLoss: 2.3918, event: 'evaluation', metrics: { 困惑度: 10.93 } },
  ],
  ['評価完了 ステップ 1200 損失 2.31 所要時間 12.3秒', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['검증 완료: 스텝 1200, 손실 2.31, 소요시간 12.3초', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['step=1500 loss=2.3 took=96.4s', { step: 1500, loss: 2.3, metrics: { took: 96.4 } }],
  [
    'step=1500 loss=2.3 took_s=96.4 fwd_s=0.2',
    { step: 1500, loss: 2.3, stages: { fwd: { averageSeconds: 0.2 } }, metrics: { took_s: 96.4 } },
  ],
  ['step 1500 | loss 2.3 | took 412 ms', { step: 1500, loss: 2.3 }],
  [
    'eval step=1500 loss=2.3 duration_s=96.4',
    { step: 1500, validationLoss: 2.3, event: 'evaluation', metrics: { duration_s: 96.4 } },
  ],
  ['val | Epoche 3 | Verlust 0,389 | Dauer 12,3 s', { epoch: 3, validationLoss: 0.389, event: 'evaluation' }],
  [
    'val | epoch 3 | loss 0.389 | dauer 12.3 s | seconds 12.3',
    { epoch: 3, validationLoss: 0.389, event: 'evaluation', metrics: { seconds: 12.3 } },
  ],
  ['step 12 loss 2.0 forward took 12ms backward took 24ms', { step: 12, loss: 2 }],
  [
    'timings: fwd 12ms bwd 24ms total 40ms',
    { stages: { fwd: { averageSeconds: 0.012 }, bwd: { averageSeconds: 0.024 }, total: { averageSeconds: 0.04 } } },
  ],
  [
    '2025-05-02T08:13:02.530098Z  WARN loader: batch was late prefetch_queue=0/32',
    { queues: { prefetch_queue: { depth: 0, capacity: 32 } } },
  ],
  ['評価完了 ステップ 1200 損失 2.31 所要時間 12.3秒', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['検証結果: エポック 3, 損失 2.31', { epoch: 3, validationLoss: 2.31, event: 'evaluation' }],
  ['검증 완료: 스텝 1200, 손실 2.31, 소요시간 12.3초', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['验证结果 | 步数 1200 | 损失 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['ERROR: batch 12 of 500 has no labels', {}],
  ['step 12: loss is nan, skipping batch', { step: 12, loss: 'NaN', event: 'not_finite' }],
  ['Loss became NaN at step 500', { step: 500, event: 'not_finite' }],
  ['if the loss is nan, the batch is skipped', {}],
  [
    'I0711 08:15:01.002217 140213 local.py:45] Setting work unit notes: 5.2 steps/s, 3.8% (760/20000), ETA: 1d3h2m',
    { step: 760, totalSteps: 20000, iterationsPerSecond: 5.2, etaSeconds: 97320 },
  ],
  [
    'I0711 08:15:01.002217 140213 local.py:45] Setting work unit notes: 0.5 steps/s, 3.8% (760/20000), ETA: 50m (3m : 1.2% eval)',
    { step: 760, totalSteps: 20000, iterationsPerSecond: 0.5, etaSeconds: 3000 },
  ],
  ["I0711 08:15:01.002217 140213 logging_writer.py:48] [750] Got images: {'a': 3}", {}],
  [
    'I0711 08:15:01.002217 140213 logging_writer.py:48] [750] eval/loss=3.1, eval/accuracy=0.2',
    { step: 750, validationLoss: 3.1, event: 'evaluation', metrics: { 'eval/accuracy': 0.2 } },
  ],
  ['評価完了 ステップ 1200 損失 2.31 所要時間 12.3秒', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['検証結果: エポック 3, 損失 2.31', { epoch: 3, validationLoss: 2.31, event: 'evaluation' }],
  ['검증 완료: 스텝 1200, 손실 2.31, 소요시간 12.3초', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['验证结果 | 步数 1200 | 损失 2.31', { step: 1200, validationLoss: 2.31, event: 'evaluation' }],
  ['step 12 | loss 2.0 | eta 50m', { step: 12, loss: 2, etaSeconds: 3000 }],
  ['step=12 loss=2.0 eta=50m elapsed=7m', { step: 12, loss: 2, etaSeconds: 3000, elapsedSeconds: 420 }],
  ['step=12 loss=2.0 params=50m', { step: 12, loss: 2 }],
  ['step 12: loss 2.0, ETA: 4h', { step: 12, loss: 2, etaSeconds: 14400 }],
  [
    'I0711 08:15:01.002217 140213 local.py:45] Setting work unit notes: 0.5 steps/s, 3.8% (760/20000), ETA: 50m (3m : 1.2% eval)',
    { step: 760, totalSteps: 20000, iterationsPerSecond: 0.5, etaSeconds: 3000 },
  ],
  ['Checkpoint salvo em modelos/unet_epoca03.pt', { event: 'checkpoint' }],
  ['Salvato il modello in modelli/m3.pt', { event: 'checkpoint' }],
  ['Modelo guardado en /ckpt/m3.pt', { event: 'checkpoint' }],
  ['Checkpoint opgeslagen in ckpt/3.pt', { event: 'checkpoint' }],
  ['Checkpoint zapisany w ckpt/3.pt', { event: 'checkpoint' }],
  ['Aviso: gradiente não finito no passo 2533, atualização ignorada', { step: 2533, event: 'overflow' }],
  ['Warnung: Gradientennorm nicht endlich in Schritt 12, Update übersprungen', { step: 12, event: 'overflow' }],
  ['警告: 第 12 步梯度范数非有限, 已跳过', { step: 12, event: 'overflow' }],
  ['損失が非有限です ステップ 120', { step: 120, event: 'not_finite' }],
  ['Treinamento encerrado após 18min 2s (parada antecipada)', { elapsedSeconds: 1082, event: 'training_end' }],
  ['Addestramento completato in 2h 3m', { elapsedSeconds: 7380, event: 'training_end' }],
  ['Training finished in 3h 12m 4s', { elapsedSeconds: 11524, event: 'training_end' }],
  ['Training complete after 6 epochs, best val loss 0.2480', { event: 'training_end' }],
  ['训练完成, 共用时 3小时20分', { elapsedSeconds: 12000, event: 'training_end' }],
  ['训练结束, 耗时 3小时20分', { elapsedSeconds: 12000, event: 'training_end' }],
  ['se o gradiente for não finito, a atualização é ignorada', {}],
  ['O modelo será salvo em ckpt/3.pt', {}],
];

describe('neighbours of lines that were read wrongly', () => {
  it.each([...evaluations, ...steps, ...others])('%s', async (line, said) =>
    expect(await told(line)).toEqual(Array.isArray(said) ? said : [said]),
  );
});

import type { LogValues } from '../../../src/model/samples.ts';

/** Lines as trainers might print them, and what they say: other units, orders, separators and languages than those of the samples. */
export const more: readonly (readonly [line: string, values: LogValues])[] = [
  [
    '[   1200/  20000] loss: 2.3012 lr: 3.0e-05 sec/iter: 0.312 eta: 97.4 min',
    { loss: 2.3012, learningRate: 0.00003, stepSeconds: 0.312, etaSeconds: 5844, step: 1200, totalSteps: 20000 },
  ],
  [
    'Progress: 6.00% | Step: 1200/20000 | Loss: 2.3012 | ETA: 97 min 22 sec',
    { step: 1200, totalSteps: 20000, loss: 2.3012, etaSeconds: 5842, other: { Progress: 6 } },
  ],
  [
    'loss:2.3012 step:1200 lr:3e-05 elapsed:374s remaining:5842s',
    { loss: 2.3012, step: 1200, learningRate: 0.00003, elapsedSeconds: 374, etaSeconds: 5842 },
  ],
  [
    'loss_rpn_cls: 0.0928 (0.1012)  loss: 2.3012 (2.4012)  time: 0.3123  data: 0.0045  max mem: 23456',
    { loss: 2.3012, other: { loss_rpn_cls: 0.0928, time: 0.3123, data: 0.0045, 'max mem': 23456 } },
  ],
  [
    'step 1200/20000 [6%] loss=2.301 ce=2.201 z=0.100 lr=3.0e-5 |g|=0.52 24.1Ktok/s 61.2GiB',
    {
      step: 1200,
      totalSteps: 20000,
      loss: 2.301,
      learningRate: 0.00003,
      tokensPerSecond: 24100,
      other: { ce: 2.201, z: 0.1, g: 0.52 },
    },
  ],
  ['cuda mem alloc 45.1 GiB, reserved 61.2 GiB, peak 70.0 GiB', { memoryBytes: 75161927680 }],
  [
    'step=1200 skipped=2 scale=65536.0 loss=2.3012 overflow=0',
    { step: 1200, loss: 2.3012, other: { skipped: 2, scale: 65536, overflow: 0 } },
  ],
  [
    'Iteration 1200 (epoch 3): loss = 2.3012, learning rate = 3e-05',
    { loss: 2.3012, learningRate: 0.00003, step: 1200, epoch: 3 },
  ],
  ['⏱ 0.412 s/step 📉 loss 2.31 🔥 61.2GiB', { stepSeconds: 0.412, loss: 2.31 }],
  [
    '{"time":"2026-03-01T10:00:00Z","level":"INFO","message":"step 1200/20000 loss=2.3012 lr=3e-05 24100 tok/s"}',
    { step: 1200, totalSteps: 20000, loss: 2.3012, learningRate: 0.00003, tokensPerSecond: 24100 },
  ],
  [
    '{"step":1200,"queue_depths":{"decode":7,"tokenize":12},"stage_ms":{"fwd":88.1,"bwd":172.5}}',
    {
      step: 1200,
      queues: [
        { name: 'decode', depth: 7 },
        { name: 'tokenize', depth: 12 },
      ],
      stages: [
        { name: 'fwd', averageMs: 88.1 },
        { name: 'bwd', averageMs: 172.5 },
      ],
    },
  ],
  [
    '{"step":1200,"loss":2.3012,"stages":[{"name":"fwd","avg_ms":88.1,"max_ms":121.0,"n":10},{"name":"bwd","avg_ms":172.5,"max_ms":240.0,"n":10}]}',
    {
      step: 1200,
      loss: 2.3012,
      stages: [
        { name: 'fwd', count: 10, maximumMs: 121, averageMs: 88.1 },
        { name: 'bwd', count: 10, maximumMs: 240, averageMs: 172.5 },
      ],
    },
  ],
  [
    '{"step":1200,"queues":[{"name":"decode","depth":7,"capacity":16}]}',
    { step: 1200, queues: [{ name: 'decode', capacity: 16, depth: 7 }] },
  ],
  [
    '{"step":1200,"loss":2.3012,"eta":"1h 37m","elapsed":"0:06:14","progress":"6.0%","throughput":"24.1k tok/s"}',
    { step: 1200, loss: 2.3012, etaSeconds: 5820, elapsedSeconds: 374, tokensPerSecond: 24100, other: { progress: 6 } },
  ],
  [
    "{'loss': np.float64(2.3012), 'step': 1200, 'lr': tensor(3e-05, device='cuda:0')}",
    { loss: 2.3012, step: 1200, learningRate: 0.00003 },
  ],
  ['{step: 1200, loss: 2.3012, lr: 3e-05}', { step: 1200, loss: 2.3012, learningRate: 0.00003 }],
  ['step: 1200', { step: 1200 }],
  ['loss: 2.3012', { loss: 2.3012 }],
  [
    'Loss 2.3012 | Step 1200 | 24,100 tokens per second per GPU | 192,800 tokens per second total',
    { loss: 2.3012, step: 1200, tokensPerSecond: 24100, tokensPerSecondScope: 'gpu' },
  ],
  ['tokens_per_sec: 192800 (24100 per gpu)', { tokensPerSecond: 192800 }],
  [
    '24.1k tok/s/gpu | 192.8k tok/s global | step 1200 | loss 2.30',
    { tokensPerSecond: 24100, step: 1200, loss: 2.3, tokensPerSecondScope: 'gpu' },
  ],
  ['step 1200 | tok/s: 192.8k (24.1k/gpu) | loss 2.30', { tokensPerSecond: 192800, loss: 2.3, step: 1200 }],
  [
    '>>> Step    1200 ||| Loss 2.3012 ||| Perplexity 9.99 ||| GradNorm 0.52 ||| LR 3.00e-05 ||| 24.1 ktok/s',
    {
      loss: 2.3012,
      gradNorm: 0.52,
      learningRate: 0.00003,
      tokensPerSecond: 24100,
      step: 1200,
      other: { Perplexity: 9.99 },
    },
  ],
  [
    'TRAIN epoch 003 step 001200 loss 2.3012e+00 ppl 9.99e+00 lr 3.00e-05 gnorm 5.20e-01 upd/s 3.20 tok/s 2.41e+04 eta 01:37:22',
    {
      loss: 2.3012,
      learningRate: 0.00003,
      gradNorm: 0.52,
      iterationsPerSecond: 3.2,
      tokensPerSecond: 24100,
      etaSeconds: 5842,
      epoch: 3,
      step: 1200,
      other: { ppl: 9.99 },
    },
  ],
  [
    'train-loss=2.3012 train-ppl=9.99 valid-loss=2.4012 valid-ppl=11.04 step=1200',
    { loss: 2.3012, validationLoss: 2.4012, step: 1200, other: { 'train-ppl': 9.99, 'valid-ppl': 11.04 } },
  ],
  [
    'INFO  [Trainer] iter=1200/20000 (6.0%) | loss=2.3012 [avg=2.3512] | lr=3.00e-05 | speed=3.2 it/s | gpu_mem=61.2 GiB / 141 GiB | eta=1:37:22',
    {
      step: 1200,
      totalSteps: 20000,
      loss: 2.3012,
      learningRate: 0.00003,
      iterationsPerSecond: 3.2,
      memoryBytes: 65712999629,
      etaSeconds: 5842,
      other: { loss_avg: 2.3512 },
    },
  ],
  [
    'Loss/train: 2.3012, Loss/val: 2.4012, LR: 3e-05, Time/step: 0.312s, Step: 1200',
    { loss: 2.3012, validationLoss: 2.4012, learningRate: 0.00003, stepSeconds: 0.312, step: 1200 },
  ],
  ['Step #1200: loss 2.3012', { loss: 2.3012, step: 1200 }],
  ['n_iter: 1200, n_tokens: 98304000, loss: 2.3012', { step: 1200, loss: 2.3012, other: { n_tokens: 98304000 } }],
  [
    'iter_time 312.4 ms | data_time 12.3 ms | fwd_time 88.1 ms',
    {
      stepSeconds: 0.3124,
      stages: [
        { name: 'data_time', averageMs: 12.3 },
        { name: 'fwd_time', averageMs: 88.1 },
      ],
    },
  ],
  [
    'timers[ms]: fwd=88.1 bwd=172.5',
    {
      stages: [
        { name: 'fwd', averageMs: 88.1 },
        { name: 'bwd', averageMs: 172.5 },
      ],
    },
  ],
  ['wall 374.2 s | 1200 it | 3.2 it/s', { elapsedSeconds: 374.2, iterationsPerSecond: 3.2, step: 1200 }],
  ['GPU mem: 61.2 / 141.0 GB (43%)', { memoryBytes: 61200000000 }],
  ['Peak memory: 61.2GB', { memoryBytes: 61200000000 }],
  [
    'reward: 0.53, kl: 0.012, loss: -0.0123, step: 1200',
    { loss: -0.0123, step: 1200, other: { reward: 0.53, kl: 0.012 } },
  ],
  ['loss: total=2.3012 ce=2.2012 aux=0.1000', { loss: 2.3012, other: { loss_ce: 2.2012, loss_aux: 0.1 } }],
  [
    'val_loss=2.4012 val_acc=0.55 best_val_loss=2.3512',
    { validationLoss: 2.4012, other: { val_acc: 0.55, best_val_loss: 2.3512 } },
  ],
  [
    'step 1200 │ loss 2.3012 ↓ │ lr 3.00e-05 │ 24.1k tok/s',
    { loss: 2.3012, learningRate: 0.00003, tokensPerSecond: 24100, step: 1200 },
  ],
  ['step → 1200, loss → 2.3012', { step: 1200, loss: 2.3012 }],
  ['Step 1.2k | Loss 2.30 | Tokens 98.3M', { loss: 2.3, step: 1200, other: { Tokens: 98300000 } }],
  [
    'batch 1200/5000 epoch 3/10 loss 0.345',
    { step: 1200, totalSteps: 5000, epoch: 3, loss: 0.345, other: { epochs: 10 } },
  ],
  ['ep 3 | it 1200/5000 | loss 0.345', { step: 1200, totalSteps: 5000, loss: 0.345, epoch: 3 }],
];

import type { LogValues } from '../../../src/model/samples.ts';

/** Lines as trainers might print them, and what they say: other units, orders, separators and languages than those of the samples. */
export const further: readonly (readonly [line: string, values: LogValues])[] = [
  [
    'Epoche 3 | Schritt 1.200 | Verlust 2,3012 | Lernrate 0,00003 | Zeit/Schritt 312,4 ms | 3,2 Schritte/s | Warteschlange 7/16',
    {
      loss: 2.3012,
      learningRate: 0.00003,
      stepSeconds: 0.3124,
      iterationsPerSecond: 3.2,
      epoch: 3,
      step: 1200,
      queues: [{ name: 'Warteschlange', depth: 7, capacity: 16 }],
    },
  ],
  [
    'Époque 3/10 Étape 1200/20000 Perte=2,3012 Norme du gradient=0,52 Débit=24 100 jetons/s Mémoire=61,2 Go Temps restant=1h37',
    {
      epoch: 3,
      step: 1200,
      totalSteps: 20000,
      loss: 2.3012,
      gradNorm: 0.52,
      tokensPerSecond: 24100,
      memoryBytes: 61200000000,
      etaSeconds: 5820,
      other: { epochs: 10 },
    },
  ],
  [
    'Эпоха 3/10 | Шаг 1200/20000 | Потери 2,3012 | LR 3e-05 | Скорость 24100 ток/с | Память 61,2 ГБ | Очередь 7/16 | Осталось 1 ч 37 мин',
    {
      epoch: 3,
      step: 1200,
      totalSteps: 20000,
      loss: 2.3012,
      learningRate: 0.00003,
      tokensPerSecond: 24100,
      memoryBytes: 61200000000,
      etaSeconds: 5820,
      queues: [{ name: 'Очередь', depth: 7, capacity: 16 }],
      other: { epochs: 10 },
    },
  ],
  [
    'Época 3/10 Paso 1200/20000 Pérdida: 2.3012 Tasa de aprendizaje: 3e-05 Velocidad: 24100 tokens/s Cola: 7/16',
    {
      epoch: 3,
      step: 1200,
      totalSteps: 20000,
      loss: 2.3012,
      learningRate: 0.00003,
      tokensPerSecond: 24100,
      queues: [{ name: 'Cola', depth: 7, capacity: 16 }],
      other: { epochs: 10 },
    },
  ],
  [
    'step:1200|loss:2.3012|lr:3e-05|gn:0.52|tps:24100|mfu:41.2%|q:7/16',
    {
      step: 1200,
      loss: 2.3012,
      learningRate: 0.00003,
      gradNorm: 0.52,
      tokensPerSecond: 24100,
      mfuPercent: 41.2,
      queues: [{ name: 'q', depth: 7, capacity: 16 }],
    },
  ],
  [
    'rank=0 step=1200 loss=2.3012 dt=312.4ms toks=24100/s hbm=61.2GiB',
    { step: 1200, loss: 2.3012, stepSeconds: 0.3124, tokensPerSecond: 24100, memoryBytes: 65712999629 },
  ],
  ['[rank 3] batch 1200 done: loss 2.3012, 312 ms', { loss: 2.3012, step: 1200, stepSeconds: 0.312 }],
  [
    'perf: 24.1k tok/s (3.01k tok/s/gpu), 412 TFLOP/s, MFU 41.2%',
    { tokensPerSecond: 24100, tflopsPerSecond: 412, mfuPercent: 41.2, other: { tflops: 412 } },
  ],
  ['step 1200: loss=2.3012±0.012 lr=3e-05', { loss: 2.3012, learningRate: 0.00003, step: 1200 }],
  [
    '[train] step 1200 loss 2.3012 [val] loss 2.4012 acc 0.55',
    { loss: 2.3012, validationLoss: 2.4012, step: 1200, other: { acc: 0.55 } },
  ],
  [
    'eval step 1200: loss=2.4012 ppl=11.04 acc=0.5512 time=12.3s',
    { validationLoss: 2.4012, step: 1200, other: { ppl: 11.04, acc: 0.5512, time: 12.3 } },
  ],
  [
    'Validation @ step 1200: loss 2.4012, accuracy 55.12%',
    { validationLoss: 2.4012, step: 1200, other: { accuracy: 55.12 } },
  ],
  ['*** step 1200 *** loss: 2.3012 *** lr: 3e-05', { loss: 2.3012, learningRate: 0.00003, step: 1200 }],
  [
    'queue stats: decode=7/16 tokenize=12/32 pack=[3-9]/64 h2d=2',
    {
      queues: [
        { name: 'decode', depth: 7, capacity: 16 },
        { name: 'tokenize', depth: 12, capacity: 32 },
        { name: 'pack', low: 3, high: 9, capacity: 64 },
        { name: 'h2d', depth: 2 },
      ],
    },
  ],
  [
    'queues | decode 7/16 | tokenize 12/32 | upload 0/8',
    {
      queues: [
        { name: 'decode', depth: 7, capacity: 16 },
        { name: 'tokenize', depth: 12, capacity: 32 },
        { name: 'upload', depth: 0, capacity: 8 },
      ],
    },
  ],
  [
    'q[decode]=7/16 q[tokenize]=12/32',
    {
      queues: [
        { name: 'q[decode]', depth: 7, capacity: 16 },
        { name: 'q[tokenize]', depth: 12, capacity: 32 },
      ],
    },
  ],
  [
    'prefetch queue depth: 3, capacity: 16, wait: 12.5 ms',
    { queues: [{ name: 'prefetch queue', depth: 3, waitSeconds: 0.0125, capacity: 16 }] },
  ],
  [
    'stage timings (ms): fetch=3.1 fwd=88.1 bwd=172.5 opt=9.6',
    {
      stages: [
        { name: 'fetch', averageMs: 3.1 },
        { name: 'fwd', averageMs: 88.1 },
        { name: 'bwd', averageMs: 172.5 },
        { name: 'opt', averageMs: 9.6 },
      ],
    },
  ],
  [
    'timing: fetch 3.1ms fwd 88.1ms bwd 172.5ms opt 9.6ms total 273.3ms',
    {
      stages: [
        { name: 'fetch', averageMs: 3.1 },
        { name: 'fwd', averageMs: 88.1 },
        { name: 'bwd', averageMs: 172.5 },
        { name: 'opt', averageMs: 9.6 },
        { name: 'total', averageMs: 273.3 },
      ],
    },
  ],
  [
    'fwd: avg 88.1 ms, max 121.0 ms, n=100; bwd: avg 172.5 ms, max 240.0 ms, n=100',
    {
      stages: [
        { name: 'fwd', count: 100, maximumMs: 121, averageMs: 88.1 },
        { name: 'bwd', count: 100, maximumMs: 240, averageMs: 172.5 },
      ],
    },
  ],
  [
    'fwd avg=88.1ms max=121ms | bwd avg=172.5ms max=240ms',
    {
      stages: [
        { name: 'fwd', maximumMs: 121, averageMs: 88.1 },
        { name: 'bwd', maximumMs: 240, averageMs: 172.5 },
      ],
    },
  ],
  [
    'times/step: data 3.1 ms (1%), forward 88.1 ms (32%), backward 172.5 ms (63%)',
    {
      stages: [
        { name: 'data', averageMs: 3.1 },
        { name: 'forward', averageMs: 88.1 },
        { name: 'backward', averageMs: 172.5 },
      ],
    },
  ],
  [
    'Step 1200 completed in 0.312s (3.2 steps/s, 12.5 samples/s)',
    { iterationsPerSecond: 3.2, samplesPerSecond: 12.5, step: 1200 },
  ],
  [
    'throughput: 12.5 samples/s, 24.1k tokens/s, 3.2 steps/s',
    { samplesPerSecond: 12.5, tokensPerSecond: 24100, iterationsPerSecond: 3.2 },
  ],
  [
    'Iter 1200 | Time 312.4 | Loss 2.3012 | LR 3.0E-05',
    { loss: 2.3012, learningRate: 0.00003, step: 1200, other: { Time: 312.4 } },
  ],
];

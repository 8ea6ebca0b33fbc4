import type { LogValues } from '../../../src/model/samples.ts';

const stage = (name: string, averageMs: number, maximumMs?: number) => ({
  name,
  averageMs,
  ...(maximumMs !== undefined && { maximumMs }),
});
const queue = (name: string, depth: number, capacity: number) => ({ name, depth, capacity });
const waiting = (name: string, depth: number, capacity: number, waitSeconds: number) => ({
  ...queue(name, depth, capacity),
  waitSeconds,
});

/** Queues and stages under a head, in quotes, with what is told of each; rates with whose they are; times that are left. */
export const places: readonly (readonly [line: string, values: LogValues])[] = [
  [
    'queues                         experience=7/16 weights=[0-2] prompts=64/64',
    { queues: [queue('experience', 7, 16), { name: 'weights', low: 0, high: 2 }, queue('prompts', 64, 64)] },
  ],
  [
    'buffers  replay=120/5000  rollout=[11..16]',
    { queues: [queue('replay', 120, 5000), { name: 'rollout', low: 11, high: 16 }] },
  ],
  ['キュー: 前処理=7/16 転送=2/2', { queues: [queue('前処理', 7, 16), queue('転送', 2, 2)] }],
  ['очереди: загрузка=7/16 копирование=2/2', { queues: [queue('загрузка', 7, 16), queue('копирование', 2, 2)] }],
  [
    'stage seconds (avg/max)        generate=21.4/38.9 reward=2.10/3.77 update=9.62/10.20',
    { stages: [stage('generate', 21_400, 38_900), stage('reward', 2100, 3770), stage('update', 9620, 10_200)] },
  ],
  [
    'stage times in ms (mean/max): fwd=120.5/131.0 bwd=240.1/262.4',
    { stages: [stage('fwd', 120.5, 131), stage('bwd', 240.1, 262.4)] },
  ],
  ['stages (s): fwd 0.12/0.13, bwd 0.24/0.26', { stages: [stage('fwd', 120, 130), stage('bwd', 240, 260)] }],
  ['timings [ms] fwd=120.5 bwd=240.1', { stages: [stage('fwd', 120.5), stage('bwd', 240.1)] }],
  ['stages: fwd 120ms, bwd 0.24 s, opt 800us', { stages: [stage('fwd', 120), stage('bwd', 240), stage('opt', 0.8)] }],
  [
    'queue loader depth=7 cap=16 wait=0.004s; queue act depth=0 cap=8 wait=1.271s',
    { queues: [waiting('loader', 7, 16, 0.004), waiting('act', 0, 8, 1.271)] },
  ],
  ["queue 'h2d': depth=2 cap=4 wait=12ms", { queues: [waiting('h2d', 2, 4, 0.012)] }],
  ['queue "loader" 7/16, queue "act" 0/8', { queues: [queue('loader', 7, 16), queue('act', 0, 8)] }],
  ['queue [loader] 7/16', { queues: [queue('loader', 7, 16)] }],
  [
    'queue=3 wait=1.8s',
    {
      queues: [
        { name: 'queue', depth: 3 },
        { name: 'wait', waitSeconds: 1.8 },
      ],
    },
  ],
  [
    '[1200|20000] loss=2.3145 global 790.1 kTok/s, 41.3% MFU',
    {
      step: 1200,
      totalSteps: 20_000,
      loss: 2.3145,
      tokensPerSecond: 790_100,
      tokensPerSecondScope: 'global',
      mfuPercent: 41.3,
    },
  ],
  [
    'step 12/500 loss 2.1 12.3K tok/s (per GPU)',
    { step: 12, totalSteps: 500, loss: 2.1, tokensPerSecond: 12_300, tokensPerSecondScope: 'gpu' },
  ],
  ['overall 3.2% slower than best; eta 319.0 min', { etaSeconds: 19_140 }],
  [
    '{ step: 12 / 500, loss: 2.3, speed: 12.3k tok/s }',
    { step: 12, totalSteps: 500, loss: 2.3, tokensPerSecond: 12_300 },
  ],
  [
    '{step: [12/500], loss: 2.3, queue: [3/8]}',
    { step: 12, totalSteps: 500, loss: 2.3, queues: [queue('queue', 3, 8)] },
  ],
  ['loader queue is at 7/16', { queues: [queue('loader queue', 7, 16)] }],
  ['потери на проверке: 2,2012', { validationLoss: 2.2012 }],
  ['Verlust auf Validierung: 2,2012', { validationLoss: 2.2012 }],
  [
    'queues | loader 7/16 | act 0/8 | out [0-2]/8',
    { queues: [queue('loader', 7, 16), queue('act', 0, 8), { name: 'out', low: 0, high: 2, capacity: 8 }] },
  ],
  [
    'fwd avg/max 120.5/131.0 ms, bwd avg/max 240.1/262.4 ms',
    { stages: [stage('fwd', 120.5, 131), stage('bwd', 240.1, 262.4)] },
  ],
  ['step 12, speed: 98.4 kTok/s total', { step: 12, tokensPerSecond: 98_400, tokensPerSecondScope: 'global' }],
];

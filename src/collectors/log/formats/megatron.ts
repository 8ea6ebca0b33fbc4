import type { Draft } from '../draft.ts';
import { onlyMetrics, readEntries, takeField } from './entries.ts';
import type { LogFormat } from './format.ts';

const entry = /([A-Za-z][^|:]{0,100}?):\s*([^|]+)/g;

/** Megatron-LM, and what is made from it: Megatron-DeepSpeed, Megatron-LLM, MindSpeed. */
export const megatron: LogFormat = {
  name: 'megatron',
  title: 'Megatron-LM',
  source: 'NVIDIA/Megatron-LM, megatron/training/training.py; Megatron-DeepSpeed, epfLLM/Megatron-LLM',
  note: 'Rates are per GPU; an iteration that was skipped has no `lm loss`. What a fork adds is read by its words.',
  anchors: ['iteration', 'validation loss at', 'memory (MB) |'],
  detect: /(?:^|[\])])\s*iteration\s+\d+\s*\/\s*\d+\s*\||validation loss at .{0,300}\||\bmemory \(MB\) \| allocated: /,
  fields: {
    'consumed samples': { as: 'metric' },
    'consumed tokens': { as: 'metric' },
    'elapsed time per iteration (ms)': { as: 'stepSeconds', unit: 'ms' },
    'elapsed time per iteration (s)': { as: 'stepSeconds' },
    'throughput per GPU (TFLOP/s/GPU)': { as: 'tflopsPerSecond' },
    TFLOPs: { as: 'tflopsPerSecond' },
    'learning rate': { as: 'learningRate' },
    'lm loss': { as: 'loss' },
    loss: { as: 'loss' },
    'grad norm': { as: 'gradNorm' },
    'samples per second': { as: 'samplesPerSecond' },
    'tokens per gpu per second (tgs)': { as: 'tokensPerSecond', scope: 'gpu' },
    'tokens/sec/gpu': { as: 'tokensPerSecond', scope: 'gpu' },
    'tokens per second': { as: 'tokensPerSecond' },
    MFU: { as: 'mfuPercent' },
    'max allocated': { as: 'memoryBytes', unit: 'MB' },
    'mem-max-allocated-bytes': { as: 'memoryBytes' },
    allocated: { as: 'metric' },
    reserved: { as: 'metric' },
    'max reserved': { as: 'metric' },
  },
  read(text, draft) {
    if (text.includes('validation loss at')) readValidation(text, draft);
    else if (text.includes('memory (MB) |'))
      readEntries(text.slice(text.indexOf('memory (MB) |') + 13), entry, megatron, draft);
    else {
      const head = /iteration\s+(\d+)\s*\/\s*(\d+)\s*\|/.exec(text);
      takeField('step', head?.[1], draft);
      takeField('totalSteps', head?.[2], draft);
      readEntries(text.slice((head?.index ?? 0) + (head?.[0].length ?? 0)), entry, megatron, draft);
    }
    return undefined;
  },
  examples: [
    {
      lines:
        ' [2025-02-11 17:40:26] iteration      820/   48000 | consumed samples:       419840 | elapsed time per iteration (ms): 7214.6 | throughput per GPU (TFLOP/s/GPU): 402.3 | learning rate: 8.200000E-05 | global batch size:   512 | lm loss: 3.104417E+00 | loss scale: 1.0 | grad norm: 0.718 | number of skipped iterations:   0 | number of nan iterations:   0 |',
      values: [
        {
          step: 820,
          totalSteps: 48000,
          stepSeconds: 7.2146,
          learningRate: 8.2e-5,
          loss: 3.104417,
          gradNorm: 0.718,
          tflopsPerSecond: 402.3,
          other: {
            'consumed samples': 419840,
            'throughput per GPU (TFLOP/s/GPU)': 402.3,
            'global batch size': 512,
            'loss scale': 1,
            'number of skipped iterations': 0,
            'number of nan iterations': 0,
          },
        },
      ],
    },
    {
      lines:
        ' [2026-03-02 09:12:40] iteration      360/    9000 | consumed samples:       184320 | elapsed time per iteration (ms): 5120.0 | tok/gpu/s: 3276.8 | lm loss: 2.904410E+00 | hbm peak (GiB): 62.5 | dl_queue: 5/8 | q_wait: 3.2ms | data-time (ms): 12.0 |',
      values: [
        {
          step: 360,
          totalSteps: 9000,
          stepSeconds: 5.12,
          loss: 2.90441,
          tokensPerSecond: 3276.8,
          tokensPerSecondScope: 'gpu',
          memoryBytes: 62.5 * 2 ** 30,
          queues: [
            { name: 'dl_queue', depth: 5, capacity: 8 },
            { name: 'q', waitSeconds: 0.0032 },
          ],
          stages: [{ name: 'data-time', averageMs: 12 }],
          other: { 'consumed samples': 184320 },
        },
      ],
    },
    {
      lines:
        '[Rank 3] (after 10 iterations) memory (MB) | allocated: 20117.4 | max allocated: 41820.6 | reserved: 44102.0 | max reserved: 44102.0',
      values: [{ memoryBytes: 41820600000, other: { allocated: 20117.4, reserved: 44102, 'max reserved': 44102 } }],
    },
    {
      lines: ' validation loss at iteration 1000 | lm loss value: 2.918802E+00 | lm loss PPL: 1.851905E+01 | ',
      values: [{ step: 1000, validationLoss: 2.918802, other: { 'lm loss PPL': 18.51905 } }],
    },
  ],
};

function readValidation(text: string, draft: Draft): void {
  takeField('step', /at iteration (\d+)/.exec(text)?.[1], draft);
  readEntries(
    text,
    /\|\s*([A-Za-z][^|:]{0,100}?)(?: value)?:\s*([^|]+)/g,
    { ...onlyMetrics, fields: { 'lm loss': { as: 'validationLoss' } } },
    draft,
  );
}

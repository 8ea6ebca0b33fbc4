import type { Frames } from '../cast.ts';
import { frames, site } from '../places.ts';
import * as libraries from './libraries.ts';
import type { NativeFrames } from './libraries.ts';

/** One of the things that a thread does in the function where its stack ends. */
export interface Way {
  /** How often, beside the others'. */
  readonly weight: number;
  /** So many of its innermost frames are others just now… */
  readonly drop?: number;
  /** …namely these. */
  readonly inner?: Frames;
  readonly native?: NativeFrames;
  /** How often it has the GIL there while it runs; machine code has mostly let go of it. Absent: always. */
  readonly gil?: number;
}

/** What happens in the function where a thread's stack ends: by its name and file. */
export function waysOf(stack: Frames): readonly Way[] {
  const [name, file] = stack[0] ?? ['', ''];
  return ways[`${name} ${file.split('/').at(-1)}`] ?? ways[name] ?? plain;
}

const nn = (name: string, line: number) => [name, `${site}/torch/nn/modules/module.py`, line] as const;
const plain: readonly Way[] = [{ weight: 1 }];
const waits: readonly Way[] = [{ weight: 1, native: libraries.pythonLock, gil: 0 }];

const ways: Readonly<Record<string, readonly Way[]>> = {
  // The step of the target model: it is launched, and then waited for.
  'synchronize streams.py': [
    { weight: 62, native: libraries.streamSync, gil: 0 },
    {
      ...{ weight: 24, drop: 1, native: libraries.launchLinear, gil: 0.3 },
      inner: [
        ['forward', `${site}/torch/nn/modules/linear.py`, 134],
        nn('_call_impl', 1786),
        ['forward', `${site}/transformers/models/qwen3/modeling_qwen3.py`, 82],
      ],
    },
    {
      ...{ weight: 8, drop: 1, native: libraries.allocate, gil: 0.1 },
      inner: [['repeat_kv', `${site}/transformers/models/qwen3/modeling_qwen3.py`, 151], nn('_call_impl', 1786)],
    },
    { weight: 6, drop: 2, inner: [frames.queuePut], native: libraries.pythonLock, gil: 0 },
  ],
  'synchronize __init__.py': [{ weight: 1, native: libraries.deviceSync, gil: 0 }],
  '_engine_run_backward graph.py': [
    { weight: 58, native: libraries.awaitBackward, gil: 0 },
    {
      ...{ weight: 17, drop: 3, native: libraries.launchLinear, gil: 0.6 },
      inner: [['linear', `${site}/torch/nn/functional.py`, 2320], nn('_call_impl', 1786)],
    },
    {
      ...{ weight: 14, drop: 3, native: libraries.deviceSync, gil: 0 },
      inner: [['item', `${site}/torch/_tensor.py`, 1012]],
    },
    { weight: 11, drop: 3, inner: [['step', `${site}/torch/optim/adamw.py`, 243]], gil: 0.6 },
  ],
  linear: [
    { weight: 70, native: libraries.launchLinear, gil: 0.4 },
    { weight: 30, drop: 1, inner: [nn('_call_impl', 1786)] },
  ],
  all_reduce: [{ weight: 1, native: libraries.collective, gil: 0 }],
  to: [
    { weight: 68, native: libraries.copy, gil: 0 },
    { weight: 20, drop: 1, inner: [frames.queuePut], native: libraries.pythonLock, gil: 0 },
    { weight: 12, drop: 1, inner: [frames.queueGet], native: libraries.pythonLock, gil: 0 },
  ],
  encode_batch: [
    { weight: 60, native: libraries.tokenize, gil: 0 },
    { weight: 25, drop: 1 },
    { weight: 15, native: libraries.waitForGil, gil: 0 },
  ],
  get: waits,
  put: waits,
  wait: waits,
  acquire: waits,
  read: [{ weight: 1, native: libraries.readFile, gil: 0 }],
  _invoke_run: [{ weight: 1, native: libraries.sleep, gil: 0 }],
};

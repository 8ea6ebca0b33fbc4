import { byFunction } from '../classes/by-function.ts';
import { placeOf } from '../classes/place.ts';
import type { StackFrame } from '../stacks.ts';

/** What a thread is for, told by a function that it was started with. */
export interface StackRole {
  readonly role: string;
  /** The source file, from its package on (place.ts), or the library of a native frame. */
  readonly file: RegExp;
  readonly function: RegExp;
  /** Processes are started for it: a main thread may have it too, which else is what its program is. */
  readonly main?: true;
}

const any = /(?:)/;

/**
 * Functions of libraries that threads are started with, or that are all that is below those. The first row with such a frame counts:
 * those that say most come first, pools that do anything last.
 */
const stackRoles: readonly StackRole[] = [
  { role: 'data worker', file: /^torch\/utils\/data\/_utils\/worker\.py$/, function: /^_worker_loop$/, main: true },
  { role: 'pin memory', file: /^torch\/utils\/data\/_utils\/pin_memory\.py$/, function: /^_pin_memory_loop$/ },
  { role: 'compile worker', file: /^torch\/_inductor\/compile_worker\/__main__\.py$/, function: any, main: true },
  { role: 'compile worker', file: /^torch\/_inductor\/(compile_worker\/|async_compile\.py)/, function: any },
  {
    role: 'launcher',
    file: /^torch\/distributed\/(elastic\/agent|launcher)\//,
    function: /^(_?run|_invoke_run|launch_agent)$/,
    main: true,
  },
  {
    role: 'launcher',
    file: /^(accelerate\/commands\/launch|deepspeed\/launcher\/launch)\.py$/,
    function: any,
    main: true,
  },
  {
    role: 'checkpoint',
    file: /^(torch\/distributed\/checkpoint\/|orbax\/checkpoint|megatron\/core\/dist_checkpointing\/)/,
    function: any,
  },
  { role: 'checkpoint', file: /^(torch\/serialization|safetensors\/torch)\.py$/, function: /^_?save/ },
  { role: 'nccl watch', file: any, function: /ProcessGroupNCCL::.*(watchdog|Watchdog|heartbeat|Heartbeat)/ },
  { role: 'nccl', file: any, function: /^ncclProxy(Service|Progress)/ },
  { role: 'tcp store', file: any, function: /c10d::detail::.*(TCPStore|BackgroundThread|Daemon)/ },
  // Not thread_main: any thread that asks for a backward pass may work off a queue of its own in it (PyTorch 2.11).
  { role: 'autograd', file: any, function: /torch::autograd::.*thread_init/ },
  { role: 'blas pool', file: /lib(openblas|blas|mkl)/, function: /^(blas_thread_server|mkl_)/ },
  { role: 'blas pool', file: /lib(gomp|iomp5|omp)/, function: any },
  {
    role: 'tokenizer',
    file: /^(tokenizers\/|transformers\/tokenization_|tiktoken\/|sentencepiece\/)/,
    function: any,
  },
  { role: 'queue feeder', file: /^multiprocessing\/queues\.py$/, function: /^_feed$/ },
  { role: 'resource tracker', file: /^multiprocessing\/resource_tracker\.py$/, function: /^main$/, main: true },
  { role: 'fork server', file: /^multiprocessing\/forkserver\.py$/, function: /^main$/, main: true },
  { role: 'fd server', file: /^multiprocessing\/resource_sharer\.py$/, function: /^_serve$/ },
  {
    role: 'manager',
    file: /^multiprocessing\/managers\.py$/,
    function: /^(serve_forever|accepter|serve_client)$/,
    main: true,
  },
  { role: 'wandb', file: /^wandb\//, function: any },
  { role: 'tensorboard', file: /^(tensorboard|tensorboardX)\//, function: any },
  { role: 'mlflow', file: /^mlflow\//, function: any },
  { role: 'tqdm monitor', file: /^tqdm\/_monitor\.py$/, function: any },
  { role: 'metrics server', file: /^prometheus_client\//, function: any },
  { role: 'ray', file: /^ray\/(_private|util)\//, function: any },
  { role: 'http server', file: /^(socketserver|uvicorn\/server)\.py$/, function: /^(serve_forever|run|serve)$/ },
  { role: 'event loop', file: /^asyncio\/base_events\.py$/, function: /^run_forever$/ },
  { role: 'timer', file: /^sched\.py$/, function: /^run$/ },
  { role: 'pool worker', file: /^concurrent\/futures\/process\.py$/, function: /^_process_worker$/, main: true },
  { role: 'pool worker', file: /^multiprocessing\/pool\.py$/, function: /^worker$/, main: true },
  { role: 'pool handler', file: /^multiprocessing\/pool\.py$/, function: /^_handle_/ },
  { role: 'pool handler', file: /^concurrent\/futures\/process\.py$/, function: /^run$/ },
  // Its threads do anything: what is below says more.
  { role: 'thread pool', file: /^concurrent\/futures\/thread\.py$/, function: /^_worker$/ },
];

/**
 * What a stack says of its thread; undefined: nothing. Only its outermost frames tell, up to the first of the run's own code: what that
 * calls is work in passing.
 */
export function roleOfStack(frames: readonly StackFrame[], isMain: boolean): string | undefined {
  let first: number | undefined;
  const forked = frames.findIndex(isProcessStart);
  for (let at = forked < 0 ? frames.length - 1 : forked; at >= 0; at--) {
    const { rows, isOwn } = lookUp(frames[at] as StackFrame);
    const row = rows.find((each) => !isMain || stackRoles[each]?.main);
    if (row !== undefined && row < (first ?? Infinity)) first = row;
    if (isOwn && rows.length === 0) break;
  }
  return first === undefined ? undefined : stackRoles[first]?.role;
}

/** Where a process begins that was forked: around it stands the stack of the one that forked it. */
function isProcessStart(frame: StackFrame): boolean {
  return frame.function === '_bootstrap' && placeOf(frame).name === 'multiprocessing/process.py';
}

interface LookedUp {
  /** The rows that it fits, by their numbers. */
  readonly rows: readonly number[];
  /** Of the run's own code. */
  readonly isOwn: boolean;
}

const lookUp = byFunction((frame): LookedUp => {
  const { from, name } = placeOf(frame);
  const fits = ({ file, function: call }: StackRole) => file.test(name) && call.test(frame.function);
  const rows = stackRoles.flatMap((row, i) => (fits(row) ? [i] : []));
  return { rows, isOwn: from === 'user' && !isInstalled(frame) && !isCommand(frame) };
});

/** A package that place.ts does not know: some stand around all that threads do (sentry_sdk, ddtrace). */
function isInstalled({ file }: StackFrame): boolean {
  return /\/(site|dist)-packages\//.test(file);
}

/** `python -c`, as Python starts its helpers, and the script of an installed command: what they call is what was started. */
function isCommand({ function: name, file }: StackFrame): boolean {
  return name === '<module>' && (file === '<string>' || /(^|\/)[^/.<>]+$/.test(file));
}

import type { StackFrame } from '../stacks.ts';

/** What a thread is for, told by a function that is somewhere on its stack. */
export interface StackRole {
  readonly role: string;
  /** End of the source file's path, or the library of a native frame. */
  readonly file: RegExp;
  readonly function: RegExp;
  /** What any thread may do in passing says nothing of the main one. */
  readonly notMain?: true;
}

const any = /(?:)/;

/**
 * Functions of libraries that a thread is in for all of its life, or, below them, work that is given to a thread of its own. The first
 * row with a frame on the stack counts: those that say most come first, pools that do anything last.
 */
const stackRoles: readonly StackRole[] = [
  { role: 'data worker', file: /torch\/utils\/data\/_utils\/worker\.py$/, function: /^_worker_loop$/ },
  { role: 'pin memory', file: /torch\/utils\/data\/_utils\/pin_memory\.py$/, function: /^_pin_memory_loop$/ },
  {
    role: 'compile worker',
    file: /torch\/_inductor\/(compile_worker\/|async_compile\.py)/,
    function: any,
    notMain: true,
  },
  { role: 'compile worker', file: /torch\/_inductor\/compile_worker\/__main__\.py$/, function: any },
  {
    role: 'launcher',
    file: /torch\/distributed\/(elastic\/agent|launcher)\//,
    function: /^(_?run|_invoke_run|launch_agent)$/,
  },
  { role: 'launcher', file: /(accelerate\/commands\/launch|deepspeed\/launcher\/launch)\.py$/, function: any },
  {
    role: 'checkpoint',
    file: /(torch\/distributed\/checkpoint\/|orbax\/checkpoint|megatron\/core\/dist_checkpointing\/)/,
    function: any,
    notMain: true,
  },
  { role: 'checkpoint', file: /(torch\/serialization|safetensors\/torch)\.py$/, function: /^_?save/, notMain: true },
  { role: 'nccl watch', file: any, function: /ProcessGroupNCCL::.*(watchdog|Watchdog|heartbeat|Heartbeat)/ },
  { role: 'nccl', file: any, function: /^ncclProxy(Service|Progress)/ },
  { role: 'tcp store', file: any, function: /c10d::detail::.*(TCPStore|BackgroundThread|Daemon)/ },
  { role: 'autograd', file: any, function: /torch::autograd::.*(thread_init|thread_main)/ },
  { role: 'blas pool', file: /lib(openblas|blas|mkl)/, function: /^(blas_thread_server|mkl_)/, notMain: true },
  { role: 'blas pool', file: /lib(gomp|iomp5|omp)/, function: any, notMain: true },
  {
    role: 'tokenizer',
    file: /(\/tokenizers\/|transformers\/tokenization_|\/tiktoken\/|\/sentencepiece\/)/,
    function: any,
    notMain: true,
  },
  { role: 'queue feeder', file: /multiprocessing\/queues\.py$/, function: /^_feed$/ },
  { role: 'resource tracker', file: /multiprocessing\/resource_tracker\.py$/, function: /^main$/ },
  { role: 'fork server', file: /multiprocessing\/forkserver\.py$/, function: /^main$/ },
  { role: 'fd server', file: /multiprocessing\/resource_sharer\.py$/, function: /^_serve$/ },
  { role: 'manager', file: /multiprocessing\/managers\.py$/, function: /^(serve_forever|accepter|serve_client)$/ },
  { role: 'wandb', file: /\/wandb\//, function: any, notMain: true },
  { role: 'tensorboard', file: /\/(tensorboard|tensorboardX)\//, function: any, notMain: true },
  { role: 'mlflow', file: /\/mlflow\//, function: any, notMain: true },
  { role: 'tqdm monitor', file: /\/tqdm\/_monitor\.py$/, function: any, notMain: true },
  { role: 'metrics server', file: /\/prometheus_client\//, function: any, notMain: true },
  { role: 'ray', file: /\/ray\/(_private|util)\//, function: any, notMain: true },
  {
    role: 'http server',
    file: /\/(socketserver|uvicorn\/server)\.py$/,
    function: /^(serve_forever|run|serve)$/,
    notMain: true,
  },
  { role: 'event loop', file: /\/asyncio\/base_events\.py$/, function: /^run_forever$/, notMain: true },
  { role: 'timer', file: /\/sched\.py$/, function: /^run$/, notMain: true },
  { role: 'pool worker', file: /\/concurrent\/futures\/process\.py$/, function: /^_process_worker$/ },
  { role: 'pool worker', file: /\/multiprocessing\/pool\.py$/, function: /^worker$/ },
  { role: 'pool handler', file: /\/multiprocessing\/pool\.py$/, function: /^_handle_/ },
  { role: 'pool handler', file: /\/concurrent\/futures\/process\.py$/, function: /^run$/, notMain: true },
];

/** Pools whose threads do anything: what is above them on the stack says more, and so does a name. */
const poolRoles: readonly StackRole[] = [
  { role: 'thread pool', file: /\/concurrent\/futures\/thread\.py$/, function: /^_worker$/ },
];

/** What a stack says of its thread; undefined: nothing. */
export function roleOfStack(frames: readonly StackFrame[], isMain: boolean): string | undefined {
  const found = [...stackRoles, ...poolRoles].find(
    (row) =>
      !(row.notMain && isMain) &&
      frames.some((frame) => row.file.test(frame.file) && row.function.test(frame.function)),
  );
  return found?.role;
}

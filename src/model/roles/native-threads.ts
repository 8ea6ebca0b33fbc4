/** A thread that a library starts, told by its comm. */
export interface NativeThread {
  readonly comm: RegExp;
  readonly role: string;
  /** It names the main thread, and all threads that it starts have it too. */
  readonly mainOnly?: true;
  /** Who starts it, and what for. */
  readonly reason: string;
}

/**
 * Threads that libraries name themselves, by comm (the kernel cuts it at 15 bytes). The first that fits counts. BLAS and OpenMP pools
 * give no names: their threads have the comm of the one that started them, and are told by a dump that does not list them.
 */
export const nativeThreads: readonly NativeThread[] = [
  { comm: /^pt_autograd_/, role: 'autograd', reason: 'PyTorch: one a GPU, runs the backward pass' },
  { comm: /^pt_data_pin/, role: 'pin memory', reason: 'PyTorch DataLoader: copies batches to pinned memory' },
  { comm: /^pt_data_worker/, role: 'data worker', mainOnly: true, reason: 'PyTorch DataLoader: a worker process' },
  { comm: /^pt_(nccl|mccl)_/, role: 'nccl watch', reason: 'PyTorch: watchdog, heartbeat and checks of a NCCL group' },
  { comm: /^pt_gloo_/, role: 'gloo', reason: 'PyTorch: works off the collectives of a Gloo group' },
  { comm: /^pt_tcpstore/, role: 'tcp store', reason: 'PyTorch: the server of the rendezvous store' },
  { comm: /^pt_thread_pool/, role: 'torch pool', reason: 'PyTorch: its pool of threads between operators' },
  { comm: /^pt_watchdog/, role: 'watchdog', reason: 'PyTorch: a watchdog of its own' },
  { comm: /^pt_workerserver/, role: 'debug server', reason: 'PyTorch: the server of a worker for who debugs it' },
  { comm: /^pt_elastic/, role: 'launcher', mainOnly: true, reason: 'PyTorch: torchrun' },
  { comm: /^cuda-EvtHandlr$/, role: 'cuda events', reason: 'CUDA driver: waits for events of a context' },
  { comm: /^cuda[0-9a-f]{8,}/, role: 'cuda', reason: 'CUDA driver: a worker of a context' },
  { comm: /^NCCL /i, role: 'nccl', reason: 'NCCL: proxy, service and network threads, with NCCL_SET_THREAD_NAME=1' },
  { comm: /^(ucx|ucs|ucp|async-ucx)/i, role: 'ucx', reason: 'UCX: progress of its network' },
  { comm: /^(OMP|omp|openblas|OpenBLAS|mkl|blas)/, role: 'blas pool', reason: 'a BLAS or OpenMP that names its pool' },
  { comm: /^tbb/i, role: 'tbb pool', reason: 'oneTBB: a worker' },
  { comm: /^tokio-/, role: 'tokio', reason: 'Rust: a runtime for asynchronous work (safetensors, hf-xet, ...)' },
  { comm: /^(rayon|polars)/, role: 'rayon pool', reason: 'Rust: a pool for parallel work (tokenizers, polars)' },
  { comm: /^(grpc|default-execut|resolver-execut|event_engine|timer_manager)/, role: 'grpc', reason: 'gRPC: its own' },
  { comm: /^ZMQbg/, role: 'zmq', reason: 'ZeroMQ: I/O and reaper' },
  { comm: /^(jemalloc_bg|mimalloc)/, role: 'allocator', reason: 'jemalloc: gives memory back in the background' },
  { comm: /^(worker\.io|io\.worker|server\.io|client\.)/, role: 'ray', reason: 'Ray: the core worker' },
  { comm: /^iou-(wrk|sqp)/, role: 'io_uring', reason: 'the kernel: works off io_uring for the process' },
];

import { any, rowsOf, type ClassRow } from './rows.ts';

/** Functions of packages that compile, and that wait: for batches, requests, other processes, or for anything to do. */
export const waitTable: readonly ClassRow[] = [
  ...rowsOf(
    {
      class: 'compile',
      says: 'encloses',
      source: 'PyTorch 2.1 to 2.11 torch/_dynamo, _inductor, _functorch, fx; Triton 3; JAX, Numba, CuPy, FlashInfer',
    },
    [
      {
        file: /^torch\/_dynamo\/(convert_frame|symbolic_convert|output_graph|bytecode_\w+|guards|codegen|resume_execution|backends\/\w+|repro\/\w+|variables\/\w+)\.py$/,
        call: /^(?!<module>)/,
        because: 'is in torch.compile, which traces',
      },
      {
        file: /^torch\/_inductor\/(compile_fx|graph|scheduler|lowering|ir|codecache|async_compile|cpp_builder|select_algorithm|autotune_process|fx_passes\/.*|codegen\/.*|compile_worker\/.*)\.py$/,
        call: /^(?!<module>|_read_thread|_recv_msg|main$|__call__$|run_from_cache)/,
        because: 'is in torch.compile, which makes code',
      },
      {
        file: /^torch\/_inductor\/runtime\/triton_heuristics\.py$/,
        call: /^(precompile|_precompile\w*|_make_launchers|benchmark\w*|autotune\w*|coordinate_descent\w*|bench)$/,
        because: 'tries variants of a compiled kernel',
      },
      {
        file: /^torch\/(_functorch\/(aot_autograd|partitioners|_aot_autograd\/(graph_\w+|collect_\w+|jit_compile_\w+|dispatch_\w+|traced_\w+))|fx\/(experimental|passes)\/.*|_export\/.*|_subclasses\/fake_\w+|utils\/cpp_extension|jit\/_(trace|script|recursive)|onnx\/.*)\.py$/,
        call: /^(?!<module>)/,
        because: 'is in torch.compile or export',
      },
      {
        file: /^triton\/(compiler\/|backends\/.*compiler\.py|runtime\/build\.py|testing\.py)/,
        call: /^(?!<module>)/,
        because: 'compiles or tries a Triton kernel',
      },
      {
        file: /^triton\/runtime\/(jit|autotuner)\.py$/,
        call: /^(_do_compile|compile|warmup|preload|_bench|benchmark|prune_configs|create_binder)$/,
        because: 'compiles or tries a Triton kernel',
      },
      {
        file: /^(jax\/_src\/(compiler|pjit_compile|interpreters\/mlir)|numba\/core\/.*|cupy\/cuda\/compiler|flashinfer\/jit\/.*)\.py$/,
        call: /^(?!<module>)/,
        because: 'compiles a function',
      },
    ],
  ),

  ...rowsOf(
    {
      class: 'input wait',
      says: 'explains',
      source: 'PyTorch 2.1 to 2.11 torch/utils/data; tf.data; NVIDIA DALI; vLLM 0.6 to 0.24 v1',
    },
    [
      {
        file: /^torch\/utils\/data\/dataloader\.py$/,
        call: /^(_try_get_data|_get_data|_next_data|__next__|_shutdown_workers)$/,
        because: 'waits for a batch of the data loader',
      },
      {
        file: /^torch\/utils\/data\/_utils\/pin_memory\.py$/,
        call: /^(_pin_memory_loop|do_one_step)$/,
        because: "waits for a batch of the loader's workers",
      },
      {
        file: /^(accelerate\/data_loader|lightning\/.*(data_)?fetchers?|torchdata\/.*)\.py$/,
        call: any,
        because: 'waits for a batch',
      },
      {
        file: /^vllm\/v1\/engine\/(core|core_client|llm_engine)\.py$/,
        call: any,
        because: 'waits for a request or an answer',
      },
      {
        file: /^vllm\/v1\/executor\/multiproc_executor\.py$/,
        call: /^worker_busy_loop$/,
        because: 'is a worker that waits for the scheduler',
      },
      { file: /^sglang\/srt\/managers\//, call: any, because: 'waits for a request' },
    ],
  ),
  ...rowsOf({ class: 'input wait', says: 'decides', source: 'TensorFlow 2, NVIDIA DALI' }, [
    {
      file: /^tensorflow\/python\/(ops\/gen_dataset_ops|data\/ops\/iterator_ops)\.py$/,
      call: /^(iterator_get_next\w*|_next_internal)$/,
      because: 'waits for an element of tf.data',
    },
    {
      file: /^nvidia\/dali\/(pipeline|plugin\/.*)\.py$/,
      call: /^(_?share_outputs|run|_get_outputs|__next__|outputs)$/,
      because: 'waits for a batch of DALI',
    },
  ]),
  ...rowsOf(
    {
      class: 'idle',
      says: 'explains',
      source: 'PyTorch 2.11, tqdm, wandb, TensorBoard, Ray, uvicorn, prometheus_client',
    },
    [
      {
        file: /^torch\/utils\/data\/_utils\/worker\.py$/,
        call: /^_worker_loop$/,
        because: 'is a data worker with nothing to fetch: the loader is ahead',
      },
      { file: /^torch\/_inductor\/compile_worker\//, call: any, because: 'is a compile worker with nothing to do' },
      {
        file: /^torch\/(distributed\/elastic\/.*|multiprocessing\/spawn|distributed\/(run|launcher\/api))\.py$/,
        call: any,
        because: 'is a launcher, and watches its workers',
      },
      {
        file: /^(tqdm\/_monitor|tensorboard\/summary\/.*|tensorboardX\/.*|torch\/utils\/tensorboard\/.*|prometheus_client\/.*|mlflow\/.*|wandb\/.*)\.py$/,
        call: any,
        because: 'waits for something to report',
      },
      {
        file: /^ray\/_private\/(worker|workers\/default_worker)\.py$/,
        call: /^(main_loop|<module>)$/,
        because: 'is a worker of Ray with nothing to do',
      },
      { file: /^(uvicorn|gunicorn)\//, call: any, because: 'is a server that nobody asks' },
    ],
  ),
  ...rowsOf({ class: 'idle', says: 'decides', source: 'PyTorch 2.11 torch/distributed/elastic; Ray 2' }, [
    {
      file: /^torch\/distributed\/elastic\/(agent\/server\/\w+|multiprocessing\/(api|tail_log|subprocess_handler\/.*)|timer\/.*)\.py$/,
      call: /^(_invoke_run|_monitor_workers|_?wait|join|_poll|_watchdog_loop|tail_logfile|_run_watchdog)$/,
      because: 'is a launcher, and watches its workers',
    },
    {
      file: /^ray\/_private\/(worker|workers\/default_worker)\.py$/,
      call: /^main_loop$/,
      because: 'is a worker of Ray with nothing to do',
    },
  ]),

  ...rowsOf(
    {
      class: 'lock wait',
      says: 'decides',
      source: 'PyTorch 2.11 torch/autograd/graph.py (from 2.3 on; before that torch/autograd/__init__.py)',
    },
    [
      {
        file: /^torch\/autograd\/graph\.py$/,
        call: /^_engine_run_backward$/,
        ifActive: 'native',
        because: "waits for autograd's threads",
      },
    ],
  ),
  ...rowsOf({ class: 'lock wait', says: 'explains', source: 'Ray 2, ray/_private/worker.py' }, [
    { file: /^ray\//, call: /^(get|wait|get_objects|auto_init_wrapper)$/, because: 'waits for a result of Ray' },
  ]),
  ...rowsOf({ class: 'lock wait', says: 'hints', source: 'filelock 3; vLLM shm_broadcast.py' }, [
    { file: /^filelock\//, call: /^(_?acquire|__enter__)$/, because: 'waits for the lock of a file' },
    {
      file: /^vllm\/distributed\/device_communicators\/shm_broadcast\.py$/,
      call: /^(acquire_(read|write)|dequeue|enqueue|wait\w*|recv|spin\w*|record_activity)$/,
      because: 'waits for another process',
    },
    { file: /^vllm\/distributed\/utils\.py$/, call: /^sched_yield$/, because: 'waits for another process' },
  ]),
];

import { expect, test } from 'vitest';
import { eventsOf } from './told.ts';

/** Line, kind, details that must be there. */
const lines: readonly (readonly [string, object])[] = [
  // GPU memory
  [
    'RuntimeError: CUDA out of memory. Tried to allocate 12.51 MiB (GPU 0; 10.93 GiB total capacity; 8.58 MiB already allocated)',
    { kind: 'cuda_oom', gpu: 0, requested: '12.51 MiB', exception: 'RuntimeError' },
  ],
  [
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 300.00 GiB. GPU 3 has a total capacity of 139.80 GiB',
    { kind: 'cuda_oom', gpu: 3, requested: '300.00 GiB', exception: 'torch.OutOfMemoryError' },
  ],
  [
    'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 63.98 GiB',
    { kind: 'cuda_oom', gpu: 1 },
  ],
  ['RuntimeError: CUDA error: out of memory', { kind: 'cuda_oom', exception: 'RuntimeError' }],
  [
    'RuntimeError: NPU out of memory. Tried to allocate 20.00 MiB (NPU 0; 60.97 GiB total capacity;',
    { kind: 'cuda_oom' },
  ],
  [
    'jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.',
    { kind: 'cuda_oom', requested: '17179869184 bytes' },
  ],
  [
    '2026-03-01 10:11:12.131415: W tensorflow/core/framework/op_kernel.cc:1830] OP_REQUIRES failed at conv_ops.cc:698 : RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[64,512,112,112] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc',
    { kind: 'cuda_oom', gpu: 0 },
  ],
  [
    '2026-08-20 10:11:12 | WARNING | fairseq.trainer | OOM: Ran out of memory with exception: CUDA out of memory. Tried to allocate 1.91 GiB (GPU 5; 31.75 GiB total capacity;',
    { kind: 'cuda_oom', gpu: 5 },
  ],
  // Host memory
  [
    '[1234567.123456] Out of memory: Killed process 4712 (python3) total-vm:123456789kB, anon-rss:98765432kB',
    { kind: 'host_oom', pid: 4712, process: 'python3' },
  ],
  ['Memory cgroup out of memory: Killed process 99 (pt_data_worker) total-vm:1kB', { kind: 'host_oom', pid: 99 }],
  ['python invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0', { kind: 'host_oom' }],
  [
    'slurmstepd: error: Detected 1 oom_kill event in StepId=123456.0. Some of the step tasks have been OOM Killed.',
    { kind: 'host_oom' },
  ],
  [
    'slurmstepd: error: Detected 3 oom-kill event(s) in StepId=77.batch cgroup. Some of your processes may have been killed by the cgroup out-of-memory handler.',
    { kind: 'host_oom' },
  ],
  [
    'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000)',
    { kind: 'host_oom' },
  ],
  ['OSError: [Errno 12] Cannot allocate memory', { kind: 'host_oom', exception: 'OSError' }],
  [
    "RuntimeError: [enforce fail at alloc_cpu.cpp:83] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 1099511627776 bytes.",
    { kind: 'host_oom' },
  ],
  [
    '(raylet) node_manager.cc:3414: 2 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons',
    { kind: 'host_oom' },
  ],
  // Collectives
  [
    '[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1580, OpType=ALLREDUCE, NumelIn=466119168, NumelOut=466119168, Timeout(ms)=600000) ran for 600060 milliseconds before timing out.',
    { kind: 'nccl_timeout', op: 'ALLREDUCE', seq: 1580, rank: 0, timeoutMs: 600000, ranMs: 600060 },
  ],
  [
    '[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLGATHER, Timeout(ms)=1800000) ran for 1800903 milliseconds before timing out.',
    { kind: 'nccl_timeout', op: 'ALLGATHER', rank: 0 },
  ],
  [
    '[PG ID 0 PG GUID 0(default_pg) Rank 1] Exception (either an error or timeout) detected by watchdog at work: 1580, last enqueued NCCL work: 1582, last completed NCCL work: 1579.',
    { kind: 'nccl_timeout', seq: 1580, rank: 1 },
  ],
  [
    "[rank7]:[F512 11:12:13.141516171 ProcessGroupNCCL.cpp:1557] [PG ID 0 PG GUID 0(default_pg) Rank 7] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.",
    { kind: 'nccl_timeout', rank: 7 },
  ],
  [
    'RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete',
    { kind: 'nccl_timeout', timeoutMs: 1800000 },
  ],
  [
    "terminate called after throwing an instance of 'c10::DistBackendError'",
    { kind: 'dist_backend', exception: 'c10::DistBackendError' },
  ],
  [
    'torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1970, unhandled system error, NCCL version 2.21.5',
    { kind: 'dist_backend', exception: 'torch.distributed.DistBackendError' },
  ],
  [
    'ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.',
    { kind: 'dist_backend', error: 'ncclSystemError' },
  ],
  [
    'torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.',
    { kind: 'dist_backend' },
  ],
  [
    '[rank1]:[E] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: an illegal memory access was encountered',
    { kind: 'dist_backend', rank: 1 },
  ],
  // Devices
  [
    "[ 8123.456780] NVRM: Xid (PCI:0000:44:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
    { kind: 'xid', xid: 79, bus: '0000:44:00' },
  ],
  [
    '[ 8124.000002] NVRM: Xid (PCI:0000:17:00): 31, pid=4711, name=python, Ch 00000008, intr 10000000. MMU Fault',
    { kind: 'xid', xid: 31, bus: '0000:17:00', pid: 4711 },
  ],
  ['NVRM: GPU 0000:b3:00.0 has fallen off the bus.', { kind: 'gpu_lost', bus: '0000:b3:00.0' }],
  [
    'Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU',
    { kind: 'gpu_lost', bus: '0000:05:00.0' },
  ],
  // Ends of programs
  [
    'RuntimeError: DataLoader worker (pid 4712) is killed by signal: Killed.',
    { kind: 'exception', exception: 'RuntimeError', hint: 'host OOM killer' },
  ],
  ['torch.distributed.elastic.multiprocessing.errors.ChildFailedError:', { kind: 'torchrun_child_failed' }],
  ['KeyError: 3', { kind: 'exception', exception: 'KeyError', message: '3' }],
  ['KeyboardInterrupt', { kind: 'exception', exception: 'KeyboardInterrupt' }],
  [
    'ray.exceptions.RayTaskError(ValueError): ray::train_fn() (pid=4711, ip=10.0.0.2)',
    { kind: 'exception', exception: 'ray.exceptions.RayTaskError(ValueError)' },
  ],
  [
    '2026-05-18 16:04:46,338 - train - ERROR - ValueError: too many dimensions',
    { kind: 'exception', exception: 'ValueError', message: 'too many dimensions' },
  ],
  [
    "terminate called after throwing an instance of 'std::runtime_error'",
    { kind: 'exception', exception: 'std::runtime_error' },
  ],
  [
    'Fatal Python error: Segmentation fault',
    { kind: 'exception', exception: 'Fatal Python error', message: 'Segmentation fault' },
  ],
  [
    'E1129 14:22:21.473000 2778 torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: 1) local_rank: 1 (pid: 2800) of binary: /opt/venv/bin/python',
    { kind: 'rank_exit', code: 1, localRank: 1, pid: 2800 },
  ],
  [
    '[2026-08-20 10:11:12,131] [INFO] [launch.py:347:main] Process 4711 exits successfully.',
    { kind: 'rank_exit', pid: 4711, code: 0 },
  ],
  [
    "[2026-08-20 10:11:12,131] [ERROR] [launch.py:325:sigkill_handler] ['/usr/bin/python', '-u', 'train.py'] exits with return code = -9",
    { kind: 'rank_exit', code: -9, signal: 'SIGKILL' },
  ],
  ['srun: error: node-7: task 3: Exited with exit code 1', { kind: 'rank_exit', rank: 3, code: 1, host: 'node-7' }],
  ['srun: error: node-7: tasks 0-7: Killed', { kind: 'rank_exit', ranks: '0-7', signal: 'SIGKILL' }],
  [
    'mpirun noticed that process rank 3 with PID 1234 on node gpu-1 exited on signal 9 (Killed).',
    { kind: 'rank_exit', rank: 3, pid: 1234, signal: 'SIGKILL' },
  ],
  [
    './run.sh: line 12: 45678 Killed                  python train.py --config a.yaml',
    { kind: 'rank_exit', pid: 45678, signal: 'SIGKILL' },
  ],
  ['Segmentation fault (core dumped)', { kind: 'rank_exit', signal: 'SIGSEGV' }],
  [
    'slurmstepd: error: *** JOB 123456 ON node-0 CANCELLED AT 2026-08-20T10:11:12 DUE TO TIME LIMIT ***',
    { kind: 'slurm_time_limit', job: '123456', host: 'node-0' },
  ],
  [
    'slurmstepd: error: *** STEP 123456.0 ON node-0 CANCELLED AT 2026-08-20T10:11:12 DUE TO TIME LIMIT ***',
    { kind: 'slurm_time_limit', job: '123456' },
  ],
  [
    'slurmstepd: error: *** JOB 123456 ON node-0 CANCELLED AT 2026-08-20T10:11:12 DUE TO PREEMPTION ***',
    { kind: 'slurm_cancelled', reason: 'preemption' },
  ],
  ['Received signal SIGTERM, saving a checkpoint before the exit', { kind: 'signal', signal: 'SIGTERM' }],
  [
    'W0820 10:11:12.000000 99 torch/distributed/elastic/agent/server/api.py:741] Received 15 death signal, shutting down workers',
    { kind: 'signal', signal: 'SIGTERM' },
  ],
  [
    'slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE to SIGNAL Terminated ***',
    { kind: 'slurm_cancelled', job: '12' },
  ],
  ['srun: error: n1: task 0: Out Of Memory', { kind: 'host_oom' }],
  ['slurmstepd: error: StepId=1.0 exceeded memory limit (1 > 1), being killed', { kind: 'host_oom' }],
  ['*** SIGTERM received at time=1700000000 on cpu 1 ***', { kind: 'signal', signal: 'SIGTERM' }],
  ['GPU 3: Xid 79, GPU has fallen off the bus', { kind: 'xid', xid: 79, gpu: 3 }],
  ['CUDA out of memory caught, skipping batch', { kind: 'cuda_oom' }],
  ['worker 3 exited with code 1', { kind: 'rank_exit', worker: 3, code: 1 }],
  ['rank 3 exited with code -9', { kind: 'rank_exit', rank: 3, code: -9, signal: 'SIGKILL' }],
  ['rank 3 crashed', { kind: 'rank_exit', rank: 3 }],
  ['Primary job  terminated normally, but 1 process returned a non-zero exit code.', { kind: 'rank_exit' }],
  ['OOMKilled', { kind: 'host_oom' }],
  ['RuntimeError: cuda runtime error (2) : out of memory at /x/THCStorage.cu:58', { kind: 'cuda_oom' }],
  [
    'Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)',
    { kind: 'cuda_oom', requested: '2.00GiB' },
  ],
  [
    'Unable to determine the device handle for GPU0000:4F:00.0: Unknown Error',
    { kind: 'gpu_lost', bus: '0000:4F:00.0' },
  ],
  // Skipped steps
  [
    '[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768',
    { kind: 'overflow', rank: 0, lossScale: 32768 },
  ],
  [
    '2021-01-01 10:11:12 | INFO | fairseq.trainer | NOTE: gradient overflow detected, ignoring gradient, setting loss scale to: 64.0',
    { kind: 'overflow', lossScale: 64 },
  ],
  [
    'Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0',
    { kind: 'overflow', lossScale: 32768 },
  ],
  [
    ' iteration       10/  100 | consumed samples: 1280 | number of skipped iterations:   7 | number of nan iterations:   0 |',
    { kind: 'overflow', skipped: 7 },
  ],
];

test.each(lines)('%s', (line, event) => {
  expect(eventsOf(line)[0]).toEqual(expect.objectContaining(event));
});

test('a traceback names the exception that follows, whatever it is called', () => {
  const texts = ['Traceback (most recent call last):', '  File "train.py", line 210, in <module>', '    main()'];
  expect(
    eventsOf(
      { texts, next: 'subprocess.TimeoutExpired: Command timed out' },
      'subprocess.TimeoutExpired: Command timed out',
    ),
  ).toEqual([
    { kind: 'traceback', exception: 'subprocess.TimeoutExpired', message: 'Command timed out', lines: 3 },
    { kind: 'exception', exception: 'subprocess.TimeoutExpired', message: 'Command timed out' },
  ]);
  expect(eventsOf({ texts })).toEqual([{ kind: 'traceback', lines: 3 }]);
  // A line of figures after a traceback without its end is none.
  expect(eventsOf({ texts }, 'step: 12', 'Unsupported: a')).toEqual([
    { kind: 'traceback', lines: 3 },
    undefined,
    undefined,
  ]);
});

test('tracebacks of two ranks between each other', () => {
  const texts = ['Traceback (most recent call last):', '  File "a.py", line 1, in f'];
  expect(
    eventsOf(
      { texts, rank: 0 },
      { texts, rank: 1 },
      { texts: ['a.Odd: x'], rank: 0 },
      { texts: ['a.Odd: y'], rank: 1 },
    ).slice(2),
  ).toEqual([
    { kind: 'exception', exception: 'a.Odd', message: 'x' },
    { kind: 'exception', exception: 'a.Odd', message: 'y' },
  ]);
});

test("torchrun's summary tells the ranks' exits", () => {
  const summary = [
    '[1]:',
    '  time      : 2026-11-29_14:22:21',
    '  host      : localhost',
    '  rank      : 4 (local_rank: 0)',
    '  exitcode  : -15 (pid: 2799)',
    '  error_file: <N/A>',
    '  traceback : Signal 15 (SIGTERM) received by PID 2799',
  ];
  expect(eventsOf(...summary).filter((event) => event)).toEqual([
    { kind: 'rank_exit', rank: 4, code: -15, pid: 2799, signal: 'SIGTERM' },
  ]);
});

test('three lines of the driver are one lost GPU', () => {
  const texts = [
    'NVRM: The NVIDIA GPU 0000:b3:00.0',
    'NVRM: (PCI ID: 10de:26b5) installed in this system has',
    'NVRM: fallen off the bus and is not responding to commands.',
  ];
  expect(eventsOf({ texts })).toEqual([{ kind: 'gpu_lost', bus: '0000:b3:00.0' }]);
});

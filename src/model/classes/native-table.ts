import { any, rowsOf, type ClassRow } from './rows.ts';

/**
 * Machine code, by its symbols: of CUDA, HIP, NCCL, PyTorch, CPython and the C library. Of enclosing rows the first in the table counts,
 * of the others the innermost frame. Versions in the names (`_v2`, `_ptsz`) are left open.
 */
export const nativeTable: readonly ClassRow[] = [
  // The GIL: taken by these and by nobody else.
  ...rowsOf(
    {
      class: 'GIL wait',
      says: 'decides',
      source: 'CPython 3.8 to 3.14, Python/ceval_gil.c and pystate.c; pybind11 gil.h; PyO3 gil.rs',
    },
    [
      {
        call: /^(take_gil|PyEval_(RestoreThread|AcquireThread|AcquireLock)|_?PyThreadState_(Attach|Swap))$/,
        because: 'waits for the GIL',
      },
      { call: /^PyGILState_Ensure$/, because: 'waits for the GIL, to call Python' },
      {
        call: /^(pybind11::gil_scoped_acquire|nanobind::gil_scoped_acquire|nb::gil_scoped_acquire|pyo3::gil::)/,
        because: 'waits for the GIL, to call Python',
      },
      { call: /^(__pyx_|__Pyx_)\w*(gil_ensure|GILState|RestoreThread)/i, because: 'waits for the GIL, in Cython code' },
    ],
  ),

  // Threads that watch, in libraries of collectives: before the collectives.
  ...rowsOf(
    {
      class: 'idle',
      says: 'encloses',
      source: 'PyTorch 2.1 to 2.11, ProcessGroupNCCL.cpp, ProcessGroupGloo.cpp and TCPStoreBackend.cpp',
    },
    [
      {
        call: /^c10d::ProcessGroup\w+::(ncclCommWatchdog|watchdogHandler|workCleanupLoop|heartbeatMonitor|Watchdog::|HeartbeatMonitor::)/,
        because: 'watches collectives',
      },
      { call: /^c10d::detail::.*(Daemon|BackgroundThread)/, because: 'serves the store at which ranks meet' },
      { call: /^c10d::ProcessGroupGloo::(\w*Work::|.*execute)/, class: 'collective', because: 'is in a collective' },
      { call: /^c10d::ProcessGroupGloo::runLoop/, because: 'is a thread for collectives with none to do' },
    ],
  ),
  ...rowsOf(
    { class: 'collective', says: 'encloses', source: 'PyTorch 2.11 torch/csrc/distributed/c10d; NCCL 2 nccl.h; MPI 4' },
    [
      { call: /^c10d::(ProcessGroup|Work|Backend|ops|SymmetricMemory)/, because: 'is in a collective' },
      { call: /^c10d::(TCP|Prefix|File|Hash)Store::/, because: 'waits for other ranks at the store' },
      { call: /^(p?nccl[A-Z]|gloo::|P?MPI_[A-Z]|ucp_|ucc_|nvshmem)/, because: 'is in a collective' },
      { file: /^lib(nccl|rccl|mpi|ucp|ucc|nvshmem)\b/, call: any, because: 'is in a library of collectives' },
    ],
  ),
  ...rowsOf(
    {
      class: 'allocator',
      says: 'encloses',
      source: 'PyTorch 2.11 c10/cuda/CUDACachingAllocator.cpp, ATen/core/CachingHostAllocator.h',
    },
    [
      { call: /^c10::(cuda|hip)::(CUDA|HIP)CachingAllocator::/, because: "is in PyTorch's allocator of GPU memory" },
      {
        call: /^(at::cuda::|at::)?CachingHostAllocator|^at::(cuda|hip)::.*HostAllocator/,
        because: "is in PyTorch's allocator of pinned memory",
      },
    ],
  ),
  ...rowsOf(
    {
      class: 'compile',
      says: 'encloses',
      source: 'CUDA 12 and 13: nvrtc, nvJitLink, the PTX compiler; LLVM; Triton 3',
    },
    [
      {
        call: /^(nvrtcCompileProgram|nvJitLink|nvPTXCompiler|hiprtcCompileProgram|cuLink(Create|AddData|Complete))/,
        because: 'compiles GPU code',
      },
      {
        file: /^lib(nvrtc|nvJitLink|nvptxcompiler|LLVM|triton|hiprtc|amd_comgr|nvvm)\b/,
        call: any,
        because: 'is in a compiler',
      },
      { call: /^(llvm|mlir|clang)::/, because: 'is in a compiler' },
      { call: /^torch::jit::(tracer|GraphExecutor|.*(compile|Compile))/, because: 'compiles TorchScript' },
    ],
  ),

  ...rowsOf({ class: 'stream sync', says: 'decides', source: 'CUDA driver and runtime API 11 to 13; HIP 6' }, [
    {
      call: /^(cu(da)?|hip)(Ctx|Device|Stream|Event|Thread)Synchronize/,
      because: 'waits for the GPU to do what it was given',
    },
    {
      call: /^c10::(cuda|hip)::(device_synchronize|stream_synchronize)/,
      because: 'waits for the GPU to do what it was given',
    },
  ]),
  ...rowsOf({ class: 'copy', says: 'decides', source: 'CUDA driver and runtime API 11 to 13; HIP 6' }, [
    { call: /^(cu(da)?|hip)(Graph)?Memcpy/, because: 'copies between host and GPU, or between GPUs' },
    { call: /^(cu(da)?|hip)Mem(PrefetchAsync|Advise)/, because: 'moves managed memory' },
  ]),
  ...rowsOf({ class: 'allocator', says: 'decides', source: 'CUDA driver and runtime API 11 to 13; HIP 6' }, [
    {
      call: /^(cuda|hip)(Malloc|Free|HostAlloc|HostRegister|HostUnregister|MemPool)/,
      because: 'gets or frees memory by the driver',
    },
    {
      call: /^cu(Mem(Alloc|Free|Create|Release|Map|Unmap|SetAccess|AddressReserve|AddressFree|Host|Pool)|IpcOpen)/,
      because: 'gets or frees memory by the driver',
    },
  ]),
  ...rowsOf(
    {
      class: 'compile',
      says: 'decides',
      source: 'CUDA driver API 11 to 13 (modules are loaded at first use since 11.7)',
    },
    [
      {
        call: /^(cu(Module(Load|GetFunction)|Library(Load|GetKernel|GetModule)|KernelGetFunction)|hipModuleLoad)/,
        because: "loads a kernel's code, compiling it where it is PTX",
      },
    ],
  ),
  ...rowsOf({ class: 'kernel launch', says: 'decides', source: 'CUDA driver and runtime API 11 to 13; HIP 6' }, [
    { call: /^(__)?(cu(da)?|hip)(Ext)?(Module)?(Launch|GraphLaunch|GraphUpload)/, because: 'gives the GPU a kernel' },
    { call: /^(cu(da)?|hip)Memset/, because: 'gives the GPU memory to fill' },
    { call: /^(cu(da)?|hip)(EventRecord|StreamWait|StreamWrite|StreamBatch)/, because: 'puts an event into a stream' },
  ]),

  ...rowsOf({ class: 'lock wait', says: 'decides', source: 'PyTorch 2.11 torch/csrc/autograd/engine.cpp' }, [
    {
      call: /^torch::autograd::ReadyQueue::pop/,
      under: /^torch::autograd::Engine::execute/,
      because: "waits for autograd's threads",
    },
  ]),
  ...rowsOf(
    {
      class: 'idle',
      says: 'decides',
      source:
        'PyTorch 2.11 engine.cpp, c10/core/thread_pool.cpp; OpenBLAS, GNU and LLVM OpenMP, TBB, rayon, tokio, Arrow',
    },
    [
      { call: /^torch::autograd::ReadyQueue::pop/, because: 'is an autograd thread with nothing to do' },
      {
        call: /^(c10::ThreadPool::main_loop|at::.*ThreadPool|caffe2::.*ThreadPool)/,
        because: 'is a pool thread with nothing to do',
      },
    ],
  ),
  ...rowsOf(
    {
      class: 'idle',
      says: 'explains',
      source: 'OpenBLAS, GNU and LLVM OpenMP, TBB, rayon, tokio, Arrow, gRPC, Boost.Asio',
    },
    [
      {
        call: /^(blas_thread_server|gomp_thread_start|__kmp_(launch_worker|launch_thread)|tbb::.*(worker|arena)|rml::)/,
        because: 'is a pool thread with nothing to do',
      },
      {
        call: /^(rayon_core::registry::(WorkerThread|ThreadBuilder)|tokio::runtime::.*(park|worker)|arrow::internal::.*ThreadPool|boost::asio::detail::scheduler::run|grpc_(core|event_engine)::)/,
        because: 'is a pool thread with nothing to do',
      },
    ],
  ),
  ...rowsOf({ class: 'native', says: 'decides', source: 'Hugging Face tokenizers 0.20 to 0.22 (rayon inside of it)' }, [
    {
      file: /^(tokenizers|_tiktoken|sentencepiece|_sentencepiece)\b.*\.so/,
      call: any,
      because: 'is in a tokenizer, or waits for its threads',
    },
  ]),

  // What tells only that a thread waits, or talks to the kernel: frames around it say for what.
  ...rowsOf(
    {
      class: 'lock wait',
      says: 'hints',
      source: 'glibc 2.31 to 2.41 nptl; libstdc++; CPython 3.8 to 3.14 thread_pthread.h, lock.c, parking_lot.c',
    },
    [
      {
        call: /^(__)?(GI_)?_*(pthread_(cond|mutex|rwlock|barrier|spin|join|timedjoin|clockjoin)|lll_lock|futex|sem_(timed|clock)?wait|new_sem_wait|do_futex)/,
        because: 'waits for another thread',
      },
      {
        call: /^(std::(__1::)?(condition_variable|mutex|thread::join|shared_mutex|__\w*future)|absl::.*(Mutex|CondVar)|folly::.*Baton)/,
        because: 'waits for another thread',
      },
      {
        call: /^(_?Py(Thread_acquire_lock|_?ParkingLot_Park|Semaphore_|Mutex_Lock|RecursiveMutex)|acquire_timed|lock_PyThread|rlock_acquire|_?semlock_acquire|_multiprocessing_SemLock)/,
        because: 'waits for a lock',
      },
      {
        call: /^(gomp_(team_)?barrier|do_wait|__kmp_(join_barrier|barrier|wait))/,
        because: 'waits for the other threads of a parallel loop',
      },
      { call: /^(wait4|waitpid|waitid|__wait4|os_wait(pid|id|4)?(_impl)?)$/, because: 'waits for a child process' },
    ],
  ),
  ...rowsOf({ class: 'idle', says: 'hints', source: 'glibc; CPython Modules/timemodule.c, signalmodule.c' }, [
    { call: /^(__)?(clock_nanosleep|nanosleep|usleep|sleep)$|^(time_sleep|pysleep)$/, because: 'sleeps for a time' },
    {
      call: /^(__)?(pause|sigwait|sigwaitinfo|sigtimedwait|sigsuspend)$|^signal_(pause|sigwait)/,
      because: 'waits for a signal',
    },
  ]),
  ...rowsOf(
    {
      class: 'network I/O',
      says: 'hints',
      source: 'glibc; CPython Modules/socketmodule.c, selectmodule.c; libuv; OpenSSL',
    },
    [
      {
        call: /^(__)?(libc_)?(recv(from|m?msg)?|send(to|m?msg)?|connect|accept4?|getaddrinfo|res_\w+)$/,
        because: 'sends or receives',
      },
      {
        call: /^(__)?(p?poll|epoll_p?wait2?|p?select)$|^(select_(poll|epoll|select)|pyepoll_poll|uv__io_poll)/,
        because: 'waits for a file descriptor',
      },
      {
        call: /^(sock_(call|recv|send|connect|accept)|socket_getaddrinfo|_ssl__SSLSocket|SSL_(read|write|do_handshake|connect))/,
        because: 'sends or receives',
      },
    ],
  ),
  ...rowsOf({ class: 'file I/O', says: 'hints', source: 'glibc; CPython Modules/_io, posixmodule.c' }, [
    {
      call: /^(__)?(libc_)?(p?(read|write)v?(64)?(v2)?|open(at)?(64)?|close|fsync|fdatasync|sync_file_range|ftruncate(64)?|fallocate(64)?|lseek(64)?|f?statx?(64|at)?|fstatat(64)?|lstat(64)?|getdents(64)?|readdir(64)?|rename(at)?|unlink(at)?|sendfile(64)?|copy_file_range|msync|flock|fread|fwrite|fflush)$/,
      because: 'reads or writes a file',
    },
    {
      call: /^(_io_(FileIO|Buffered|TextIOWrapper)|_bufferedreader|_bufferedwriter|_fileio|_Py_(read|write|open|fstat|stat)|os_(read|write|fsync|open|listdir|scandir|stat|lstat))/,
      because: 'reads or writes a file',
    },
    { call: /^(H5[A-Z]|mdb_|arrow::(io|fs)::|parquet::)/, because: 'reads or writes a file' },
  ]),
  ...rowsOf({ class: 'allocator', says: 'hints', source: 'glibc malloc; jemalloc; tcmalloc; mimalloc' }, [
    {
      call: /^(__)?(libc_)?(malloc|calloc|realloc|free|cfree|_?int_(malloc|free|realloc)|malloc_consolidate|systrim|mmap(64)?|munmap|mremap|madvise|brk|sbrk|posix_memalign|aligned_alloc)$/,
      because: 'gets or frees memory of the host',
    },
    { call: /^(je_|tc_|mi_|tcmalloc::|_rjem_)/, because: 'gets or frees memory of the host' },
  ]),
];

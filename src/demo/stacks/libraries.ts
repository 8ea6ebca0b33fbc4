/** Machine code that a native dump finds: symbol and library, innermost first. */
export type NativeFrames = readonly (readonly [string, string])[];

const venv = '/opt/venv/lib/python3.11/site-packages';
const torch = (name: string) => `${venv}/torch/lib/${name}`;
const libc = '/usr/lib/x86_64-linux-gnu/libc.so.6';
const cuda = '/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04';
const cudart = `${venv}/nvidia/cu13/lib/libcudart.so.13`;
const nccl = `${venv}/nvidia/nccl/lib/libnccl.so.2`;
const stdlib = '/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.33';
const torchPython = torch('libtorch_python.so');
const torchCpu = torch('libtorch_cpu.so');
const torchCuda = torch('libtorch_cuda.so');
const c10Cuda = torch('libc10_cuda.so');
const python = '/usr/bin/python3.11';

/** An address: the library has no symbol there. */
const bare = (library: string, ...addresses: readonly string[]) => addresses.map((each) => [each, library] as const);

const threadStart: NativeFrames = bare(libc, '0x7f8ba509cb84', '0x7f8ba5129ecc');

/** The host waits for what it gave to the GPU. */
export const deviceSync: NativeFrames = [
  ...bare(cuda, '0x7f8b78f5201e', '0x7f8b781dfe24', '0x7f8b78206052', '0x7f8b782ee89d'),
  ['cuCtxSynchronize_v2', cuda],
  ['cudaDeviceSynchronize', cudart],
  ['c10::cuda::device_synchronize', c10Cuda],
  ['THCPModule_cudaSynchronize', torchPython],
];

/** The same, for one stream. */
export const streamSync: NativeFrames = [
  ...bare(cuda, '0x7f8b78f5201e', '0x7f8b781dfe24', '0x7f8b782f0114'),
  ['cuStreamSynchronize', cuda],
  ['cudaStreamSynchronize', cudart],
  ['c10::cuda::CUDAStream::synchronize', c10Cuda],
  ['THCPStream_synchronize', torchPython],
];

const launchKernel: NativeFrames = [
  ...bare(cuda, '0x7fa59ea9ab36', '0x7fa59eb83f4a', '0x7fa59ea72b2e'),
  ['cuLaunchKernel', cuda],
  ...bare(cudart, '0x7fa5ca81376d'),
  ['cudaLaunchKernel', cudart],
];

/** A layer that hands its kernel to the GPU. */
export const launchLinear: NativeFrames = [
  ...launchKernel,
  ...bare(`${venv}/nvidia/cu13/lib/libcublasLt.so.13`, '0x7fcfe79891c9', '0x7fcfe795d19a'),
  ['cublasLtMatmul', `${venv}/nvidia/cu13/lib/libcublasLt.so.13`],
  ['at::cuda::blas::gemm_and_bias<c10::BFloat16>', torchCuda],
  ['at::native::(anonymous namespace)::addmm_out_cuda_impl', torchCuda],
  ['at::_ops::addmm::call', torchCpu],
  ['at::_ops::linear::call', torchCpu],
  ['torch::autograd::THPVariable_linear', torchPython],
];

/** Memory that the cache of the allocator did not have. */
export const allocate: NativeFrames = [
  ...bare(cuda, '0x7f8b78f30c41', '0x7f8b78210a11'),
  ['cuMemAlloc_v2', cuda],
  ['cudaMalloc', cudart],
  ['c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::alloc_block', c10Cuda],
  ['c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc', c10Cuda],
  ['at::detail::empty_cuda', torchCuda],
  ['at::_ops::empty_memory_format::call', torchCpu],
];

/** From the host's memory to the GPU's, or back. */
export const copy: NativeFrames = [
  ...bare(cuda, '0x7f8b78f44a02', '0x7f8b7820d5c3'),
  ['cuMemcpyDtoHAsync_v2', cuda],
  ['cudaMemcpyAsync', cudart],
  ['at::native::copy_kernel_cuda', torchCuda],
  ['at::native::copy_', torchCpu],
  ['at::_ops::copy_::call', torchCpu],
  ['at::native::_to_copy', torchCpu],
  ['torch::autograd::THPVariable_to', torchPython],
];

/** backward() leaves the work to the autograd thread and waits for it. */
export const awaitBackward: NativeFrames = [
  ...bare(libc, '0x7fa5cb898e51'),
  ['pthread_cond_wait', libc],
  ['std::condition_variable::wait', stdlib],
  ['torch::autograd::ReadyQueue::pop', torchCpu],
  ['torch::autograd::Engine::thread_main', torchCpu],
  ['torch::autograd::Engine::execute_with_graph_task', torchCpu],
  ['torch::autograd::python::PythonEngine::execute', torchPython],
  ['THPEngine_run_backward', torchPython],
];

const autogradStart: NativeFrames = [
  ['torch::autograd::Engine::thread_main', torchCpu],
  ['torch::autograd::Engine::thread_init', torchCpu],
  ['torch::autograd::python::PythonEngine::thread_init', torchPython],
  ...bare(stdlib, '0x7f8b740ecdb4'),
  ...threadStart,
];

/** An autograd thread without work. */
export const autogradIdle: NativeFrames = [
  ...bare(libc, '0x7f8ba5098e51'),
  ['pthread_cond_wait', libc],
  ['std::condition_variable::wait', stdlib],
  ['torch::autograd::ReadyQueue::pop', torchCpu],
  ...autogradStart,
];

/** One that launches the kernels of the backward pass. */
export const autogradBusy: NativeFrames = [
  ...launchKernel,
  ['at::native::structured_mm_out_cuda::impl', torchCuda],
  ['at::_ops::mm::call', torchCpu],
  ['torch::autograd::generated::AddmmBackward0::apply', torchCpu],
  ['torch::autograd::Node::operator()', torchCpu],
  ['torch::autograd::Engine::evaluate_function', torchCpu],
  ...autogradStart,
];

/** NCCL's kernel has to be on the stream of all ranks. */
export const collective: NativeFrames = [
  ...bare(nccl, '0x7f1f0c0a51d4', '0x7f1f0c0a7e30'),
  ['ncclAllReduce', nccl],
  ['c10d::ProcessGroupNCCL::allreduce', torchCuda],
  ['c10d::ops::allreduce_', torchCpu],
];

/** A lock of Python, or what is made of one: a queue, an event. */
export const pythonLock: NativeFrames = [
  ...bare(libc, '0x7f8ba5098c7e'),
  ['sem_clockwait', libc],
  ['PyThread_acquire_lock_timed', python],
];

/** A thread that sleeps for a time. */
export const sleep: NativeFrames = [['clock_nanosleep', libc]];

/** A file that is read. */
export const readFile: NativeFrames = [
  ['read', libc],
  ['_Py_read', python],
];

/** Code of a library comes back to Python. */
export const waitForGil: NativeFrames = [
  ...bare(libc, '0x7f8ba5098e51'),
  ['pthread_cond_timedwait', libc],
  ['take_gil', python],
  ['PyEval_RestoreThread', python],
];

/** A tokenizer's own code, which is compiled. */
export const tokenize: NativeFrames = bare(
  `${venv}/tokenizers/tokenizers.abi3.so`,
  '0x7f0c1e2b7a40',
  '0x7f0c1e2a1133',
  '0x7f0c1e28f9d0',
);

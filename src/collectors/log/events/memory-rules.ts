import { numberOf, told, type EventRule } from './rule.ts';

/**
 * GPU memory ran out: PyTorch's texts of all versions (`capacty` in 2.1), other devices than CUDA, JAX, TensorFlow, Paddle. A text that
 * speaks of what to do then has no request in it.
 */
const ofGpu: readonly RegExp[] = [
  /(?:^|[\s:'"])(?:torch\.)?(?:cuda\.)?OutOfMemoryError\b(?=: |:?$)/,
  /\bout of memory\b.{0,40}\bTried to allocate\b/i,
  /\bcuda(?: runtime |Error|_?error).{0,12}\bout of memory\b|\bAllocator \(\w+\) ran out of memory trying to allocate\b/i,
  /\b(?:CUDA|HIP|XPU|NPU) (?:driver |runtime )?error\b.{0,60}\bout of memory\b|\bCUDA_ERROR_OUT_OF_MEMORY\b|\bcudaErrorMemoryAllocation\b|\bhipErrorOutOfMemory\b/,
  /(?:^|: |\] )(?:CUDA|HIP|ROCm|XPU|NPU|GPU)(?: \d+)? out of memory(?:[.!]?$|(?=[\s:;,.(-].{0,60}\b\d[\d.]* ?(?:[KMGT]i?B|bytes)\b))/,
  /\b(?:CUDA|HIP|XPU|NPU)(?:[ _](?:driver |runtime )?error)?\b\]?.{0,160}[:,(] ?"?out of memory\b/i,
  /\b(?:cuda|hip)Malloc\w*\b.{0,120}\bout of memory\b|\bVK_ERROR_OUT_OF_DEVICE_MEMORY\b|\bCL_MEM_OBJECT_ALLOCATION_FAILURE\b/,
  /\b(?:ran |running |run |is |went )?out of (?:GPU|CUDA|device|HBM|VRAM) memory\b(?! (?:error|errors|issues?|problems?)\b)/i,
  /\b(?:GPU|device|cuda)[ :]?\d+\b.{0,20}\bout of memory\b/i,
  /\bRESOURCE_EXHAUSTED: .{0,120}\b(?:out of memory|OOM when|allocat|reserve)/i,
  /\bout of memory\b,? .{0,40}\b(?:caught|skipping|retrying)\b|\bran out of memory\b.{0,40}, (?:skipping|retrying)\b|\bOOM (?:caught|encountered|detected)\b/i,
  /\bOOM when allocating tensor\b|\bOut of memory error on GPU \d/,
];

/** Host memory: the kernel, cgroups and SLURM, Ray, and programs that are refused it. */
const ofHost: readonly RegExp[] = [
  /\bout of memory: Kill(?:ed)? process\b|\binvoked oom-killer\b|\boom-kill:constraint=/i,
  /\bDetected \d+ oom[-_ ]kill event|\bcgroup out-of-memory handler\b|\bexceeded (?:job |step )?memory limit\b|\btasks? [\d,[\]-]+: Out Of Memory\b/i,
  /\bkilled due to (?:the node running low on memory|memory pressure)\b|\bray\.exceptions\.OutOfMemoryError\b|\bOOMKilled\b|\bkilled due to (?:OOM|out of memory)\b|\blow on resource: memory\b/i,
  /^(?:[\w.]+\.)?_?(?:Array)?MemoryError\b(?::|$)|\bstd::bad_alloc\b|\[Errno 12\] Cannot allocate memory|\bDefaultCPUAllocator: .{0,30}(?:can't|not enough)/,
];

/** Memory that ran out, of a GPU or of the host. */
export const memoryRules: readonly EventRule[] = [
  {
    words: [
      'oomkilled',
      'low',
      'oom',
      'out',
      'killed',
      'exceeded',
      'memoryerror',
      'arraymemoryerror',
      'alloc',
      'allocate',
      'defaultcpuallocator',
      'outofmemoryerror',
    ],
    also: [
      'oomkilled',
      'memory',
      'oom',
      'memoryerror',
      'arraymemoryerror',
      'bad',
      'defaultcpuallocator',
      'outofmemoryerror',
    ],
    find({ text }) {
      if (!ofHost.some((pattern) => pattern.test(text))) return undefined;
      const process = /\bKill(?:ed)? process (\d+)(?:,? \(?([^\s(),]+)\)?)?/i.exec(text);
      return told('host_oom', {
        pid: process ? Number(process[1]) : numberOf(/\bpid[= ](\d+)/, text),
        process: process?.[2],
        exception: exceptionOf(text),
      });
    },
  },
  {
    words: ['memory', 'outofmemoryerror', 'exhausted', 'oom', 'cudaerrormemoryallocation', 'hiperroroutofmemory'],
    also: ['out', 'outofmemoryerror', 'exhausted', 'oom', 'cudaerrormemoryallocation', 'hiperroroutofmemory'],
    find({ text }) {
      if (!ofGpu.some((pattern) => pattern.test(text))) return undefined;
      return told('cuda_oom', {
        gpu: numberOf(/\bGPU:? ?(\d+)|\bdevice:? ?(?:cuda:|GPU:)?(\d+)\b|\b(?:cuda|GPU|xpu|npu):(\d+)\b/, text),
        requested:
          /\b(?:Tried to allocate|trying to allocate|Cannot allocate|wanted|requested|needed|while allocating) (\d[\d.]* ?(?:[KMGT]i?B|bytes)\b)/i.exec(
            text,
          )?.[1],
        exception: exceptionOf(text),
      });
    },
  },
];

/** The class, where the line begins with it. */
function exceptionOf(text: string): string | undefined {
  return /^((?:\w+\.)*\w*(?:Error|Exception))\b/.exec(text)?.[1];
}

/** Threads that CUDA, PyTorch and BLAS start by themselves, by comm (cut at 15 bytes by the kernel). */
const nativeRoles: readonly (readonly [RegExp, string])[] = [
  [/^pt_autograd_\d+$/, 'autograd'],
  [/^pt_data_pin$/, 'pin memory'],
  [/^pt_data_worker/, 'data worker'],
  [/^pt_nccl_/, 'nccl watch'],
  [/^pt_tcpstore/, 'tcp store'],
  [/^cuda-EvtHandlr$/, 'cuda events'],
  [/^NCCL /, 'nccl'],
];

/**
 * What a thread is for, from its names: Python's name without its number (`target-3` is a `target`), else a known native
 * thread. Undefined for a name that says nothing (the interpreter's own, PyTorch's rename of it).
 */
export function roleOf(name: string | undefined, comm: string): string | undefined {
  const native = nativeRoles.find(([pattern]) => pattern.test(comm))?.[1];
  if (name === 'MainThread') return native ?? 'main';
  const stem = name && /^(.*?)[-_ (]*\d+\)?$/.exec(name)?.[1];
  if (stem && !/^(Thread|Dummy)$/.test(stem)) return stem;
  if (native) return native;
  return name && !/^(Thread|Dummy)-/.test(name) ? name : undefined;
}

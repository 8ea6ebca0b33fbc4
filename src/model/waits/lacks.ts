import type { HostFacts } from '../facts.ts';
import type { WaitLack } from '../wait-samples.ts';

/** What could not be read, why, and what would help: one sentence each. */
export function lackSentence(lack: WaitLack, facts: Partial<HostFacts> = {}): string {
  switch (lack) {
    case 'call missing':
      return 'threads have no file `syscall` there (kernel or container): their current call is not shown';
    case 'call refused':
      return `the current call of threads may not be read: ${whyRefused(facts)}`;
    case 'call machine':
      return 'calls have other numbers on this machine than on x86_64 and aarch64: they are shown as numbers';
    case 'where missing':
      return 'threads have no file `wchan` there (kernel or container): where they sleep in the kernel is not shown';
    case 'where hidden':
      return 'wchan reads 0 for all threads: the kernel, a sandbox or another user keeps it hidden, and where they sleep is not shown';
    case 'stack missing':
      return 'this kernel gives no stack of a thread: where one in D hangs is told by wchan alone';
    case 'stack refused':
      return 'the kernel stack of a thread in D may be read by root alone: where it hangs is told by wchan';
    case 'schedstat':
      return 'this kernel does not count the runs of threads (schedstat): waits are proven by context switches, every 20 s';
  }
}

/** The kernel asks for the right to trace: the same user or CAP_SYS_PTRACE, and Yama's leave. */
function whyRefused({ uid, ptraceScope, hasPtraceCapability, user }: Partial<HostFacts>): string {
  if (uid === 0) return 'the container or a security module keeps root from it (CAP_SYS_PTRACE is missing)';
  if (hasPtraceCapability) return 'a security module keeps it closed';
  const other = `${user ?? 'this user'} needs CAP_SYS_PTRACE, or to be the one who runs it`;
  if (ptraceScope === undefined || ptraceScope === 0) return other;
  return `kernel.yama.ptrace_scope is ${ptraceScope}, so even its own user needs CAP_SYS_PTRACE`;
}

import type { HostFacts } from '../facts.ts';
import type { WaitLacks } from '../wait-samples.ts';

/** What could not be read, why, and what would help: a sentence each, the worst first. */
export function lackSentences(
  { call, where, stack, runs }: WaitLacks,
  facts: Partial<HostFacts> = {},
): readonly string[] {
  return [
    call === 'missing' && 'threads have no file `syscall` there (kernel or container): their current call is not shown',
    call === 'refused' && `the current call of threads may not be read: ${whyRefused(facts)}`,
    call === 'unnamed' &&
      'calls have other numbers on this machine than on x86_64 and aarch64: they are shown as numbers',
    where === 'missing' &&
      'threads have no file `wchan` there (kernel or container): where they sleep in the kernel is not shown',
    where === 'hidden' &&
      'wchan reads 0 for all threads: the kernel or a sandbox hides it, or it is of another user; where they sleep is not shown',
    stack === 'missing' && 'this kernel gives no stacks of threads: where one in D hangs is told by wchan alone',
    stack === 'refused' &&
      'the kernel stack of a thread in D may be read by root alone: where it hangs is told by wchan',
    runs === 'uncounted' &&
      'this kernel does not count the runs of threads (schedstat): waits are proven by context switches, every 20 s',
  ].filter((sentence) => sentence !== false);
}

/** The kernel asks for the right to trace: the same user or CAP_SYS_PTRACE, and Yama's leave. */
function whyRefused({ uid, ptraceScope, hasPtraceCapability, user }: Partial<HostFacts>): string {
  if (uid === 0) return 'the container or a security module keeps root from it (CAP_SYS_PTRACE is missing)';
  if (hasPtraceCapability) return 'a security module keeps it closed';
  const other = `${user ?? 'this user'} needs CAP_SYS_PTRACE, or to be the one who runs it`;
  if (ptraceScope === undefined || ptraceScope === 0) return other;
  return `kernel.yama.ptrace_scope is ${ptraceScope}, so even its own user needs CAP_SYS_PTRACE`;
}

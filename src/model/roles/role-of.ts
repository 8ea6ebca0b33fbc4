import type { RunProcess } from '../run.ts';
import { nativeThreads, type NativeThread } from './native-threads.ts';

/** What was learnt of a thread beside its names. */
export interface LearntRole {
  /** From a rule of the user's. */
  readonly rule?: string;
  /** From its stack, or from its absence in a dump of its process. */
  readonly stack?: string;
}

/** What is known of a thread. */
export interface RoleClues {
  /** Python's name. */
  readonly name?: string | undefined;
  readonly comm?: string | undefined;
  /** Comm of its process's main thread: threads inherit it. */
  readonly mainComm?: string | undefined;
  /** Its TID is the process's PID. */
  readonly isMain?: boolean;
  readonly learnt?: LearntRole | undefined;
  readonly process?: Pick<RunProcess, 'commandLine'> | undefined;
}

/**
 * What a thread is for. The user's rule comes first; then a name that a library gave it, then one that the program gave it, without
 * its number (`target-3` is a `target`); then its stack, the command line of its process, a comm of its own, and names that Python
 * gives by itself. Undefined: nothing tells.
 */
export function roleOf(clues: RoleClues): string | undefined {
  const { name, comm, learnt } = clues;
  if (learnt?.rule !== undefined) return learnt.rule;
  const isMain = clues.isMain ?? name === 'MainThread';
  const native = comm === undefined ? undefined : nativeOf(comm);
  if (native && (isMain || !native.mainOnly)) return native.role;
  const own = name === undefined || isPythons(name) ? undefined : stemOf(name);
  if (own !== undefined) return own;
  const fromStack = learnt?.stack;
  if (fromStack !== undefined && fromStack !== notPython) return fromStack;
  if (isMain) return (clues.process && roleOfProcess(clues.process.commandLine)) ?? 'main';
  return (name === undefined ? roleOfOwnComm(clues) : roleOfPythons(name)) ?? fromStack;
}

/** Of a thread that no dump of its process lists: machine code only, such as the pools of BLAS and OpenMP. */
export const notPython = 'native';

/** The role of a thread that a library named. */
function nativeOf(comm: string): NativeThread | undefined {
  let known = comms.get(comm);
  if (known === undefined) {
    known = nativeThreads.find((row) => row.comm.test(comm)) ?? null;
    // There are some dozens; a host that makes up names all the time fills no memory.
    if (comms.size >= 4096) comms.clear();
    comms.set(comm, known);
  }
  return known ?? undefined;
}
const comms = new Map<string, NativeThread | null>();

/** Names that Python's own libraries give: they say how a thread was started, not what for. */
function isPythons(name: string): boolean {
  return /^(Thread|Dummy|Timer)-\d|^ThreadPoolExecutor-\d|^asyncio_\d|^(MainThread|QueueFeederThread)$/.test(name);
}

/** The name without its number. */
function stemOf(name: string): string | undefined {
  const stem = (/^(.*?)[-_ (:#]*\d+\)?$/.exec(name)?.[1] ?? name).trim();
  return stem === '' ? undefined : stem;
}

/** A comm that differs from the main thread's was given by someone: Python does so from 3.14 on. */
function roleOfOwnComm({ comm, mainComm }: RoleClues): string | undefined {
  if (comm === undefined || mainComm === undefined || comm === mainComm) return undefined;
  // Started before PyTorch renamed the main thread, or from another thread of a known kind.
  if (/^(python|pypy|pt_main_thread)/.test(comm) || nativeOf(comm)) return undefined;
  return isPythons(comm) ? roleOfPythons(comm) : stemOf(comm);
}

/** What is left to say of a thread that only Python named: from 3.10 on its target stands behind the number. */
function roleOfPythons(name: string): string | undefined {
  if (name === 'QueueFeederThread') return 'queue feeder';
  if (/^(ThreadPoolExecutor|asyncio)/.test(name)) return 'thread pool';
  if (name.startsWith('Timer-')) return 'timer';
  const target = /^Thread-\d+ \((.+)\)$/.exec(name)?.[1];
  if (target === undefined || /^(<lambda>|run|_?worker|_?target|wrapper|_wrapped|inner)$/.test(target))
    return undefined;
  return target;
}

/** Helpers that Python and PyTorch start as processes. */
function roleOfProcess(commandLine: readonly string[]): string | undefined {
  const program = programOf(commandLine);
  if (/torch[./]_inductor[./]compile_worker/.test(program)) return 'compile worker';
  if (/multiprocessing\.resource_tracker/.test(program)) return 'resource tracker';
  if (/multiprocessing\.forkserver/.test(program)) return 'fork server';
  return isLauncher(commandLine) ? 'launcher' : undefined;
}

/** Whether the command line is one of a program that starts the ranks. */
export function isLauncher(commandLine: readonly string[]): boolean {
  const program = programOf(commandLine);
  return (
    /(^|\/)(torchrun|accelerate|deepspeed|mpirun)$/.test(program) ||
    /torch[./]distributed[./](run|launch)\b/.test(program)
  );
}

/** What a Python command line runs: the path of a script, the module of `-m`, the text of `-c`; of another one its program. */
function programOf(commandLine: readonly string[]): string {
  const [program = '', ...args] = commandLine;
  if (!/(^|\/)(python|pypy)[\d.]*[a-z]*$/.test(program)) return program;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-m' || arg === '-c') return args[at + 1] ?? '';
    // They take a value (python --help, 3.13).
    if (arg === '-X' || arg === '-W' || arg === '--check-hash-based-pycs') at++;
    else if (!arg.startsWith('-')) return arg;
  }
  return '';
}

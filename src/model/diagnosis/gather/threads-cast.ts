import { isPython } from '../../process-kinds.ts';
import { roleFinder, type RoleOf } from '../../roles/finder.ts';
import { nativeThreads } from '../../roles/native-threads.ts';
import { notPython } from '../../roles/role-of.ts';
import type { RunProcess } from '../../run.ts';
import type { GpuSubject, Subject } from '../subjects.ts';
import type { Known } from './gatherer.ts';
import type { ProcessSum, ProcessSums, ThreadSum } from './threads-frames.ts';

/** Who does what in the run. */
export interface Cast {
  /** Processes that have work on a GPU. */
  readonly training: readonly number[];
  /** PIDs of loader workers, by the training process above them. */
  readonly workers: ReadonlyMap<number, readonly number[]>;
  /** The process that works on a GPU; undefined: nobody tells. */
  pidOf(subject: GpuSubject): number | undefined;
  /** The threads that run the training loop for a subject (absent: any), and those that work off its backward passes. */
  threadsOf(process: ProcessSum, subject?: GpuSubject): ProcessThreads;
}

/** The threads of one process. */
export interface ProcessThreads {
  /** None: nobody tells which these are. */
  readonly training: readonly ThreadSum[];
  readonly autograd: readonly ThreadSum[];
  /** All others that may run Python. */
  readonly others: readonly ThreadSum[];
  /** All that may run Python, those of other GPUs too. */
  readonly python: readonly ThreadSum[];
}

/** Threads of a context, and of what only a process with one starts. */
const ofGpu = /^(cuda-EvtHandlr$|cuda[0-9a-f]{8,}|pt_(nccl|mccl)_|NCCL )/i;
const ofGpuKnown = new Map<string, boolean>();
/** Each frame has the same names; a host that makes up names all the time fills no memory. */
function isOfGpu(comm: string): boolean {
  let is = ofGpuKnown.get(comm);
  if (is === undefined) {
    if (ofGpuKnown.size >= 4096) ofGpuKnown.clear();
    ofGpuKnown.set(comm, (is = ofGpu.test(comm)));
  }
  return is;
}
const autogradName = /^pt_autograd_(\d+)$/;
const loaderWorker = 'pt_data_worker';
/** Those that libraries start, and that run no Python of the run's. */
const helpers: ReadonlySet<string> = new Set([...nativeThreads.map(({ role }) => role), notPython]);
/** Python processes that are started beside a training process, and load nothing. */
const noWorkers: ReadonlySet<string> = new Set([
  ...['compile worker', 'resource tracker', 'fork server', 'launcher', 'manager', 'wandb', 'ray', 'http server'],
]);
/** Threads that did less have not worked on the GPU. */
const worksPercent = 5;

/** A main thread that does less has no loop with a GPU in it, which would launch kernels or wait for them on a CPU. */
const leadsPercent = 10;

/** Tells who does what, by the newest frame and what is known of the run. */
export function castOf(known: Known, sums: ProcessSums, subjects: readonly Subject[]): Cast {
  const gpus = subjects.filter((subject) => subject.kind === 'gpu');
  const roleOf = rolesOf(known);
  const processes = processesOf(known);
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  const training = trainingOf(processes, gpus);
  const isTraining = new Set(training);
  const workers = new Map<number, number[]>();
  for (const process of processes) {
    const owner = isWorker(process) ? ownerOf(process) : undefined;
    if (owner !== undefined) workers.set(owner, [...(workers.get(owner) ?? []), process.pid]);
  }

  function isWorker(process: Process): boolean {
    const { pid, comm, commandLine, executable, gpuMinors } = process;
    if (comm === loaderWorker) return true;
    if (isTraining.has(pid)) return false;
    const role = roleOf({ pid, tid: pid, comm });
    if (role === 'data worker') return true;
    return (
      !noWorkers.has(role ?? '') &&
      isPython({ pid, parentPid: 0, startTicks: 0, comm, executable, gpuMinors, commandLine: unbracketed(commandLine) })
    );
  }

  function ownerOf({ pid, parentPid, comm }: Process): number | undefined {
    const seen = new Set([pid]);
    for (let at = parentPid; at !== undefined && !seen.has(at); at = byPid.get(at)?.parentPid) {
      if (isTraining.has(at)) return at;
      seen.add(at);
    }
    // Output that tells no parents.
    return parentPid === undefined && comm === loaderWorker && training.length === 1 ? training[0] : undefined;
  }

  const pids = new Map(gpus.map((subject) => [subject, findPid(subject)]));
  const pidOf = (subject: GpuSubject) => (pids.has(subject) ? pids.get(subject) : findPid(subject));

  function findPid({ pid, index }: GpuSubject): number | undefined {
    if (pid !== undefined) return pid;
    if (training.length <= 1) return training[0];
    // PyTorch has a thread for each device that a process sees, with its number: one of them works.
    const found = training.filter((each) => {
      const busy = busyAutograd(sums.get(each));
      return busy.length === 1 && busy[0] === index;
    });
    return found.length === 1 ? found[0] : undefined;
  }

  /** All subjects of a process ask for its threads. */
  const named = new Map<number, readonly Named[]>();
  function namedOf({ pid, threads }: ProcessSum): readonly Named[] {
    let all = named.get(pid);
    if (!all) {
      all = [...threads.values()].map((thread) => ({
        thread,
        role: roleOf({ pid, tid: thread.tid, comm: thread.comm }),
      }));
      named.set(pid, all);
    }
    return all;
  }

  function threadsOf(process: ProcessSum, subject?: GpuSubject): ProcessThreads {
    const { pid } = process;
    const own = gpus.filter((each) => pidOf(each) === pid);
    const roles = new Set(own.map(({ role }) => role));
    const ofAutograd = own.length > 1 ? subject : undefined;
    const byRole: ThreadSum[] = [];
    const autograd: ThreadSum[] = [];
    const python: ThreadSum[] = [];
    const ofNoGpu: ThreadSum[] = [];
    for (const { thread, role } of namedOf(process)) {
      if (role !== undefined && role === subject?.role) byRole.push(thread);
      if (isAutogradOf(thread.comm, ofAutograd, pid)) autograd.push(thread);
      if (role !== undefined && helpers.has(role)) continue;
      python.push(thread);
      if (role === undefined || !roles.has(role)) ofNoGpu.push(thread);
    }
    const main = process.threads.get(pid);
    // Where one process works on several GPUs, a main thread that does nothing has others do it, and nobody tells which: not it.
    const isIdle = own.length > 1 && main !== undefined && main.cpu < leadsPercent * process.seconds;
    const training = byRole.length > 0 ? byRole : main && !isIdle ? [main] : [];
    return { training, autograd, others: ofNoGpu.filter((thread) => !training.includes(thread)), python };
  }

  /** In a process with several GPUs the number tells whose it is: counted among those that the process sees. */
  function isAutogradOf(comm: string, subject: GpuSubject | undefined, pid: number): boolean {
    if (!comm.startsWith('pt_autograd_')) return false;
    const number = autogradName.exec(comm)?.[1];
    if (number === undefined || !subject) return number !== undefined;
    const place = [...(byPid.get(pid)?.gpuMinors ?? [])].sort((a, b) => a - b).indexOf(subject.index);
    return Number(number) === (place < 0 ? subject.index : place);
  }

  return { training, workers, pidOf, threadsOf };
}

interface Named {
  readonly thread: ThreadSum;
  readonly role: string | undefined;
}

/** Numbers of the devices for which a process ran backward passes. */
function busyAutograd(process: ProcessSum | undefined): readonly number[] {
  if (!process) return [];
  return [...process.threads.values()].flatMap(({ comm, cpu }) => {
    const number = autogradName.exec(comm)?.[1];
    return number !== undefined && cpu >= worksPercent * process.seconds ? [Number(number)] : [];
  });
}

interface Process extends Pick<RunProcess, 'pid' | 'commandLine' | 'gpuMinors'> {
  readonly parentPid: number | undefined;
  readonly executable: string | undefined;
  readonly comm: string;
  /** It has threads that only a process with work on a GPU has. */
  readonly hasGpuThreads: boolean;
}

function processesOf({ run, threads }: Known): readonly Process[] {
  const comms = new Map<number, string>();
  const onGpu = new Set<number>();
  for (let i = 0; i < (threads?.tid.length ?? 0); i++) {
    const [pid, comm] = [threads?.pid[i] ?? 0, threads?.comm[i] ?? ''];
    if (threads?.tid[i] === pid || !comms.has(pid)) comms.set(pid, comm);
    if (!onGpu.has(pid) && isOfGpu(comm)) onGpu.add(pid);
  }
  const known: readonly RunProcess[] =
    run?.run?.processes ?? [...comms.keys()].map((pid) => ({ pid, commandLine: [], gpuMinors: [] }));
  return known.map(({ pid, parentPid, commandLine, executable, gpuMinors }) => ({
    pid,
    parentPid,
    commandLine,
    executable,
    gpuMinors,
    comm: comms.get(pid) ?? '',
    hasGpuThreads: onGpu.has(pid),
  }));
}

/**
 * Threads tell it best: a worker that was forked has the device files open as well, but none of its parent's threads. Before any process
 * has those, the device files tell; before that it is the only process that there is.
 */
function trainingOf(processes: readonly Process[], gpus: readonly GpuSubject[]): readonly number[] {
  const told = gpus.flatMap(({ pid }) => pid ?? []);
  const byThreads = processes.filter(({ hasGpuThreads }) => hasGpuThreads).map(({ pid }) => pid);
  const found = [...new Set([...told, ...byThreads])];
  if (found.length > 0) return found;
  const byFiles = processes.filter(({ gpuMinors, comm }) => gpuMinors.length > 0 && comm !== loaderWorker);
  if (byFiles.length > 0) return byFiles.map(({ pid }) => pid);
  const any = processes.filter(({ comm }) => comm !== loaderWorker);
  return any.length === 1 ? any.map(({ pid }) => pid) : [];
}

/** Where nobody knows the command line there stands the comm, as ps has it. */
function unbracketed([first = '', ...rest]: readonly string[]): readonly string[] {
  return [/^\[(.*)\]$/.exec(first)?.[1] ?? first, ...rest];
}

interface Roles {
  readonly of: readonly unknown[];
  readonly roles: Map<number, { readonly comm: string; readonly role: string | undefined }>;
}
const kept = new WeakMap<object, Roles>();

/** The finder keeps roles of one state at a time, and the screen asks it too: what it said is kept here, by TID. */
function rolesOf(known: Known): RoleOf {
  const { run, threadNames, threadRoles } = known;
  const of = [run?.run, threadNames, threadRoles];
  let own = kept.get(threadNames);
  if (!own || own.of.some((each, i) => each !== of[i])) kept.set(threadNames, (own = { of, roles: new Map() }));
  const { roles } = own;
  let find: RoleOf | undefined;
  return (thread) => {
    const { tid = 0, comm = '' } = thread;
    const before = roles.get(tid);
    if (before?.comm === comm) return before.role;
    find ??= roleFinder(known);
    const role = find(thread);
    roles.set(tid, { comm, role });
    return role;
  };
}

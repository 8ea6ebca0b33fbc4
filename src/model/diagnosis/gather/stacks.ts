import type { StackClass } from '../../classes/names.ts';
import { placeOf } from '../../classes/place.ts';
import type { CaptureResult } from '../../samples.ts';
import type { FoldedStack } from '../../stacks/fold.ts';
import { classShares, sum } from '../../stacks/group.ts';
import type { SignalName } from '../signals.ts';
import type { GpuSubject, Subject } from '../subjects.ts';
import type { Ask, Gatherer } from './gatherer.ts';
import { findingsOf, type StackFindings } from './stacks-results.ts';

/** Fewer looks at the training threads are chance: a step has as many parts. */
const leastLooks = 5;

/** Classes that are one signal each, or one together: who sleeps in the training thread waits for what comes from elsewhere. */
const ofClasses: readonly (readonly [SignalName, readonly StackClass[]])[] = [
  ['stackSync', ['stream sync']],
  ['stackAllocator', ['allocator']],
  ['stackLaunch', ['kernel launch']],
  ['stackInput', ['input wait', 'file I/O', 'network I/O', 'idle']],
  ['stackCopy', ['copy']],
  ['stackCollective', ['collective']],
  ['stackGilWait', ['GIL wait']],
  ['stackCompile', ['compile']],
  ['stackNative', ['native']],
];

type Shares = ReadonlyMap<SignalName, number>;

/** Reads the signals of captures: what the training threads did, and who had the GIL. */
export function createStacksGatherer(): Gatherer {
  /** Results stay in the state when another run is watched: those are of the run before. */
  const foreign = new WeakSet<CaptureResult>();
  let newest: readonly CaptureResult[] = [];
  let of: readonly unknown[] = [];
  let findings: StackFindings | undefined;
  let told = new Map<string, Shares>();

  /** A capture is worked out when it comes, and again when it is too old: not every tick. */
  function refresh({ known, window }: Ask) {
    const { results } = known;
    const oldest = results.at(-1);
    const age = Math.floor((window.to - (oldest?.time ?? window.to)) / 60_000);
    const now = [results, known.run?.run, age];
    if (now.every((each, i) => each === of[i])) return;
    of = now;
    told = new Map();
    findings = results.length === 0 ? undefined : findingsOf(known, (result) => !foreign.has(result), window.to);
  }

  return {
    take(_, { results }) {
      newest = results;
    },
    read(ask) {
      if (ask.subject.kind === 'queue') return;
      refresh(ask);
      if (!findings || findings.pids.size === 0) return;
      const key = keyOf(ask);
      let shares = told.get(key);
      if (!shares) told.set(key, (shares = sharesOf(findings, ask.subject, ask.subjects)));
      for (const [signal, value] of shares) ask.set(signal, { value });
    },
    forgetRun() {
      for (const result of newest) foreign.add(result);
      of = [];
      findings = undefined;
    },
  };
}

/** What the shares of a subject depend on beside the captures. */
function keyOf({ subject, subjects }: Ask): string {
  const of = subject.kind === 'gpu' ? [subject] : subjects;
  return [
    subject.kind,
    ...of.map((each) => (each.kind === 'gpu' ? `${each.uuid} ${each.pid} ${each.role}` : '')),
  ].join();
}

function sharesOf(findings: StackFindings, subject: Subject, subjects: readonly Subject[]): Shares {
  const shares = new Map<SignalName, number>();
  const gpus = subjects.filter((each) => each.kind === 'gpu');
  const asked = subject.kind === 'gpu' ? [subject] : gpus;
  const isIn = (pid: number) => subject.kind !== 'gpu' || isOf(findings, pid, { subject, gpus });
  const stacks = findings.stacks.filter((stack) => isIn(stack.pid));
  const training = stacks.filter(isTrainingOf(stacks, asked));
  if (sum(training) >= leastLooks) {
    const classes = new Map(classShares(training).map((each) => [each.class, each.share * 100]));
    for (const [signal, names] of ofClasses)
      shares.set(
        signal,
        names.reduce((all, name) => all + (classes.get(name) ?? 0), 0),
      );
    const python = classShares(training.map((stack) => ({ ...stack, class: isOutside(stack) ? 'Python' : 'unknown' })));
    shares.set('stackPython', (python.find((each) => each.class === 'Python')?.share ?? 0) * 100);
  }
  tellGil(shares, findings, { isIn, isTraining: isTrainingOf(stacks, asked) });
  return shares;
}

/** Whether a process is the one that works on the GPU. A run that was repeated has other PIDs: with one process it is that one. */
function isOf(
  { pids, isRepeated }: StackFindings,
  pid: number,
  { subject, gpus }: { readonly subject: GpuSubject; readonly gpus: readonly GpuSubject[] },
): boolean {
  if (!isRepeated && subject.pid !== undefined) return pid === subject.pid;
  const processes = new Set(gpus.map((each) => each.pid));
  return pids.size === 1 && processes.size <= 1;
}

type Owner = Pick<FoldedStack, 'pid' | 'tid' | 'thread' | 'role'>;

/** The threads that have the role of a GPU where there are some, else main threads that are nothing else. */
function isTrainingOf(stacks: readonly Owner[], gpus: readonly GpuSubject[]): (owner: Owner) => boolean {
  const wanted = new Set(gpus.flatMap(({ role }) => role ?? []));
  const roles = new Set(stacks.filter(({ role }) => wanted.has(role)).map(({ role }) => role));
  if (roles.size > 0) return ({ role }) => roles.has(role);
  return ({ pid, tid, thread, role }) => role === 'main' && (tid === undefined ? thread === 'MainThread' : tid === pid);
}

interface Who {
  readonly isIn: (pid: number) => boolean;
  readonly isTraining: (owner: Owner) => boolean;
}

/** Of several processes that which had its GIL held by others for the longest: each has its own. */
function tellGil(shares: Map<SignalName, number>, { gil }: StackFindings, { isIn, isTraining }: Who) {
  for (const { pid, share, threads } of gil) {
    if (!isIn(pid)) continue;
    const rivals = threads.filter((holder) => !isTraining({ ...holder, pid }) && holder.role !== 'autograd');
    const held = rivals.reduce((all, each) => all + each.share, 0) * 100;
    if (held < (shares.get('gilRivals') ?? 0)) continue;
    shares.set('gilRivals', Math.min(100, held));
    shares.set('gilHeld', share * 100);
  }
}

/** In Python that neither is of a framework nor was called by a model or an optimizer: what the run does between launches. */
function isOutside({ class: of, frames }: FoldedStack): boolean {
  return of === 'Python' && !frames.some((frame) => ofFramework.test(placeOf(frame).name));
}

/** Not what stands around whole programs: decorators, launchers, loaders. */
const ofFramework = /^torch\/(nn|optim|autograd|cuda|amp|_dynamo|_inductor|_tensor\.py|_ops\.py|distributed\/fsdp)/;

import type { StackClass } from '../../classes/names.ts';
import { placeOf } from '../../classes/place.ts';
import type { CaptureResult } from '../../samples.ts';
import type { FoldedStack } from '../../stacks/fold.ts';
import { sum } from '../../stacks/group.ts';
import type { Reading, SignalName } from '../signals.ts';
import type { GpuSubject, Subject } from '../subjects.ts';
import type { Ask, Gatherer } from './gatherer.ts';
import { isInHook } from './stacks-hooks.ts';
import { findingsOf, type StackFindings } from './stacks-results.ts';

/** Fewer looks at the training threads are chance: a step has as many parts. */
const leastLooks = 5;

/** Fewer native looks do not tell that there is none: of twenty, what takes a seventh of the time is in one at least, 19 times of 20. */
const nativeLooks = 20;

/** What functions of C do: where a look has no native frames, it shows the line that called them, and no more. */
const seenByNative: ReadonlySet<SignalName> = new Set([
  'stackSync',
  'stackAllocator',
  'stackLaunch',
  'stackCopy',
  'stackCollective',
]);

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

type Shares = ReadonlyMap<SignalName, Reading>;

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
      for (const [signal, reading] of shares) ask.set(signal, reading);
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
  const shares = new Map<SignalName, Reading>();
  const gpus = subjects.filter((each) => each.kind === 'gpu');
  const asked = subject.kind === 'gpu' ? [subject] : gpus;
  const isIn = (pid: number) => subject.kind !== 'gpu' || isOf(findings, pid, { subject, gpus });
  const stacks = findings.stacks.filter((stack) => isIn(stack.pid));
  const isTraining = isTrainingOf(stacks, asked);
  const training = stacks.filter(isTraining);
  if (sum(training) >= leastLooks) {
    const native = findings.native.filter((stack) => isIn(stack.pid) && isTraining(stack));
    for (const [signal, classes] of ofClasses) {
      const isOf = (stack: FoldedStack) => classes.includes(stack.class);
      const reading = { value: shareOf(training, training.filter(isOf)) };
      shares.set(signal, seenByNative.has(signal) ? seenIn(native, isOf, reading) : reading);
    }
    shares.set('stackPython', { value: shareOf(training, training.filter(isOutside)) });
    // The backward pass runs hooks in its own thread, and the training thread waits for it meanwhile.
    shares.set('stackHooks', { value: shareOf(training, stacks.filter(isHook)) });
  }
  tellGil(shares, findings, { isIn, isTraining });
  return shares;
}

/** In percent of all of the training threads. */
function shareOf(all: readonly FoldedStack[], some: readonly FoldedStack[]): number {
  return Math.min(100, (100 * weightOf(some)) / weightOf(all));
}

function weightOf(stacks: readonly FoldedStack[]): number {
  return stacks.reduce((all, { count, weight = count }) => all + weight, 0);
}

/** By the native looks where there are enough; else at least as much as any looks show. */
function seenIn(native: readonly FoldedStack[], isOf: (stack: FoldedStack) => boolean, seen: Reading): Reading {
  const looks = sum(native);
  if (looks < leastLooks) return { ...seen, isLeast: true };
  const value = shareOf(native, native.filter(isOf));
  return looks >= nativeLooks ? { value } : { value: Math.max(value, seen.value), isLeast: true };
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
function tellGil(shares: Map<SignalName, Reading>, { gil }: StackFindings, { isIn, isTraining }: Who) {
  for (const { pid, share, threads } of gil) {
    if (!isIn(pid)) continue;
    const rivals = threads.filter((holder) => !isTraining({ ...holder, pid }) && holder.role !== 'autograd');
    const held = rivals.reduce((all, each) => all + each.share, 0) * 100;
    if (held < (shares.get('gilRivals')?.value ?? 0)) continue;
    shares.set('gilRivals', { value: Math.min(100, held) });
    shares.set('gilHeld', { value: share * 100 });
  }
}

/** Each subject asks of each stack again. */
function ofStack(is: (stack: FoldedStack) => boolean): (stack: FoldedStack) => boolean {
  const known = new WeakMap<FoldedStack, boolean>();
  return (stack) => {
    let found = known.get(stack);
    if (found === undefined) known.set(stack, (found = is(stack)));
    return found;
  };
}

/** Not what stands around whole programs: decorators, launchers, loaders. */
const ofFramework = /^torch\/(nn|optim|autograd|cuda|amp|_dynamo|_inductor|_tensor\.py|_ops\.py|distributed\/fsdp)/;

/** In Python that neither is of a framework nor was called by a model or an optimizer: what the run does between launches. */
const isOutside = ofStack(
  ({ class: of, frames }) => of === 'Python' && !frames.some((frame) => ofFramework.test(placeOf(frame).name)),
);

const isHook = ofStack(isInHook);

import type { VerdictScope } from '../verdict-samples.ts';
import type { SteadyJudgement } from './steady.ts';
import { lateStateOf } from './across.ts';
import type { GpuSubject, Subject } from './subjects.ts';
import { thresholds } from './thresholds.ts';

/** One rule's judgements that are told as one: of all GPUs on which it holds, of one queue, or of the run. */
export interface Group {
  readonly judgements: readonly [SteadyJudgement, ...SteadyJudgement[]];
  readonly confidence: number;
}

/** Subjects of the tick, with what was told of them: who is not in a group says something too. */
export interface Whole {
  readonly subjects: readonly Subject[];
  readonly readingsOf: (subject: Subject) => SteadyJudgement['readings'];
}

/** What the group is about. */
export function scopeOf({ judgements }: Group, whole: Whole): VerdictScope {
  const [{ rule, subject, readings }] = judgements;
  const all = gpusAmong(whole.subjects);
  const cause = rule.cause === undefined ? {} : { cause: rule.cause };
  if (subject.kind === 'queue') return { queue: subject.name, ...sideOf(rule.situation, all, whole), ...cause };
  if (subject.kind === 'run') {
    const named = rule.names && gpuNamed(readings[rule.names]?.of);
    return { ...(named !== undefined && { gpus: [named] }), ...cause };
  }
  const own = gpusAmong(judgements.map((each) => each.subject));
  if (rule.situation === 'collective-hang') return { ...hangScope(own, all, whole), ...cause };
  // A straggler is one beside others, also where all others are.
  if (own.length === all.length && rule.situation !== 'collective-wait') return cause;
  return { ...ranksOf(own), ...gpuScope(own, all), ...cause };
}

/** The GPUs among subjects. */
export function gpusAmong(subjects: readonly Subject[]): readonly GpuSubject[] {
  return subjects.filter((subject): subject is GpuSubject => subject.kind === 'gpu');
}

/** Those that hang, and who did not come: the GPUs of the run that neither spin nor work. */
function hangScope(own: readonly GpuSubject[], all: readonly GpuSubject[], { readingsOf }: Whole): VerdictScope {
  const missing = all.filter((gpu) => !own.includes(gpu) && lateStateOf(readingsOf(gpu)) === 'idle');
  return { ...ranksOf(missing), ...gpuScope(own, []) };
}

/** Whose GPUs are full while others wait; where all wait it is neither. */
function sideOf(situation: string, all: readonly GpuSubject[], { readingsOf }: Whole): VerdictScope {
  const side = situation === 'producer-bound' ? 'producer' : 'consumer';
  const slow = all.filter((gpu) => (readingsOf(gpu).utilization?.value ?? 0) >= thresholds.busy.value);
  const isKnown = slow.length > 0 && slow.length < all.length;
  return { side, ...(isKnown && gpuScope(slow, all)) };
}

/** `gpus`, and their role where it is that of these and of no others. */
function gpuScope(own: readonly GpuSubject[], all: readonly GpuSubject[]): VerdictScope {
  const gpus = own.map(({ index }) => index).sort((a, b) => a - b);
  const role = own[0]?.role;
  const isRole =
    role !== undefined &&
    own.every((gpu) => gpu.role === role) &&
    all.length > 0 &&
    all.filter((gpu) => gpu.role === role).length === own.length;
  return { ...(isRole && { role }), gpus };
}

function ranksOf(own: readonly GpuSubject[]): VerdictScope {
  const ranks = own.flatMap(({ rank }) => rank ?? []).sort((a, b) => a - b);
  return ranks.length > 0 && ranks.length === own.length ? { ranks } : {};
}

function gpuNamed(of: string | undefined): number | undefined {
  const index = /^GPU (\d+)$/.exec(of ?? '')?.[1];
  return index === undefined ? undefined : Number(index);
}

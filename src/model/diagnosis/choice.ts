import { groupBy } from '../group-by.ts';
import type { Situation } from '../situations.ts';
import { gpusAmong, type Group, type Whole } from './scopes.ts';
import type { SteadyJudgement } from './steady.ts';
import { subjectKey, type GpuSubject } from './subjects.ts';
import { thresholds } from './thresholds.ts';

/** What the run as a whole is doing, the most serious first: what its GPUs show meanwhile follows from it. */
export const phases: ReadonlySet<Situation> = new Set([
  'dead',
  'collective-hang',
  'stalled',
  'checkpointing',
  'evaluating',
  'warming-up',
]);

/** What sets the pace of one GPU: one thing at a time. */
const paces: ReadonlySet<Situation> = new Set([
  'input-bound',
  'launch-bound',
  'sync-bound',
  'gil-contention',
  'allocator-churn',
  'copy-bound',
  'bandwidth-bound',
  'compute-bound',
]);

/** From here on it is more likely than not. */
const likely = 0.5;
/** What is this much less sure than the surest is no alternative to it. */
const apart = 0.15;
/** A rule that holds on all GPUs of the run is worth so much more than one that holds on one: they do the same work. */
const together = 0.1;

/** Of all that holds what is to be told: one pace a GPU, nothing that follows from something else that is told, and what is unlikely only where nothing else is. */
export function choose(judgements: readonly SteadyJudgement[], whole: Whole): readonly Group[] {
  const phase = surest(judgements.filter(({ rule }) => phases.has(rule.situation)));
  if (phase && phase[0].confidence >= likely) return groupsOf(phase);
  const rest = judgements.filter(({ rule }) => !phases.has(rule.situation));
  const chosen = groupsOf(withoutEffects(onePaceEach(rest, gpusAmong(whole.subjects).length), whole));
  const strong = chosen.filter(({ confidence }) => confidence >= likely);
  if (strong.length > 0) return [...strong, ...reasonsFor(strong, chosen)];
  const best = Math.max(...[...chosen, ...groupsOf(phase ?? [])].map(({ confidence }) => confidence));
  return [...groupsOf(phase ?? []), ...chosen].filter(({ confidence }) => confidence >= best - apart);
}

/** Why a straggler comes late: there is a reason, so an unlikely one is worth to be told beside it. */
function reasonsFor(strong: readonly Group[], chosen: readonly Group[]): readonly Group[] {
  const keysOf = ({ judgements }: Group) => judgements.map(({ subject }) => subjectKey(subject)).join();
  const isWait = ({ judgements: [{ rule }] }: Group) => rule.situation === 'collective-wait';
  const late = new Set(strong.filter(isWait).map(keysOf));
  return chosen.filter((group) => !strong.includes(group) && late.has(keysOf(group)));
}

/** The judgements of the phase that is surest. */
function surest(judgements: readonly SteadyJudgement[]): readonly [SteadyJudgement, ...SteadyJudgement[]] | undefined {
  const [first, ...others] = judgements.toSorted((a, b) => b.confidence - a.confidence);
  if (!first) return undefined;
  return [first, ...others.filter(({ rule }) => rule === first.rule)];
}

/** On each GPU the surest pace, and what comes near it. */
function onePaceEach(judgements: readonly SteadyJudgement[], gpus: number): readonly SteadyJudgement[] {
  const counts = new Map([...groupBy(judgements, ({ rule }) => rule)].map(([rule, all]) => [rule, all.length]));
  const worth = ({ rule, confidence }: SteadyJudgement) =>
    confidence + (gpus > 1 ? (together * ((counts.get(rule) ?? 1) - 1)) / (gpus - 1) : 0);
  const isPace = ({ rule, subject }: SteadyJudgement) => subject.kind === 'gpu' && paces.has(rule.situation);
  const kept = [...groupBy(judgements.filter(isPace), ({ subject }) => subjectKey(subject))].flatMap(([, all]) => {
    const sorted = all.toSorted((a, b) => worth(b) - worth(a));
    const best = sorted[0] ? worth(sorted[0]) : 0;
    const seen = new Set<Situation>();
    return sorted.filter((each, at) => {
      const isOther = !seen.has(each.rule.situation);
      seen.add(each.rule.situation);
      return at === 0 || (isOther && each.confidence >= likely && worth(each) >= best - apart);
    });
  });
  return [...judgements.filter((each) => !isPace(each)), ...kept];
}

/** Without what only follows: who waits for a straggler or at a queue shows it, and a GPU that is slowed down computes as fast as it may. */
function withoutEffects(judgements: readonly SteadyJudgement[], whole: Whole): readonly SteadyJudgement[] {
  const all = gpusAmong(whole.subjects);
  const told = judgements.filter(({ confidence }) => confidence >= likely);
  const onGpus = (situation: Situation) =>
    new Set(told.flatMap(({ rule, subject }) => (rule.situation === situation ? subjectKey(subject) : [])));
  const stragglers = onGpus('collective-wait');
  const throttled = onGpus('throttled');
  const isQueue = told.some(({ subject }) => subject.kind === 'queue');
  const waits = (gpu: GpuSubject) => (whole.readingsOf(gpu).utilization?.value ?? 100) < thresholds.busy.value;
  const counts = new Map([...groupBy(judgements, ({ rule }) => rule)].map(([rule, same]) => [rule, same.length]));
  return judgements.filter(({ rule, subject }) => {
    if (subject.kind !== 'gpu' || !paces.has(rule.situation)) return true;
    const key = subjectKey(subject);
    if (stragglers.size > 0 && !stragglers.has(key)) return false;
    if (throttled.has(key) && rule.situation === 'compute-bound') return false;
    return !isQueue || !waits(subject) || (counts.get(rule) ?? 0) >= all.length;
  });
}

function groupsOf(judgements: readonly SteadyJudgement[]): readonly Group[] {
  const keyOf = ({ rule, subject }: SteadyJudgement) =>
    subject.kind === 'queue' ? `${rule.situation} ${subject.name}` : rule;
  return [...groupBy(judgements, keyOf).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const confidence = others.reduce((sum, each) => sum + each.confidence, first.confidence) / (others.length + 1);
    return [{ judgements: [first, ...others] as const, confidence }];
  });
}

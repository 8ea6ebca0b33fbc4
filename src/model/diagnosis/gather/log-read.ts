import type { Ask } from './gatherer.ts';
import type { KeptOfLog } from './log.ts';
import type { Course } from './log-words.ts';
import type { QueueFill, Queues } from './queues.ts';

/** Sets what the log tells of a subject: the same of each, but of a queue its own filling. */
export function readLog(ask: Ask, kept: KeptOfLog): void {
  readProgress(ask, kept);
  readSteps(ask, kept);
  readCourse(ask, kept);
  readQueues(ask, kept.queues);
}

function readProgress({ window, set }: Ask, { progress, course }: KeptOfLog): void {
  const { from, to } = window;
  const at = progress.at();
  if (at === undefined) return;
  const silentMs = Math.max(0, to - at);
  set('silence', { value: silentMs / 1000 });
  set('progress', { value: progress.count(from, to) });
  set('steps', { value: progress.total() });
  // A save or an evaluation that is told of is no silence up to there, and after its end steps need their time.
  const quietMs = Math.max(0, to - Math.max(at, course.livedAt() ?? at));
  const usualMs = course.isDone() ? undefined : progress.usualPauseMs(quietMs);
  if (usualMs !== undefined) set('silenceRatio', { value: quietMs / usualMs });
}

function readSteps({ window, set }: Ask, { steps, data }: KeptOfLog): void {
  const { from, to } = window;
  const stepTime = steps.median(from);
  const before = steps.before(from);
  if (stepTime !== undefined) {
    set('stepTime', { value: stepTime });
    if (before !== undefined) set('stepSlowdown', { value: stepTime / before });
  }
  const share = data.share(from, to, steps.mean(from));
  if (share) set('dataShare', share);
}

const ages = {
  checkpointAge: 'checkpoint',
  evaluationAge: 'evaluation',
  errorAge: 'error',
  warmupAge: 'warmup',
} as const satisfies Readonly<Record<string, Course>>;

function readCourse({ window, known, set }: Ask, { course }: KeptOfLog): void {
  const { to } = window;
  const run = known.run?.run;
  const beganAt = run?.processes.find(({ pid }) => pid === run.rootPid)?.startTime ?? -Infinity;
  for (const signal of Object.keys(ages) as (keyof typeof ages)[]) {
    const at = course.at(ages[signal]);
    // A run may be found a moment after its first lines came; those of the last one are before its begin.
    if (at !== undefined && at >= beganAt - stampMs) set(signal, { value: Math.max(0, to - at) / 1000 });
  }
}

/** Stamps are of whole seconds. */
const stampMs = 1000;

/** Of a GPU and the run: of the queue that is nearest to full, and of the one that is nearest to empty. */
function readQueues({ subject, window, set }: Ask, queues: Queues): void {
  const { from, to } = window;
  const names = subject.kind === 'queue' ? [subject.name] : queues.names();
  const fills = names.flatMap((of) => {
    const fill = queues.fill(of, from, to);
    return fill ? { of, ...fill } : [];
  });
  const [first] = fills;
  if (!first) return;
  const most = (figure: (fill: QueueFill) => number) =>
    fills.reduce((best, fill) => (figure(fill) > figure(best) ? fill : best), first);
  const [outer, full, empty] = [most(({ mean }) => Math.abs(mean - 50)), most((f) => f.full), most((f) => f.empty)];
  set('queueFill', { value: outer.mean, of: outer.of });
  set('queueFull', { value: full.full, of: full.of });
  set('queueEmpty', { value: empty.empty, of: empty.of });
}

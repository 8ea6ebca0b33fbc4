import type { Ask } from './gatherer.ts';
import type { KeptOfLog } from './log.ts';
import type { LogReach } from './log-reach.ts';
import type { Course } from './log-words.ts';
import type { QueueFill, Queues } from './queues.ts';

/** Sets what the log tells of the run, which holds for its GPUs too, or of one of its queues. */
export function readLog(ask: Ask, kept: KeptOfLog, reach: LogReach): void {
  const { subject } = ask;
  if (subject.kind === 'queue') readQueues(ask, kept.queues, [subject.name]);
  if (subject.kind !== 'run') return;
  if (reach.isRead(kept.progress.source() ?? kept.heard.source, ask.window.to)) readProgress(ask, kept);
  readSteps(ask, kept);
  readCourse(ask, kept);
  readQueues(ask, kept.queues, kept.queues.names());
}

function readProgress({ window, set }: Ask, { progress, course, heard }: KeptOfLog): void {
  const { from, to } = window;
  if (heard.lines === 0) return;
  set('progress', { value: progress.count(from, to) });
  set('steps', { value: progress.total() });
  const at = progress.at();
  if (at === undefined) return;
  set('silence', { value: Math.max(0, to - at) / 1000 });
  // A save or an evaluation that is told of is no silence up to there, and after its end steps need their time.
  const quietMs = Math.max(0, to - Math.max(at, course.livedAt() ?? at));
  const usualMs = progress.usualPauseMs(quietMs);
  // Where the log said that the training is over, nothing is late.
  if (course.isDone()) set('silenceRatio', { value: 0 });
  else if (usualMs !== undefined) set('silenceRatio', { value: quietMs / usualMs });
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
    if (at !== undefined && signal !== 'errorAge' && to - at > longestMs) continue;
    // A run may be found a moment after its first lines came; those of the last one are before its begin.
    if (at !== undefined && at >= beganAt - slackMs) set(signal, { value: Math.max(0, to - at) / 1000 });
  }
}

/** What began so long ago is over, in a log that does not say so and tells no steps. */
const longestMs = 30 * 60_000;
/** Stamps are of whole seconds, and a shell may begin what is found as the run. */
const slackMs = 5000;

/** Of several: of the queue that is most often full, and of the one that is most often empty. */
function readQueues({ window, set }: Ask, queues: Queues, names: readonly string[]): void {
  const { from, to } = window;
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

import type { QueueSubject } from '../subjects.ts';
import type { Ask, Gatherer } from './gatherer.ts';
import { createProgress } from './log-progress.ts';
import { createSteps } from './log-steps.ts';
import { createQueues, type QueueFill, type Queues } from './queues.ts';

/** Reads the signals of logs; and what of them the engine needs before it asks for any. */
export interface LogGatherer extends Gatherer {
  /** Median of the steps of late; absent: nobody told. */
  stepSeconds(): number | undefined;
  /** When the last line with progress came, epoch ms. */
  progressAt(): number | undefined;
  queues(): readonly QueueSubject[];
}

/** Nothing was read yet. */
export function createLogGatherer(): LogGatherer {
  let kept = forRun();

  return {
    take(sample) {
      if (sample.kind !== 'log') return;
      for (const line of sample.lines) {
        if (line.note || (!line.values && !line.event)) continue;
        const isProgress = kept.progress.take(sample, line);
        if (isProgress) kept.steps.take(line);
        if (line.event && !isProgress) kept.progress.excuse();
        if (line.undated) continue;
        for (const queue of line.values?.queues ?? []) kept.queues.take(queue, line.time);
      }
    },
    read(ask) {
      readProgress(ask, kept);
      readQueues(ask, kept.queues);
    },
    forgetRun() {
      kept = forRun();
    },
    stepSeconds: () => kept.steps.newest(),
    progressAt: () => kept.progress.at(),
    queues: () => kept.queues.names().map((name) => ({ kind: 'queue', name })),
  };
}

type Kept = ReturnType<typeof forRun>;

const forRun = () => ({ progress: createProgress(), steps: createSteps(), queues: createQueues() });

function readProgress({ window, set }: Ask, { progress, steps }: Kept): void {
  const { from, to } = window;
  const at = progress.at();
  if (at === undefined) return;
  const silentMs = Math.max(0, to - at);
  const usualMs = progress.usualPauseMs();
  set('silence', { value: silentMs / 1000 });
  if (usualMs !== undefined) set('silenceRatio', { value: silentMs / usualMs });
  set('progress', { value: progress.count(from, to) });
  set('steps', { value: progress.total() });
  const stepTime = steps.median(from);
  if (stepTime === undefined) return;
  set('stepTime', { value: stepTime });
  const before = steps.before(from);
  if (before !== undefined) set('stepSlowdown', { value: stepTime / before });
}

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

import type { Clock } from '../../clock.ts';
import { safeText } from '../../model/text.ts';
import type { Context } from '../collector.ts';
import type { Runner } from '../run.ts';
import type { Stream } from '../stream.ts';
import { createAnswer, type Heard, type SpyAnswer } from './answer.ts';
import { cancelLine, guardScript, type SpyJob } from './guard.ts';

/** What to run, and who listens. */
export interface SpyRunOptions {
  /** The runner's way to talk with a script on the host. */
  readonly converse: Runner['converse'];
  readonly context: Context;
  readonly clock: Clock;
  readonly job: SpyJob;
  /** py-spy may take this long; then it is ended as by `cancel`, and what hangs is left to the host's guard. */
  readonly limitMs: number;
  /** What is known of it while it goes on. */
  readonly onHeard?: (heard: Heard) => void;
}

/** py-spy at work on one process. */
export interface SpyRun {
  /** Ends it early: what there is comes as its answer. */
  cancel(): void;
  /** Waits no longer for the host, whose guard ends what runs there by itself: the answer is what has come. */
  abandon(): void;
  /** Never rejects: a link that broke is in `fault`. It comes a bounded time after `cancel`, whatever the link does. */
  readonly answer: Promise<SpyAnswer>;
}

/** From the line that cancels until the guard must have answered; it waits two seconds for py-spy. */
const patienceMs = 6000;

/** Runs py-spy once, under the guard. */
export function runSpy({ converse, context, clock, job, limitMs, onHeard }: SpyRunOptions): SpyRun {
  const reader = createAnswer();
  let stream: Stream | undefined;
  let ready = false;
  let wanted = true;
  let over = false;
  const timers: (() => void)[] = [];
  let settle: (answer: SpyAnswer) => void = () => {};
  const answer = new Promise<SpyAnswer>((resolve) => (settle = resolve));

  /** The first word counts. */
  function close(make: () => SpyAnswer) {
    if (over) return;
    over = true;
    for (const cancelTimer of timers) cancelTimer();
    settle(make());
  }

  function cancel() {
    if (!wanted) return;
    wanted = false;
    if (ready) stream?.send(cancelLine);
    timers.push(clock.after(patienceMs, abandon));
  }

  function abandon() {
    stream?.stop();
    close(() => reader.fail('the host did not answer any more'));
  }

  timers.push(
    clock.after(limitMs, () => {
      reader.timedOut();
      cancel();
    }),
  );
  converse('stacks', guardScript(context, job), {
    onReady() {
      ready = true;
      if (!wanted) stream?.send(cancelLine);
    },
    onLine(line) {
      const heard = over ? undefined : reader.push(line);
      if (heard) onHeard?.(heard);
    },
    onEnd: (end) => close(() => reader.end(end)),
  }).then(
    (started) => {
      stream = started;
      // It came when nobody waited for it any more.
      if (over) started.stop();
      else if (ready && !wanted) started.send(cancelLine);
    },
    (error: unknown) => close(() => reader.fail(safeText(error instanceof Error ? error.message : String(error)))),
  );
  return { cancel, abandon, answer };
}

import type { Clock } from '../../clock.ts';
import { safeText } from '../../model/text.ts';
import type { Context } from '../collector.ts';
import type { Runner } from '../run.ts';
import type { Stream, StreamEnd } from '../stream.ts';
import { cancelLine, guardScript, type SpyJob } from './guard.ts';
import { createAnswer, type SpyAnswer } from './answer.ts';

/** What to run, and who listens. */
export interface SpyRunOptions {
  /** The runner's way to talk with a script on the host. */
  readonly converse: Runner['converse'];
  readonly context: Context;
  readonly clock: Clock;
  readonly job: SpyJob;
  /** py-spy may take this long; then it is ended as by `cancel`, and what hangs is left to the host's guard. */
  readonly limitMs: number;
  /** What a record says while it goes on, made safe. */
  readonly onProgress?: (text: string) => void;
}

/** py-spy at work on one process. */
export interface SpyRun {
  /** Ends it early: what there is comes as its answer. */
  cancel(): void;
  /** Never rejects: a link that broke is in `fault`. */
  readonly answer: Promise<SpyAnswer>;
}

/** From the line that cancels until the guard must have answered; it waits two seconds for py-spy. */
const patienceMs = 6000;

/** Runs py-spy once, under the guard. */
export function runSpy({ converse, context, clock, job, limitMs, onProgress }: SpyRunOptions): SpyRun {
  const answer = createAnswer();
  let stream: Stream | undefined;
  let wanted = true;
  let cancels: (() => void)[] = [];

  function cancel() {
    wanted = false;
    if (!stream) return;
    stream.send(cancelLine);
    cancels.push(clock.after(patienceMs, () => stream?.stop()));
  }

  const end = new Promise<StreamEnd>((resolve, reject) => {
    converse('stacks', guardScript(context, job), {
      onReady: () => wanted || cancel(),
      onLine(line) {
        const said = answer.push(line);
        if (said !== undefined) onProgress?.(said);
      },
      onEnd: resolve,
    }).then((started) => (stream = started), reject);
    cancels.push(
      clock.after(limitMs, () => {
        answer.timedOut();
        cancel();
      }),
    );
  });
  return {
    cancel,
    answer: end
      .then(
        (ended) => answer.end(ended),
        (error: unknown) => answer.fail(safeText(error instanceof Error ? error.message : String(error))),
      )
      .finally(() => {
        for (const each of cancels) each();
        cancels = [];
      }),
  };
}

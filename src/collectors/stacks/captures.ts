import type { Clock } from '../../clock.ts';
import { spiesAtOnce } from '../../model/capture-plan.ts';
import type { CaptureRequest, CaptureResult, CaptureSample, Sample } from '../../model/samples.ts';
import type { Runner } from '../run.ts';
import { capture, type CaptureJob } from './capture.ts';
import type { SaveCapture } from './save.ts';
import { createSlots } from './slots.ts';

/** All captures of one host: at most two py-spy at once, the others wait. */
export interface Captures {
  /** Begins one, by this `id` if it is new. What comes of it comes as Samples; `over` resolves when all have come, and never rejects. */
  start(request: CaptureRequest, id?: string): StartedCapture;
  /** Whether one is going on. */
  isBusy(): boolean;
  /** Ends one early; what there is is kept. */
  cancel(id: string): void;
  /** Ends all; resolves when they have told what they have, some seconds later at most. */
  stop(): Promise<void>;
}

/** A capture that was begun. */
export interface StartedCapture {
  readonly id: string;
  readonly over: Promise<void>;
  /** How it is: of one that is not told (`auto`) nothing else says it. */
  last(): CaptureSample | undefined;
}

/** Where captures run, and who takes their Samples. */
export interface CapturesOptions {
  /** The host as Samples name it. */
  readonly host: string;
  readonly runner: Pick<Runner, 'converse' | 'context' | 'sessionLimit'>;
  readonly clock: Clock;
  readonly take: (sample: Sample) => void;
  /** Adds to what was found what else is known of its threads at that time. */
  readonly complete?: (result: CaptureResult) => CaptureResult;
  /** Brings the user's py-spy to the host, asking if it may (offer.ts); a sentence where that failed. */
  readonly bring?: (asks: boolean, told: (note: string) => void) => Promise<string | undefined>;
  /** With --read-only nothing holds a process. */
  readonly readOnly?: boolean;
  /** Keeps what comes on this machine. Absent: it is only told. */
  readonly save?: SaveCapture;
}

/** A link that hangs holds nobody up for longer; the guard on the host ends py-spy without us. */
const stopMs = 4000;

/** Nothing runs before `start`. */
export function createCaptures(options: CapturesOptions): Captures {
  const { runner, clock } = options;
  let count = 0;
  let stopped = false;
  // Where sshd allows few sessions each capture takes one from a source.
  const slots = createSlots(() => (runner.sessionLimit() === undefined ? spiesAtOnce : 1));
  const live = new Map<string, CaptureJob>();

  function cancelAll() {
    for (const job of live.values()) job.cancel();
  }

  return {
    start(request, wished) {
      const startedAt = clock.now();
      const own = `${new Date(startedAt).toISOString().replace(/[:.]/g, '-')}-${++count}`;
      const id = wished !== undefined && !live.has(wished) ? wished : own;
      if (stopped) return { id, over: Promise.resolve(), last: () => undefined };
      const job = capture({ ...options, id, request, startedAt, slots });
      live.set(id, job);
      return { id, over: job.over.finally(() => live.delete(id)), last: job.last };
    },
    isBusy: () => live.size > 0,
    cancel: (id) => live.get(id)?.cancel(),
    async stop() {
      stopped = true;
      cancelAll();
      const all = Promise.all([...live.values()].map(({ over }) => over));
      let cancelWait = () => {};
      const late = new Promise<void>((resolve) => (cancelWait = clock.after(stopMs, resolve)));
      await Promise.race([all, late]);
      cancelWait();
      for (const job of live.values()) job.abandon();
      await all;
    },
  };
}

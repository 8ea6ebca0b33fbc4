import type { Clock } from '../../clock.ts';
import { captureDefaults, plannedMsOfOne } from '../../model/capture-plan.ts';
import type { CaptureRequest, CaptureResult } from '../../model/samples.ts';
import type { Context } from '../collector.ts';
import type { Runner } from '../run.ts';
import type { Heard } from './answer.ts';
import type { SpyJob } from './guard.ts';
import { readAnswer, type Found } from './read-answer.ts';
import { runSpy, type SpyRun } from './spy-run.ts';

/** One process of a capture, and who hears how it goes on. */
export interface ProcessOptions {
  readonly converse: Runner['converse'];
  readonly context: Context;
  readonly clock: Clock;
  readonly request: CaptureRequest;
  readonly pid: number;
  /** The capture's. */
  readonly id: string;
  /** Dumps that came, of `many`. */
  readonly onRounds: (rounds: number) => void;
  /** py-spy was too slow: it goes on with so many samples a second. */
  readonly onRate: (rate: number) => void;
}

/** py-spy at work on one process of a capture, once or several times. */
export interface ProcessCapture extends Pick<SpyRun, 'cancel' | 'abandon'> {
  /** Never rejects. */
  readonly outcome: Promise<ProcessOutcome>;
}

/** What came of one process. */
export interface ProcessOutcome extends Omit<Found, 'result'> {
  /** Several, of one record, when its rate was lowered meanwhile. */
  readonly results: readonly CaptureResult[];
  /** It was left stopped, and still is. */
  readonly isStopped: boolean;
}

/** Beyond what a capture takes by plan: py-spy reads the symbols of torch's libraries for many seconds on a busy host. */
const limitMs = (plannedMs: number) => plannedMs * 1.5 + 30_000;

/**
 * Captures one process. A record that is "behind in sampling" (py-spy 0.4.2 says so from one second on) would take a multiple of its time
 * and hold up the process for it: it is ended, its part kept, and the rest taken at half the rate.
 */
export function captureProcess(options: ProcessOptions): ProcessCapture {
  const { converse, context, clock, request, pid, id, onRounds, onRate } = options;
  let run: SpyRun | undefined;
  let isWanted = true;
  /** We have ended what runs. */
  let isAsked = false;

  async function once(job: SpyJob, isSlow: () => void) {
    const time = clock.now();
    const limit = limitMs(plannedMsOfOne(job));
    const onHeard = ({ outputs, said }: Heard) => {
      if (said === undefined) onRounds(outputs);
      else if (said.includes('behind in sampling')) isSlow();
    };
    isAsked = !isWanted;
    run = runSpy({ converse, context, clock, job, limitMs: limit, onHeard });
    const answer = await run.answer;
    const receivedAt = clock.now();
    const found = readAnswer({ answer, context, request, job, limitMs: limit, isAsked, id, time, receivedAt });
    const took = answer.tookSeconds ?? (receivedAt - time) / 1000;
    return { answer, found, took };
  }

  async function perform(): Promise<ProcessOutcome> {
    const { pids: _, auto: _auto, ...asked } = request;
    let { seconds, rate } = { ...captureDefaults, ...request };
    const results: CaptureResult[] = [];
    const notes: string[] = [];
    for (;;) {
      let slow = false;
      const { answer, found, took } = await once({ ...asked, pid, ...figures(asked, seconds, rate) }, () => {
        if (slow || rate <= 1) return;
        slow = isAsked = true;
        run?.cancel();
      });
      if (found.result) results.push(found.result);
      notes.push(...found.notes);
      seconds = Math.round(seconds - took);
      const goesOn = slow && isWanted && found.result !== undefined && answer.left === undefined && !answer.timedOut;
      if (slow) {
        const half = Math.floor(rate / 2);
        const rest = goesOn && seconds >= 1 ? `${half} from then on` : 'it was ended';
        notes.push(`py-spy could not keep up with ${rate} samples a second of process ${pid}: ${rest}`);
        rate = half;
      }
      if (goesOn && seconds >= 1) {
        onRate(rate);
        continue;
      }
      const { failure, isNotPython } = found;
      // Ended by ourselves for its last second: nothing is missing.
      const isPart = goesOn ? false : found.isPart || (results.length > 0 && failure !== undefined);
      const isStopped = answer.left === 'stopped';
      return { results, notes, isPart, isNotPython, isStopped, ...(failure !== undefined && { failure }) };
    }
  }

  return {
    cancel() {
      isAsked = true;
      isWanted = false;
      run?.cancel();
    },
    abandon() {
      isWanted = false;
      run?.abandon();
    },
    outcome: perform(),
  };
}

/** Those of the kind. */
function figures({ what }: Pick<SpyJob, 'what'>, seconds: number, rate: number): Pick<SpyJob, 'seconds' | 'rate'> {
  return what === 'record' || what === 'gil' ? { seconds, rate } : {};
}

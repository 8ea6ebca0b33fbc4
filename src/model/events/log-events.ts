import type { EventSample, LogLine, LogSample } from '../samples.ts';
import { createCourseFinder } from './course-events.ts';
import { createErrorJoiner, type ErrorJoiner, type ToldError } from './error-joiner.ts';
import { event, type Finder } from './found.ts';
import { xidOf, type ToldXids } from './kernel-events.ts';
import { createLimiter, heldText, type Limiter } from './limiter.ts';

/** Logs that are remembered; the one that was quiet for longest is forgotten first. */
const mostLogs = 50;
/** Two logs with the same text (a file beside the standard output, wandb's output.log, ranks) tell of the same value within this time. */
const sameMs = 60_000;
const mostOdd = 50;
const often = { burst: 5, everyMs: 120_000 };

interface Log {
  readonly errors: ErrorJoiner;
  readonly gaps: Limiter;
  readonly losses: Limiter;
  readonly gradients: Limiter;
  /** The last loss was no finite number. */
  isLossBad: boolean;
  isGradientBad: boolean;
  /** All that came so far stood in the file before it was looked at. */
  isOld: boolean;
}

/** Errors, gaps, losses that are no number, and what a run tells of its course, in its logs; an Xid that the kernel has told is no news. */
export function createLogFinder(xids: ToldXids): Finder {
  const logs = new Map<string, Log>();
  const course = createCourseFinder();
  /** Errors that were told, and values that are no number, with the log and the line's time. */
  const errors = new Map<string, ToldError>();
  const odd = new Map<string, { readonly path: string; readonly time: number }>();
  let beganAt: number | undefined;

  function logOf({ path }: LogSample): Log {
    const log = logs.get(path) ?? {
      errors: createErrorJoiner(often, errors),
      gaps: createLimiter(often),
      losses: createLimiter(often),
      gradients: createLimiter(often),
      isLossBad: false,
      isGradientBad: false,
      isOld: true,
    };
    logs.delete(path);
    logs.set(path, log);
    const [oldest] = logs.keys();
    if (logs.size > mostLogs && oldest !== undefined) logs.delete(oldest);
    return log;
  }

  function ofLog(sample: LogSample): readonly EventSample[] {
    const log = logOf(sample);
    if (!sample.backlog) log.isOld = false;
    const found: EventSample[] = [];
    for (const line of sample.lines) {
      // What a run wrote before is no news; of a run that began just now it is.
      if (log.isOld && (line.undated || line.time < (beganAt ?? 0))) continue;
      found.push(...ofNumbers(sample, log, line), ...course.of(sample, line));
      if (line.gap) found.push(...ofGap(sample, log, line));
      else if (line.level === 'error' && !line.note && !isToldXid(line)) log.errors.add(sample, line);
    }
    return [...found, ...log.errors.take(sample)];
  }

  function isToldXid(line: LogLine): boolean {
    const xid = xidOf(line);
    if (xid === undefined) return false;
    if (xids.has(xid)) return true;
    xids.tell(xid);
    return false;
  }

  function ofGap(sample: LogSample, { gaps }: Log, { text, time }: LogLine) {
    const passed = gaps.pass(sample.receivedAt);
    return passed ? [event(sample, 'log gap', text.replace(/^-- | --$/g, '') + heldText(passed, 'gaps'), time)] : [];
  }

  function ofNumbers(sample: LogSample, log: Log, { values, repeats, time }: LogLine): readonly EventSample[] {
    const { loss, gradNorm, step } = values ?? {};
    if (repeats !== undefined) return [];
    const wasBad = log.isLossBad;
    if (loss !== undefined) {
      log.isLossBad = !Number.isFinite(loss);
      const isNews = log.isLossBad && !wasBad && !isCopy('loss', sample, { step, time });
      const text = isNews ? notFinite({ value: loss, step, limiter: log.losses, sample }) : undefined;
      if (text !== undefined) return [event(sample, 'loss not finite', text, time)];
    }
    if (gradNorm === undefined) return [];
    const isFirst = !Number.isFinite(gradNorm) && !log.isGradientBad && !log.isLossBad;
    log.isGradientBad = !Number.isFinite(gradNorm);
    const isNews = isFirst && !isCopy('norm', sample, { step, time });
    const text = isNews ? notFinite({ value: gradNorm, step, limiter: log.gradients, sample }) : undefined;
    return text === undefined ? [] : [event(sample, 'norm not finite', text, time)];
  }

  /** Whether another log has told this; remembers it. */
  function isCopy(what: string, { path }: LogSample, { step, time }: { step: number | undefined; time: number }) {
    const key = `${what} ${step}`;
    const before = odd.get(key);
    if (before && before.path !== path && Math.abs(time - before.time) < sameMs) return true;
    odd.delete(key);
    odd.set(key, { path, time });
    const [oldest] = odd.keys();
    if (odd.size > mostOdd && oldest !== undefined) odd.delete(oldest);
    return false;
  }

  return {
    find(sample) {
      beganAt ??= sample.time;
      // What was written while the link was lost comes as a backlog too, and is news.
      if (sample.kind === 'link' && sample.state !== 'up') for (const log of logs.values()) log.isOld = false;
      const found = sample.kind === 'log' ? ofLog(sample) : [];
      return found.length > 0 ? found : [...logs.values()].flatMap(({ errors }) => errors.late(sample));
    },
  };
}

function notFinite(of: { value: number; step: number | undefined; limiter: Limiter; sample: LogSample }) {
  const { value, step, limiter, sample } = of;
  const passed = limiter.pass(sample.receivedAt);
  if (!passed) return undefined;
  const word = Number.isNaN(value) ? 'NaN' : value > 0 ? 'infinite' : 'minus infinite';
  return `it is ${word}${step === undefined ? '' : ` at step ${step}`}${heldText(passed, 'such values')}`;
}

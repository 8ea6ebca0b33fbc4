import type { EventSample, LogLine, LogSample } from '../samples.ts';
import { createErrorJoiner, type ErrorJoiner } from './error-joiner.ts';
import { event, type Finder } from './found.ts';
import { createLimiter, heldText, type Limiter } from './limiter.ts';

/** Logs that are remembered; the one that was quiet for longest is forgotten first. */
const mostLogs = 50;
const often = { burst: 5, everyMs: 120_000 };

interface Log {
  readonly errors: ErrorJoiner;
  readonly gaps: Limiter;
  readonly losses: Limiter;
  /** The last loss was no finite number. */
  isLossBad: boolean;
  /** All that came so far stood in the file before it was looked at. */
  isOld: boolean;
}

/** Errors, gaps and losses that are no number, in the run's logs. */
export function createLogFinder(): Finder {
  const logs = new Map<string, Log>();
  let beganAt: number | undefined;

  function logOf({ path }: LogSample): Log {
    const log = logs.get(path) ?? {
      errors: createErrorJoiner(often),
      gaps: createLimiter(often),
      losses: createLimiter(often),
      isLossBad: false,
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
      const loss = line.values?.loss;
      if (loss !== undefined) found.push(...ofLoss(sample, log, line));
      if (line.gap) found.push(...ofGap(sample, log, line));
      else if (line.level === 'error' && !line.note) log.errors.add(sample, line);
    }
    return [...found, ...log.errors.take(sample)];
  }

  function ofGap(sample: LogSample, { gaps }: Log, { text, time }: LogLine) {
    const passed = gaps.pass(sample.receivedAt);
    return passed ? [event(sample, 'log gap', text.replace(/^-- | --$/g, '') + heldText(passed, 'gaps'), time)] : [];
  }

  function ofLoss(sample: LogSample, log: Log, { values, time }: LogLine) {
    const { loss = 0, step } = values ?? {};
    const isFirst = !Number.isFinite(loss) && !log.isLossBad;
    log.isLossBad = !Number.isFinite(loss);
    const passed = isFirst ? log.losses.pass(sample.receivedAt) : undefined;
    if (!passed) return [];
    const word = Number.isNaN(loss) ? 'NaN' : loss > 0 ? 'infinite' : 'minus infinite';
    const text = `it is ${word}${step === undefined ? '' : ` at step ${step}`}${heldText(passed, 'such losses')}`;
    return [event(sample, 'loss not finite', text, time)];
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

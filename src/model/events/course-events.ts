import type { EventKind, EventSample, LogLine, LogSample } from '../samples.ts';
import { event, reasonText } from './found.ts';
import { createLimiter, heldText } from './limiter.ts';

/** What logs tell of a run's course: checkpoints, evaluations, ends of epochs and of the training, jumps of the loss, skipped steps. */
export interface CourseFinder {
  of(sample: LogSample, line: LogLine): readonly EventSample[];
}

type Details = Readonly<Record<string, string | number>>;

/** How events of one matter are told. */
interface Matter {
  readonly kind: EventKind;
  /** As its limiter counts them. */
  readonly many: string;
  readonly burst: number;
  readonly everyMs: number;
  /** All ranks tell it, its begin and its end: within this time they are one. */
  readonly sameMs: number;
  readonly text: (details: Details) => string;
}

const stepText = ({ step }: Details) => (step === undefined ? '' : ` at step ${step}`);

const matters: Readonly<Record<string, Matter>> = {
  checkpoint: {
    kind: 'checkpoint',
    many: 'checkpoints',
    burst: 5,
    everyMs: 120_000,
    sameMs: 60_000,
    text: ({ step, path }) =>
      [...(step === undefined ? [] : [`step ${step}`]), ...(path === undefined ? [] : [path])].join(', '),
  },
  evaluation: {
    kind: 'evaluation',
    many: 'evaluations',
    burst: 6,
    everyMs: 300_000,
    sameMs: 10_000,
    text: (details) =>
      details['validationLoss'] === undefined
        ? stepText(details).trimStart()
        : `validation loss ${details['validationLoss']}${stepText(details)}`,
  },
  epoch_end: {
    kind: 'epoch end',
    many: 'epochs',
    burst: 5,
    everyMs: 300_000,
    sameMs: 10_000,
    text: ({ epoch }) => (epoch === undefined ? '' : `epoch ${epoch}`),
  },
  training_end: {
    kind: 'training end',
    many: 'ends',
    burst: 2,
    everyMs: 600_000,
    sameMs: 60_000,
    text: ({ reason }) => (reason === undefined ? '' : String(reason)),
  },
  loss_spike: {
    kind: 'loss spike',
    many: 'spikes',
    burst: 3,
    everyMs: 300_000,
    sameMs: 10_000,
    text: ({ loss, median }) =>
      loss === undefined || median === undefined
        ? ''
        : `it is ${loss}, the last ones were about ${Number(Number(median).toPrecision(4))}`,
  },
  overflow: {
    kind: 'steps skipped',
    many: 'skipped steps',
    burst: 1,
    everyMs: 600_000,
    sameMs: 10_000,
    text: ({ lossScale }) => (lossScale === undefined ? '' : `overflow, the loss scale is ${lossScale} now`),
  },
};

/** After a break each log tells several at once, one log after the other. */
const mostRecent = 16;

interface Told {
  readonly time: number;
  readonly details: Details;
}

/** For all logs of a run together. */
export function createCourseFinder(): CourseFinder {
  const limiters = new Map(Object.entries(matters).map(([name, often]) => [name, createLimiter(often)]));
  const recent = new Map<string, readonly Told[]>();
  return {
    of(sample, line) {
      if (!line.event || line.repeats !== undefined) return [];
      const { kind, details = {} } = line.event;
      const matter = matters[kind];
      const limiter = limiters.get(kind);
      if (!matter || !limiter) return [];
      const now = { time: line.time, details };
      const before = recent.get(kind) ?? [];
      recent.set(kind, [...before, now].slice(-mostRecent));
      if (before.some((told) => isSame(matter, told, now))) return [];
      const passed = limiter.pass(sample.receivedAt);
      if (!passed) return [];
      const text = matter.text(details) || reasonText(line.text.trim());
      return [event(sample, matter.kind, text + heldText(passed, matter.many), line.time)];
    },
  };
}

/** Told by another rank, or the end of what was told at its begin. */
function isSame({ sameMs, kind }: Matter, before: Told, now: Told): boolean {
  const took = Number(now.details['seconds'] ?? 0) * 1000;
  if (Math.abs(now.time - before.time) > sameMs + took) return false;
  const [was, is] = [before.details, now.details];
  if (kind === 'evaluation')
    return is['validationLoss'] === undefined || is['validationLoss'] === was['validationLoss'];
  return ['step', 'epoch', 'loss'].every(
    (key) => was[key] === undefined || is[key] === undefined || was[key] === is[key],
  );
}

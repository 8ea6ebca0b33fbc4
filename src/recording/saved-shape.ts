import type { Minute, MinuteValues } from '../model/minutes.ts';
import type { SavedEntries, SavedHistory, SavedTens } from '../model/saved-history.ts';
import type { SavedState } from '../model/saved-state.ts';
import type { LearntRole } from '../model/roles/role-of.ts';
import type { LogTail, SourceView } from '../model/state.ts';
import type { GoneThread } from '../model/thread-lives.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import { wholeSample } from './codec.ts';
import { factsShape, lineShape, runShape } from './parts.ts';
import { paceShape, throughputShape } from './saved-throughput.ts';
import * as is from './shape.ts';
import { situationShape } from './verdict-parts.ts';

const source = is.object<SourceView>({
  status: is.oneOf({ waiting: true, live: true, stale: true, failed: true, off: true }),
  reason: is.optional(is.text),
  rejectedLines: is.optional(is.number),
  lastAt: is.optional(is.moment),
});

const log = is.object<LogTail>({
  source: is.text,
  path: is.text,
  format: is.text,
  lines: is.list(lineShape),
  dropped: is.number,
  unread: is.number,
  pace: is.optional(paceShape),
  endOffset: is.optional(is.number),
  backlog: is.optional(is.yes),
});

/** Minimum, mean, maximum, count, and how many were not finite. */
const minuteValues: is.Shape<MinuteValues> = (value) => {
  const [minimum, mean, maximum, count, nonFinite] = is.listOf(value);
  const three = [cell(minimum), cell(mean), cell(maximum)] as const;
  return nonFinite === undefined ? [...three, is.number(count)] : [...three, is.number(count), is.number(nonFinite)];
};
const cell = is.orNull(is.number);

/** A minute of history, as its line has it beside its `kind`. */
export const minuteShape: is.Shape<Minute> = is.object<Minute>({
  takenAt: is.moment,
  end: is.moment,
  run: is.number,
  series: is.record(minuteValues),
});

const history = is.object<SavedHistory>({
  at: is.optional(is.moment),
  run: is.number,
  left: is.list(minuteShape),
  minutes: is.list(minuteShape),
  entries: is.list(
    is.object<SavedEntries>({
      name: is.text,
      completeAfter: is.optional(is.moment),
      times: is.list(is.moment),
      values: is.list(is.number),
      tens: is.optional(is.object<SavedTens>({ after: is.moment, slots: is.list(is.pair(is.moment, minuteValues)) })),
    }),
  ),
});

const learnt = is.object<LearntRole>({ rule: is.optional(is.text), stack: is.optional(is.text) });

const goneThread = is.object<GoneThread>({
  pid: is.number,
  tid: is.number,
  comm: is.text,
  name: is.optional(is.text),
  learnt: is.optional(learnt),
  cpuPercent: is.optional(is.number),
  at: is.moment,
});

const verdictSpan = is.object<VerdictSpan>({
  situation: situationShape,
  scope: is.text,
  from: is.moment,
  until: is.moment,
  confidence: is.number,
});

/** What a keyframe has of a store. */
export const savedShape: is.Shape<SavedState> = is.object<SavedState>({
  committedAt: is.moment,
  link: is.optional(wholeSample('link')),
  linkDownSince: is.optional(is.moment),
  facts: is.optional(factsShape),
  sources: is.list(is.pair(is.text, source)),
  linkLostAt: is.optional(is.moment),
  run: is.optional(wholeSample('run')),
  phaseSince: is.optional(is.moment),
  processes: is.optional(wholeSample('processes')),
  threads: is.optional(wholeSample('threads')),
  waits: is.optional(wholeSample('waits')),
  busiest: is.optional(wholeSample('busiest')),
  gpus: is.optional(wholeSample('gpus')),
  gpuProcesses: is.optional(wholeSample('gpuProcesses')),
  host: is.optional(wholeSample('host')),
  interval: is.optional(wholeSample('interval')),
  logs: is.list(is.pair(is.text, log)),
  throughput: throughputShape,
  stacks: is.list(wholeSample('stacks')),
  captures: is.optional(is.list(wholeSample('capture'))),
  results: is.optional(is.list(wholeSample('stacks', 'profile'))),
  events: is.list(wholeSample('event', 'mark')),
  threadNames: is.list(is.pair(is.text, is.text)),
  threadRoles: is.optional(is.list(is.pair(is.text, learnt))),
  threadLives: is.optional(
    is.object<NonNullable<SavedState['threadLives']>>({
      born: is.list(is.pair(is.text, is.moment)),
      gone: is.list(goneThread),
    }),
  ),
  gpuRoles: is.optional(wholeSample('gpuRoles')),
  settings: is.optional(wholeSample('settings')),
  verdicts: is.optional(wholeSample('verdicts')),
  verdictSpans: is.optional(is.list(verdictSpan)),
  alarms: is.optional(is.list(wholeSample('alarm'))),
  mutes: is.optional(is.list(wholeSample('mute'))),
  blackBoxes: is.optional(is.list(wholeSample('blackBox'))),
  disks: is.optional(wholeSample('disks')),
  kernel: is.optional(wholeSample('kernel')),
  commitDueAt: is.optional(is.moment),
  lastRun: is.optional(runShape),
  history,
});

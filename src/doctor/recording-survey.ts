import type { HostFacts } from '../model/facts.ts';
import type { Run } from '../model/run.ts';
import type {
  EventSample,
  LinkSample,
  LogSample,
  MarkSample,
  Sample,
  SourceSample,
  SourceStatus,
} from '../model/samples.ts';
import type { State } from '../model/store.ts';

/** How long a source or the link was in one state, over all stretches of it. */
export interface Stretches {
  ms: number;
  count: number;
  /** The last reason that was given. */
  reason?: string;
}

/** A source over the time of a recording, by its states. */
export type SourceSurvey = ReadonlyMap<SourceStatus, Readonly<Stretches>>;

/** A run that was watched. */
export interface RunSurvey {
  readonly run: Run;
  readonly from: number;
  /** When its end was seen, and the sentence. */
  readonly ended?: { readonly time: number; readonly reason?: string };
}

/** One kind of events, or the marks. */
export interface EventSurvey {
  count: number;
  readonly first: number;
  last: number;
  /** Of the last. */
  text: string;
}

/** One log. */
export interface LogSurvey {
  readonly path: string;
  format: string;
  lines: number;
  gaps: number;
  errors: number;
}

/** What is in a recording. Grows with its sources and runs, not with its length. */
export interface RecordingSurvey {
  readonly samples: number;
  readonly facts?: HostFacts;
  readonly sources: ReadonlyMap<string, SourceSurvey>;
  readonly link: ReadonlyMap<string, Readonly<Stretches>>;
  /** How often it was up and went; attempts to get it back that fail are none. */
  readonly linkLosses: number;
  readonly runs: readonly RunSurvey[];
  readonly logs: ReadonlyMap<string, Readonly<LogSurvey>>;
  readonly events: ReadonlyMap<string, Readonly<EventSurvey>>;
  readonly gpuCount?: number;
  readonly threadCount?: number;
  readonly captures: number;
}

/** Of a recording's runs, logs and kinds of events: what comes after these is left out. */
const mostNames = 200;

/** Takes all Samples of a recording in their order. `holes` are those of which nothing was recorded: no state is counted over them. */
export function createRecordingSurvey(holes: readonly { readonly from: number; readonly to: number }[]) {
  const sources = new Map<string, Timeline>();
  const link = createTimeline();
  let linkState: LinkSample['state'] | undefined;
  let linkLosses = 0;
  const runs: RunSurvey[] = [];
  const logs = new Map<string, LogSurvey>();
  const events = new Map<string, EventSurvey>();
  let samples = 0;
  let captures = 0;
  let facts: HostFacts | undefined;
  let gpuCount: number | undefined;
  let threadCount: number | undefined;
  let last = -Infinity;
  let hole = 0;

  function takeSource({
    source,
    status,
    reason,
    receivedAt,
  }: Pick<SourceSample, 'source' | 'status' | 'reason' | 'receivedAt'>) {
    let timeline = sources.get(source);
    if (!timeline && sources.size >= mostNames) return;
    if (!timeline) sources.set(source, (timeline = createTimeline()));
    timeline.enter(status, receivedAt, reason);
  }

  function takeLink({ state, reason, receivedAt }: Pick<LinkSample, 'state' | 'reason' | 'receivedAt'>) {
    if (linkState === 'up' && state !== 'up') linkLosses++;
    linkState = state;
    link.enter(state, receivedAt, reason);
  }

  function takeEvent(sample: EventSample | MarkSample) {
    const kind = sample.kind === 'mark' ? 'mark' : sample.event;
    const { time, text } = sample;
    const known = events.get(kind);
    if (!known) events.set(kind, { count: 1, first: time, last: time, text });
    else Object.assign(known, { count: known.count + 1, last: time, text });
  }

  function takeRun({ phase, run, reason, receivedAt }: Extract<Sample, { kind: 'run' }>) {
    if (!run) return;
    const at = runs.findIndex((each) => each.run.id === run.id && each.run.bootId === run.bootId);
    const known = runs[at];
    const ended = phase === 'ended' ? { time: receivedAt, ...(reason !== undefined && { reason }) } : undefined;
    if (known)
      runs[at] = { run, from: known.from, ...((ended ?? known.ended) && { ended: known.ended ?? ended }) } as RunSurvey;
    else if (runs.length < mostNames) runs.push({ run, from: receivedAt, ...(ended && { ended }) });
  }

  function takeLog(sample: LogSample) {
    let log = logs.get(sample.source);
    if (!log && logs.size >= mostNames) return;
    if (!log) {
      log = { path: sample.path, format: sample.format, lines: 0, gaps: 0, errors: 0 };
      logs.set(sample.source, log);
    }
    log.format = sample.format;
    for (const line of sample.lines) {
      if (line.gap) log.gaps++;
      if (line.note) continue;
      log.lines++;
      if (line.level === 'error') log.errors++;
    }
  }

  return {
    /** What was known where the recording begins. */
    begin(state: Pick<State, 'sources' | 'link' | 'run' | 'facts'>, time: number) {
      for (const [source, { status, reason }] of state.sources)
        takeSource({ source, status, receivedAt: time, ...(reason !== undefined && { reason }) });
      if (state.link) takeLink({ ...state.link, receivedAt: time });
      if (state.run) takeRun({ ...state.run, receivedAt: time });
      facts = state.facts;
    },
    add(sample: Sample) {
      samples++;
      const { receivedAt } = sample;
      for (let next = holes[hole]; next && next.to <= receivedAt; next = holes[++hole])
        for (const timeline of [link, ...sources.values()]) timeline.skip(next);
      last = Math.max(last, receivedAt);
      if (sample.kind === 'source') takeSource(sample);
      else if (sample.kind === 'link') takeLink(sample);
      else if (sample.kind === 'event' || sample.kind === 'mark') takeEvent(sample);
      else if (sample.kind === 'run') takeRun(sample);
      else if (sample.kind === 'log') takeLog(sample);
      else if (sample.kind === 'facts') facts = sample.facts;
      else if (sample.kind === 'gpus') gpuCount = Math.max(gpuCount ?? 0, sample.uuid.length);
      else if (sample.kind === 'threads') threadCount = Math.max(threadCount ?? 0, sample.tid.length);
      else if (sample.kind === 'stacks') captures++;
    },
    result(): RecordingSurvey {
      return {
        samples,
        ...(facts && { facts }),
        sources: new Map([...sources].map(([source, timeline]) => [source, timeline.until(last) as SourceSurvey])),
        link: link.until(last),
        linkLosses,
        runs,
        logs,
        events,
        ...(gpuCount !== undefined && { gpuCount }),
        ...(threadCount !== undefined && { threadCount }),
        captures,
      };
    },
  };
}

interface Timeline {
  enter(state: string, time: number, reason: string | undefined): void;
  /** Leaves out a stretch of which nothing is known. */
  skip(stretch: { readonly from: number; readonly to: number }): void;
  until(time: number): ReadonlyMap<string, Readonly<Stretches>>;
}

function createTimeline(): Timeline {
  const states = new Map<string, Stretches>();
  let now: string | undefined;
  let since = 0;
  const of = (state: string) => {
    let known = states.get(state);
    if (!known) states.set(state, (known = { ms: 0, count: 0 }));
    return known;
  };
  const close = (time: number) => {
    if (now !== undefined) of(now).ms += Math.max(0, time - since);
    since = time;
  };
  return {
    enter(state, time, reason) {
      close(time);
      if (state !== now) of(state).count++;
      if (reason !== undefined) of(state).reason = reason;
      now = state;
    },
    skip({ from, to }) {
      close(from);
      since = to;
    },
    until(time) {
      close(time);
      return states;
    },
  };
}

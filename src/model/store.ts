import type { Clock } from '../clock.ts';
import type { HostFacts } from './facts.ts';
import { createHistory, type History } from './history.ts';
import { byLogSource } from './log-sources.ts';
import { keepPace, type Pace } from './pace.ts';
import type { Run } from './run.ts';
import type * as S from './samples.ts';
import { threadNames } from './thread-names.ts';
import { emptyThroughput, reduceThroughput, type ThroughputState } from './throughput.ts';

/** Everything the screen shows, as of the last commit. A slice keeps its identity unless it changed. */
export interface State {
  /** When it was committed, for ages. */
  readonly committedAt: number;
  readonly link?: S.LinkSample;
  /** Since when nothing comes over the link that is not up, over all attempts to get it back. */
  readonly linkDownSince?: number;
  readonly facts?: HostFacts;
  readonly sources: ReadonlyMap<string, SourceView>;
  /** When it was found out that it is not up. */
  readonly linkLostAt?: number;
  readonly run?: S.RunSample;
  /** When the run's phase began: other Samples of it follow when candidates come and go. */
  readonly phaseSince?: number;
  readonly processes?: S.ProcessesSample;
  readonly threads?: S.ThreadsSample;
  readonly busiest?: S.BusiestSample;
  readonly gpus?: S.GpusSample;
  readonly gpuProcesses?: S.GpuProcessesSample;
  readonly host?: S.HostSample;
  /** The newest lines of each log, by path, in the order of their sources. */
  readonly logs: ReadonlyMap<string, LogTail>;
  /** What the logs' values say together. */
  readonly throughput: ThroughputState;
  /** The newest dump of each process, newest first. */
  readonly stacks: readonly S.StacksSample[];
  /** Python's thread names by `PID:TID`, from dumps. */
  readonly threadNames: ReadonlyMap<string, string>;
}

/** A source's state and the time of its last good value. */
export interface SourceView {
  readonly status: S.SourceStatus;
  readonly reason?: string;
  readonly rejectedLines?: number;
  readonly lastAt?: number;
}

/** The end of one log. */
export interface LogTail {
  readonly source: string;
  readonly path: string;
  readonly format: string;
  readonly lines: readonly S.LogLine[];
  /** Lines that came before the kept ones. */
  readonly dropped: number;
  /** Lines whose values were not read: they came too fast. */
  readonly unread: number;
  /** When it was last written to. */
  readonly pace?: Pace;
  /** Bytes of the file that have been read. */
  readonly endOffset?: number;
}

/** Takes Samples in, commits at most once an interval, tells who listens. */
export interface Store {
  push(sample: S.Sample): void;
  getState(): State;
  subscribe(listener: () => void): () => void;
  readonly history: History;
  setInterval(ms: number): void;
  /** Commits, for the tests and the bench. */
  readonly commits: () => number;
  stop(): void;
}

const keptLogLines = 2000;
/** Frames of several sources come within this time of one another: they share a commit. */
const gatherMs = 30;

/** An empty store that commits every `intervalMs`, by `clock`. */
export function createStore(clock: Clock, intervalMs: number): Store {
  let interval = intervalMs;
  let pending: State = {
    committedAt: clock.now(),
    sources: new Map(),
    logs: new Map(),
    throughput: emptyThroughput,
    stacks: [],
    threadNames: new Map(),
  };
  let committed = pending;
  let lastRun: Run | undefined;
  let commits = 0;
  let dueAt: number | undefined;
  let cancelDue = () => {};
  const listeners = new Set<() => void>();
  const history = createHistory();

  function commit() {
    cancelDue();
    dueAt = undefined;
    pending = { ...pending, committedAt: clock.now() };
    committed = pending;
    commits++;
    for (const listener of listeners) listener();
  }

  /** A frame waits for its interval; the log, which a user reads along, for half of it. */
  function schedule(gap: number) {
    const now = clock.now();
    // The last commit lies in the future when the clock of this machine was set back: then nothing is waited for.
    const since = committed.committedAt > now ? gap : now - committed.committedAt;
    const due = now + Math.max(gatherMs, gap - since);
    if (dueAt !== undefined && dueAt <= due) return;
    cancelDue();
    dueAt = due;
    cancelDue = clock.after(due - now, commit);
  }

  // Ages on the screen grow also when nothing comes any more.
  const cancelAging = clock.every(1000, () => {
    const { link } = pending;
    const aging =
      link?.state !== 'up' ||
      link.silentSince !== undefined ||
      [...pending.sources.values()].some((s) => s.status === 'stale');
    if (aging && Math.abs(clock.now() - committed.committedAt) >= 1000 - gatherMs) commit();
  });

  return {
    push(sample) {
      const next = sample.kind === 'run' ? sample.run : undefined;
      if (next) {
        if (lastRun && lastRun.id !== next.id) {
          pending = withoutRun(pending, { last: lastRun, next });
          history.forgetRun();
        }
        lastRun = next;
      }
      history.add(sample);
      const first = isFirst(pending, sample);
      pending = reduce(pending, sample);
      // A link that is lost and back within a frame has been lost all the same.
      const linkChanged =
        sample.kind === 'link' &&
        (sample.state !== committed.link?.state || sample.silentSince !== committed.link.silentSince);
      if (first || linkChanged || sample.kind === 'stacks' || sample.kind === 'run') schedule(0);
      else schedule(sample.kind === 'log' ? interval / 2 : interval);
    },
    getState: () => committed,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    history,
    setInterval(ms) {
      interval = ms;
    },
    commits: () => commits,
    stop() {
      cancelDue();
      cancelAging();
    },
  };
}

/** The first word of a source does not wait for its turn: a panel that can be filled is. Threads have no shares in their first. */
function isFirst(state: State, sample: S.Sample): boolean {
  const { kind } = sample;
  if (kind === 'log') return state.logs.size === 0;
  if (kind === 'threads' && sample.intervalSeconds !== undefined) return state.threads?.intervalSeconds === undefined;
  return kind !== 'source' && !(kind in state);
}

function reduce(state: State, sample: S.Sample): State {
  switch (sample.kind) {
    case 'source':
      return { ...state, sources: withSource(state, sample) };
    case 'facts':
      return { ...state, facts: sample.facts };
    case 'stacks':
      return {
        ...state,
        stacks: [sample, ...state.stacks.filter((s) => s.pid !== sample.pid)].slice(0, 16),
        threadNames: threadNames(state.threadNames, sample),
      };
    case 'log':
      return withLast(
        { ...state, logs: withLines(state.logs, sample), throughput: reduceThroughput(state.throughput, sample) },
        sample,
      );
    case 'link': {
      const { linkDownSince = sample.silentSince ?? sample.time, linkLostAt = sample.time, ...rest } = state;
      return { ...rest, link: sample, ...(sample.state !== 'up' && { linkDownSince, linkLostAt }) };
    }
    case 'run': {
      const same = state.run?.phase === sample.phase && state.run.run?.id === sample.run?.id;
      const phaseSince = same ? (state.phaseSince ?? sample.time) : sample.time;
      return withLast({ ...state, run: sample, phaseSince }, sample);
    }
    default:
      return withLast({ ...state, [sample.kind]: sample }, sample);
  }
}

/** Another run is watched: what was learnt of the last is no part of it, and would grow with every run for weeks. */
function withoutRun(state: State, { last, next }: { readonly last: Run; readonly next: Run }): State {
  const paths = (run: Run) => new Set(run.outputs.map((output) => output.path));
  const [before, now] = [paths(last), paths(next)];
  const { threads: _t, processes: _p, ...rest } = state;
  return {
    ...rest,
    // A log that both write to, or that the user named, is followed on.
    logs: new Map([...state.logs].filter(([path]) => !before.has(path) || now.has(path))),
    throughput: emptyThroughput,
    threadNames: new Map(),
  };
}

function withSource(state: State, { source, status, reason, rejectedLines }: S.SourceSample) {
  const lastAt = state.sources.get(source)?.lastAt;
  return new Map(state.sources).set(source, {
    status,
    ...(reason !== undefined && { reason }),
    ...(rejectedLines !== undefined && { rejectedLines }),
    ...(lastAt !== undefined && { lastAt }),
  });
}

function withLast(state: State, { source, receivedAt }: S.Sample): State {
  const view = state.sources.get(source);
  if (!view) return state;
  return { ...state, sources: new Map(state.sources).set(source, { ...view, lastAt: receivedAt }) };
}

function withLines(logs: State['logs'], sample: S.LogSample) {
  const { source, path, format, lines, unreadLines = 0, endOffset } = sample;
  const before = logs.get(path);
  const pace = keepPace(
    before?.pace,
    sample,
    lines.filter(({ note }) => !note),
  );
  const joined = [...(before?.lines ?? []), ...lines];
  const kept = joined.slice(-keptLogLines);
  const tail: LogTail = {
    source,
    path,
    format,
    lines: kept,
    dropped: (before?.dropped ?? 0) + joined.length - kept.length,
    unread: (before?.unread ?? 0) + unreadLines,
    ...(pace && { pace }),
    ...(endOffset !== undefined && { endOffset }),
  };
  const others = [...logs.values()].filter((log) => log.path !== path);
  const all = [...others, tail].sort((a, b) => byLogSource(a.source, b.source));
  return new Map(all.map((log) => [log.path, log]));
}

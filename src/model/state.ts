import { byLogSource } from './log-sources.ts';
import type { HostFacts } from './facts.ts';
import { keepPace, type Pace } from './pace.ts';
import type { Run } from './run.ts';
import type * as S from './samples.ts';
import { withKernelLines } from './space-samples.ts';
import { withDump, withLabels, type ThreadLabels } from './thread-labels.ts';
import { followLives, noLives, type ThreadLives } from './thread-lives.ts';
import { countLog, emptyThroughput, type ThroughputState } from './throughput.ts';
import { withAlarm, withBlackBox, withMute } from './alarms/told.ts';
import { withVerdicts, type VerdictSpan } from './verdict-spans.ts';

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
  readonly waits?: S.WaitsSample;
  readonly busiest?: S.BusiestSample;
  readonly gpus?: S.GpusSample;
  readonly gpuProcesses?: S.GpuProcessesSample;
  readonly host?: S.HostSample;
  /** Absent until the user changes it. */
  readonly interval?: S.IntervalSample;
  /** The newest lines of each log, by path, in the order of their sources. */
  readonly logs: ReadonlyMap<string, LogTail>;
  /** What the logs' values say together. */
  readonly throughput: ThroughputState;
  /** The newest dump of each process, newest first. */
  readonly stacks: readonly S.StacksSample[];
  /** The newest captures that the user asked for, newest first. */
  readonly captures: readonly S.CaptureSample[];
  /** What they found, the newest first: those of the newest captures, as many as there is room for. */
  readonly results: readonly S.CaptureResult[];
  /** The newest events and marks, oldest first. */
  readonly events: readonly (S.EventSample | S.MarkSample)[];
  /** Python's thread names by `PID:TID`, from dumps. */
  readonly threadNames: ReadonlyMap<string, string>;
  /** What rules and stacks say of threads, by `PID:TID`; roles/finder.ts makes roles of it. */
  readonly threadRoles: ThreadLabels['threadRoles'];
  /** Threads that came and went a moment ago. */
  readonly threadLives: ThreadLives;
  /** What GPUs are for, as the user says. */
  readonly gpuRoles?: S.GpuRolesSample;
  /** What the user said that figures lean on. */
  readonly settings?: S.SettingsSample;
  /** What the run waits for, as it was told last. */
  readonly verdicts?: S.VerdictsSample;
  /** The newest ringings of alarms, newest first; all that ring now are among them. */
  readonly alarms: readonly S.AlarmSample[];
  /** What is not to be heard now. */
  readonly mutes: readonly S.MuteSample[];
  /** Evidence that was taken by itself, newest first. */
  readonly blackBoxes: readonly S.BlackBoxSample[];
  readonly disks?: S.DisksSample;
  /** The newest lines of the kernel's log that were told, oldest first. */
  readonly kernel?: S.KernelSample;
  /** Which verdict stood first when, oldest first: the newest of them. */
  readonly verdictSpans: readonly VerdictSpan[];
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
  /** What came last stood in the file before: more of it may follow. */
  readonly backlog?: true;
}

const keptLogLines = 2000;
/** Of each log: its lines may be of any length. */
const keptLogCharacters = 4 * 1024 * 1024;
const keptEvents = 200;
const keptStacks = 16;
/** Of all dumps together: 16 processes of 100 threads, 30 deep; a keyframe is a line of a recording. */
const keptFrames = 50_000;
const keptCaptures = 50;
const keptResults = 64;
/** Of all results together. */
const keptResultFrames = 200_000;
/** There are some ten of them, and a file may name any. */
const mostSources = 64;

/** Before any Sample. */
export function emptyState(now: number): State {
  return {
    committedAt: now,
    sources: new Map(),
    logs: new Map(),
    throughput: emptyThroughput,
    stacks: [],
    captures: [],
    results: [],
    events: [],
    threadNames: new Map(),
    threadRoles: new Map(),
    threadLives: noLives,
    verdictSpans: [],
    alarms: [],
    mutes: [],
    blackBoxes: [],
  };
}

/** The first word of a source does not wait for its turn: a panel that can be filled is. Threads have no shares in their first. */
export function isFirst(state: State, sample: S.Sample): boolean {
  const { kind } = sample;
  if (kind === 'log') return state.logs.size === 0;
  if (kind === 'threads' && sample.intervalSeconds !== undefined) return state.threads?.intervalSeconds === undefined;
  return !['source', 'event', 'mark', 'alarm', 'mute', 'blackBox'].includes(kind) && !(kind in state);
}

/** The state with one more Sample; pure. */
export function reduceState(state: State, sample: S.Sample): State {
  switch (sample.kind) {
    case 'source':
      return { ...state, sources: withSource(state, sample) };
    case 'facts':
      return { ...state, facts: sample.facts };
    case 'stacks':
      return {
        ...state,
        stacks: newestStacks([sample, ...state.stacks.filter((s) => s.pid !== sample.pid)]),
        ...(!sample.auto && { results: newestResults([sample, ...state.results]) }),
        ...withDump(state, sample),
      };
    case 'profile':
      return { ...state, results: newestResults([sample, ...state.results]) };
    case 'capture':
      return {
        ...state,
        captures: [sample, ...state.captures.filter(({ id }) => id !== sample.id)].slice(0, keptCaptures),
      };
    case 'log':
      return takeLog(state, sample).state;
    case 'labels':
      return { ...state, ...withLabels(state, sample) };
    case 'threads':
      return withLast({ ...state, threads: sample, ...followLives(state, sample) }, sample);
    case 'event':
    case 'mark':
      return { ...state, events: [...state.events, sample].slice(-keptEvents) };
    case 'verdicts': {
      const init = { before: state.verdicts, intervalMs: state.interval?.intervalMs };
      return { ...state, verdicts: sample, verdictSpans: withVerdicts(state.verdictSpans, sample, init) };
    }
    case 'alarm':
      return { ...state, alarms: withAlarm(state.alarms, sample) };
    case 'mute':
      return { ...state, mutes: withMute(state.mutes, sample) };
    case 'blackBox':
      return { ...state, blackBoxes: withBlackBox(state.blackBoxes, sample) };
    case 'kernel':
      return withLast({ ...state, kernel: withKernelLines(state.kernel, sample) }, sample);
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

/** The same of a log's Sample, with what of it counts: the history takes that in. */
export function takeLog(state: State, sample: S.LogSample): { readonly state: State; readonly counted: S.LogSample } {
  const { state: throughput, counted } = countLog(state.throughput, sample, state.settings);
  return { state: withLast({ ...state, logs: withLines(state.logs, sample), throughput }, sample), counted };
}

/** Another run is watched: what was learnt of the last is no part of it, and would grow with every run for weeks. */
export function withoutRun(state: State, { last, next }: { readonly last: Run; readonly next: Run }): State {
  const paths = (run: Run) => new Set(run.outputs.map((output) => output.path));
  const [before, now] = [paths(last), paths(next)];
  const { threads: _t, waits: _w, processes: _p, verdicts: _v, ...rest } = state;
  return {
    ...rest,
    // A log that both write to, or that the user named, is followed on.
    logs: new Map([...state.logs].filter(([path]) => !before.has(path) || now.has(path))),
    throughput: emptyThroughput,
    threadNames: new Map(),
    threadRoles: new Map(),
    threadLives: noLives,
  };
}

/** The newest is kept, however large it is. */
function newestStacks(stacks: State['stacks']): State['stacks'] {
  let frames = 0;
  const isKept = ({ threads }: S.StacksSample, i: number) => {
    for (const thread of threads) frames += thread.frames.length;
    return i === 0 || (i < keptStacks && frames <= keptFrames);
  };
  return stacks.filter(isKept);
}

/** The newest is kept, however large it is. */
function newestResults(results: State['results']): State['results'] {
  let frames = 0;
  return results.filter((result, i) => {
    const all = result.kind === 'stacks' ? result.threads : result.stacks;
    for (const each of all) frames += each.frames.length;
    return i === 0 || (i < keptResults && frames <= keptResultFrames);
  });
}

function withSource(state: State, { source, status, reason, rejectedLines }: S.SourceSample) {
  if (!state.sources.has(source) && state.sources.size >= mostSources) return state.sources;
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
  // A source reads one log. When that is renamed it goes on under its new name: kept under each, it would fill the memory.
  const before = logs.get(path) ?? [...logs.values()].find((log) => log.source === source);
  if (!before && logs.size >= mostSources) return logs;
  const pace = keepPace(
    before?.pace,
    sample,
    lines.filter(({ note }) => !note),
  );
  const kept = newestLines(before?.lines ?? [], lines);
  const tail: LogTail = {
    source,
    path,
    format,
    lines: kept,
    dropped: (before?.dropped ?? 0) + (before?.lines.length ?? 0) + lines.length - kept.length,
    unread: (before?.unread ?? 0) + unreadLines,
    ...(pace && { pace }),
    ...(endOffset !== undefined && { endOffset }),
    ...(sample.backlog && { backlog: true as const }),
  };
  const others = [...logs.values()].filter((log) => log !== before);
  const all = [...others, tail].sort((a, b) => byLogSource(a.source, b.source));
  return new Map(all.map((log) => [log.path, log]));
}

/** Characters of what was kept before: counted once, not again with each line that comes. */
const countedLines = new WeakMap<readonly S.LogLine[], number>();

/** The newest is kept, however long it is. */
function newestLines(before: readonly S.LogLine[], more: readonly S.LogLine[]): readonly S.LogLine[] {
  const lines = [...before, ...more];
  let characters = (countedLines.get(before) ?? charactersOf(before)) + charactersOf(more);
  let first = 0;
  const isTooMuch = () => lines.length - first > keptLogLines || characters > keptLogCharacters;
  while (first < lines.length - 1 && isTooMuch()) characters -= lines[first++]?.text.length ?? 0;
  const kept = first === 0 ? lines : lines.slice(first);
  countedLines.set(kept, characters);
  return kept;
}

const charactersOf = (lines: readonly S.LogLine[]) => lines.reduce((sum, { text }) => sum + text.length, 0);

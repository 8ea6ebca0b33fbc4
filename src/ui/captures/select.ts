import { captureNames } from '../../model/capture-words.ts';
import { roleFinder } from '../../model/roles/finder.ts';
import type { OpenedCapture, SavedCapture } from '../../model/saved-capture.ts';
import type { CaptureResult, CaptureSample } from '../../model/samples.ts';
import { foldResults, type Folded } from '../../model/stacks/fold.ts';
import type { State } from '../../model/store.ts';
import type { Reading } from '../reading-state.ts';

/** A row of the list of captures. */
export interface CaptureRow {
  readonly capture: CaptureSample;
  readonly command: string;
  /** It is on this machine only, from another time. */
  readonly saved?: SavedCapture;
}

/** Everything there is to read, the newest first: of this session or recording, and what is kept on this machine. */
export function captureRows(state: State, { list = [] }: Pick<Reading, 'list'>): readonly CaptureRow[] {
  const own = ownCaptures(state).map((capture): CaptureRow => ({ capture, command: commandOf(state, capture) }));
  const known = new Set(own.map(({ capture }) => capture.id));
  const others = list
    .filter(({ capture }) => !known.has(capture.id))
    .map((saved): CaptureRow => ({ capture: saved.capture, command: saved.command ?? '', saved }));
  return [...own, ...others].sort((a, b) => b.capture.startedAt - a.capture.startedAt);
}

/** A capture that is read: what it is, what it found, and that in one form. */
export interface ReadCapture {
  readonly capture: CaptureSample;
  readonly results: readonly CaptureResult[];
  readonly folded: Folded;
}

/** The capture with this id, as far as there is one; `saved` when it is none of the State's. */
export function readCapture(state: State, id: string | undefined, saved?: OpenedCapture): ReadCapture | undefined {
  const capture = ownCaptures(state).find((each) => each.id === id) ?? saved?.capture;
  if (!capture || capture.id !== id) return undefined;
  const own = resultsOf(state, id);
  const results = own.length > 0 || !saved ? own : saved.results;
  return { capture, results, folded: foldOnce(state, results) };
}

/** Captures of the State, the newest first. What was imported, or recorded before there were captures, has none: its results are. */
function ownCaptures(state: State): readonly CaptureSample[] {
  const known = captures.get(state.results);
  if (known && known.of === state.captures) return known.all;
  const ids = new Set(state.captures.map(({ id }) => id));
  const alone = state.results.filter(({ capture }) => capture === undefined || !ids.has(capture));
  const byId = new Map(alone.map((result) => [idOf(result), result]));
  const all = [...state.captures, ...[...byId.values()].map(captureOf)];
  captures.set(state.results, { of: state.captures, all });
  return all;
}

const captures = new WeakMap<
  State['results'],
  { readonly of: State['captures']; readonly all: readonly CaptureSample[] }
>();

/** Of the capture it names, else of itself. */
function idOf(result: CaptureResult): string {
  return result.capture ?? `${result.time} ${result.pid} ${result.kind}`;
}

function captureOf(result: CaptureResult): CaptureSample {
  const { host, source, time, receivedAt, pid } = result;
  const isDump = result.kind === 'stacks';
  const failure = isDump ? result.failure : undefined;
  const savedTo = isDump ? result.savedTo : undefined;
  return {
    kind: 'capture',
    host,
    source,
    time,
    receivedAt,
    id: idOf(result),
    what: isDump ? (result.native ? 'native' : 'dump') : result.what,
    state: failure !== undefined && isDump && result.threads.length === 0 ? 'failed' : 'done',
    pids: [pid],
    startedAt: time,
    plannedMs: 0,
    ...(!isDump && { samples: result.samples, errors: result.errors }),
    notes: [],
    files: savedTo === undefined ? [] : [savedTo],
    ...(failure !== undefined && { failure }),
  };
}

/** In the order of their processes' PIDs: they come as they are ready. */
function resultsOf(state: State, id: string): readonly CaptureResult[] {
  const known = results.get(state.results) ?? new Map<string, readonly CaptureResult[]>();
  results.set(state.results, known);
  let found = known.get(id);
  if (!found) {
    found = state.results.filter((result) => idOf(result) === id).toSorted((a, b) => a.pid - b.pid);
    known.set(id, found);
  }
  return found;
}

const results = new WeakMap<State['results'], Map<string, readonly CaptureResult[]>>();

/** A capture is folded once, with the names that were known then: a key must not wait for it again. */
function foldOnce(state: State, found: readonly CaptureResult[]): Folded {
  const { run, threadNames, threads } = state;
  const [first] = found;
  const known = first && folds.get(first);
  if (known?.of === found.length) return known.folded;
  const folded = foldResults(found, {
    run: run?.run,
    threadNames,
    threads,
    roleOf: roleFinder(state),
  });
  if (first) folds.set(first, { of: found.length, folded });
  return folded;
}

const folds = new WeakMap<CaptureResult, { readonly of: number; readonly folded: Folded }>();

function commandOf(state: State, { id, pids }: CaptureSample): string {
  const result = resultsOf(state, id)[0];
  if (result && result.command !== '') return result.command;
  const process = state.run?.run?.processes.find(({ pid }) => pids.includes(pid));
  return process?.commandLine.join(' ') ?? '';
}

/** Its kind as the list says it. */
export const kindText = ({ what }: Pick<CaptureSample, 'what'>): string => captureNames[what];

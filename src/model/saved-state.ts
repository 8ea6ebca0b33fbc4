import type { Run } from './run.ts';
import type { SavedHistory } from './saved-history.ts';
import type { LogTail, SourceView, State } from './state.ts';
import type { LearntRole } from './roles/role-of.ts';
import { noLives, type GoneThread } from './thread-lives.ts';

/**
 * All that a store has taken in, as plain data, so that a recording can be opened in its middle: what a store that is restored from
 * it shows, and shows with the Samples that follow, is what the first one shows. Not in it: lines of a log before the last 200, dumps
 * beyond some megabytes, text of all but the newest evidence, and what `SavedHistory` leaves out. Numbers are as in Samples: a loss may be NaN, and whoever writes JSON sees to it.
 */
export interface SavedState extends Omit<
  State,
  | 'sources'
  | 'logs'
  | 'threadNames'
  | 'threadRoles'
  | 'threadLives'
  | 'captures'
  | 'results'
  | 'verdictSpans'
  | 'alarms'
  | 'mutes'
  | 'blackBoxes'
> {
  /** Absent in what was saved before there were any. */
  readonly captures?: State['captures'];
  readonly results?: State['results'];
  readonly verdictSpans?: State['verdictSpans'];
  readonly alarms?: State['alarms'];
  readonly mutes?: State['mutes'];
  readonly blackBoxes?: State['blackBoxes'];
  readonly sources: readonly (readonly [source: string, view: SourceView])[];
  readonly logs: readonly (readonly [path: string, log: LogTail])[];
  readonly threadNames: readonly (readonly [thread: string, name: string])[];
  readonly threadRoles?: readonly (readonly [thread: string, learnt: LearntRole])[];
  readonly threadLives?: {
    readonly born: readonly (readonly [thread: string, at: number])[];
    readonly gone: readonly GoneThread[];
  };
  /** When it is to be shown, where not all of it is. */
  readonly commitDueAt?: number;
  /** The run that was watched last, while none is too: the next one is compared with it. */
  readonly lastRun?: Run;
  readonly history: SavedHistory;
}

/** What a store has, as it has it. */
export interface StoreContent {
  readonly state: State;
  readonly commitDueAt?: number;
  readonly lastRun?: Run;
  readonly history: SavedHistory;
}

/** Logs keep this many lines of a saved state, and all of them together this much text: the rest is in the recording before it. */
const savedLogLines = 200;
const savedLogCharacters = 512 * 1024;
/** Of dumps, the newest first: eight processes of forty threads have a third of it. A state is one line of a file. */
const savedStackCharacters = 2 * 1024 * 1024;

/** Of each of these a quarter of a megabyte. */
const savedBoxTexts = 2;

/** The content as plain data. It shares what is the same with it. */
export function saveState({ state, ...others }: StoreContent): SavedState {
  const { sources, logs, threadNames, threadRoles, threadLives, stacks, results, blackBoxes, ...slices } = state;
  const room = savedLogCharacters / Math.max(1, logs.size);
  return {
    ...slices,
    stacks: newest(stacks),
    results: newest(results),
    blackBoxes: withoutOldText(blackBoxes),
    sources: [...sources],
    logs: [...logs].map(([path, log]) => [path, withoutOldLines(log, room)]),
    threadNames: [...threadNames],
    threadRoles: [...threadRoles],
    threadLives: { born: [...threadLives.born], gone: threadLives.gone },
    ...others,
  };
}

/** The content that was saved. */
export function loadState(saved: SavedState): StoreContent {
  const { sources, logs, threadNames, threadRoles = [], threadLives, commitDueAt, lastRun, history, ...rest } = saved;
  const { captures = [], results = [], verdictSpans = [], alarms = [], mutes = [], blackBoxes = [], ...slices } = rest;
  return {
    state: {
      ...slices,
      captures,
      results,
      verdictSpans,
      alarms,
      mutes,
      blackBoxes,
      sources: new Map(sources),
      logs: new Map(logs),
      threadNames: new Map(threadNames),
      threadRoles: new Map(threadRoles),
      threadLives: threadLives ? { ...threadLives, born: new Map(threadLives.born) } : noLives,
    },
    ...(commitDueAt !== undefined && { commitDueAt }),
    ...(lastRun && { lastRun }),
    history,
  };
}

function withoutOldLines(log: LogTail, characters: number): LogTail {
  let first = log.lines.length;
  let room = characters;
  while (first > 0 && log.lines.length - first < savedLogLines) {
    room -= log.lines[first - 1]?.text.length ?? 0;
    if (room < 0) break;
    first--;
  }
  return { ...log, lines: log.lines.slice(first), dropped: log.dropped + first };
}

/** Of all boxes there is what they have; the text of a box stands in the recording where it was taken. */
function withoutOldText(boxes: State['blackBoxes']): State['blackBoxes'] {
  return boxes.map((box, i) =>
    i < savedBoxTexts
      ? box
      : { ...box, parts: box.parts.map(({ lines, ...part }) => (lines ? { ...part, cut: true } : part)) },
  );
}

function newest<T extends State['results'][number]>(results: readonly T[]): readonly T[] {
  let room = savedStackCharacters;
  const end = results.findIndex((result) => {
    const frames = result.kind === 'stacks' ? result.threads.flatMap((thread) => thread.frames) : result.frames;
    for (const { function: name, file } of frames) room -= name.length + file.length;
    if (result.kind === 'profile') for (const stack of result.stacks) room -= stack.frames.length * 4;
    return room < 0;
  });
  return end < 0 ? results : results.slice(0, end);
}

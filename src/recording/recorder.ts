import { systemClock, type Clock } from '../clock.ts';
import type { EventSample, Sample } from '../model/samples.ts';
import type { Minute } from '../model/minutes.ts';
import type { SavedState } from '../model/saved-state.ts';
import { isTapeEvent } from '../model/tape.ts';
import { createEncoder } from './codec.ts';
import { createDraft } from './draft.ts';
import { formatVersion, type RecordingHeader } from './format.ts';
import { writeLine } from './json-line.ts';
import { cuts } from './limits.ts';
import { createLosses, type Lost } from './losses.ts';
import { createPartWriter } from './part-writer.ts';
import { createRunFolder, type RunFolder } from './run-folder.ts';
import { createThinner } from './thin-log.ts';
import { behindFault, RemovedFault, slowFault, writeFault, type WriteFault } from './write-fault.ts';

/** Writes Samples to a recording. Nothing that goes wrong with it ever reaches who gives them. */
export interface Recorder {
  /** Takes a Sample before the store does: a keyframe is the state that it comes to. */
  push(sample: Sample): void;
  /** Writes what was taken in; resolves when it is in the file, or after some seconds. Never rejects. */
  flush(): Promise<void>;
  /** Writes what is left and closes the file; resolves after some seconds at the latest. */
  close(): Promise<void>;
  /** How it fares: the file that is written, or why none is. */
  state(): RecorderState;
}

/** How a Recorder fares. */
export interface RecorderState {
  readonly path?: string;
  readonly bytes: number;
  /** One sentence. */
  readonly fault?: string;
  /** The same in few words: `disk full`. */
  readonly faultShort?: string;
  /** Something beside it that went wrong, one sentence: nothing is missing. */
  readonly warning?: string;
  /** It was closed while the file system did not answer: the process cannot end by itself. */
  readonly isStuck?: true;
}

interface Init {
  /** The parts of this recording go here, or in a folder beside it when this one is taken. */
  readonly folder: string | RunFolder;
  readonly clock: Clock;
  readonly header: () => Omit<RecordingHeader, 'kind' | 'format' | 'part' | 'startedAt'>;
  /** The store's state, for keyframes. */
  readonly save: () => SavedState;
  /** The minutes of history that were closed since the last time. */
  readonly takeMinutes?: () => readonly Minute[];
  /** Takes what there is to say in the recording about itself: that something is missing. */
  readonly report?: (event: EventSample) => void;
  /** Called when a part was begun, to make room beside it; resolves with a sentence when it could not. */
  readonly onPart?: (path: string) => Promise<string | undefined>;
  /** Of this machine, for the disk; the other clock may be a played one. */
  readonly diskClock?: Clock;
  readonly limits?: Partial<typeof partLimits>;
}

/** A part ends at either. */
const partLimits = { bytes: 64 * 1024 * 1024, ms: 12 * 3_600_000 };
/** The first member is written sooner: folder, lock and file are made then. */
const firstMemberMs = 500;
/** The clock of this machine was set back: what follows lies before what was written, and is begun anew. */
const setBackMs = 1000;
const retryMs = 10_000;

/** What is gathered while the host has not answered yet is no more than this: a keyframe has the rest. */
const mostBefore = 64 * 1024;

/** What is said without a word from the host: that nothing is known yet is a verdict, too. */
const ownKinds: ReadonlySet<Sample['kind']> = new Set<Sample['kind']>([
  ...(['link', 'source', 'interval', 'verdicts', 'alarm', 'mute', 'event'] as const),
]);

/** A recorder whose files begin when the host has answered: a link that never comes leaves none. */
export function createRecorder(init: Init): Recorder {
  const { clock, header, save, takeMinutes, report, onPart, diskClock = systemClock } = init;
  const limits = { ...partLimits, ...init.limits };
  const folder = typeof init.folder === 'string' ? createRunFolder(init.folder) : init.folder;
  const encoder = createEncoder();
  const thinner = createThinner();
  const draft = createDraft();
  const losses = createLosses();
  let host = '';
  let hasBegun = false;
  let newestAt = -Infinity;
  /** Of the chain that what is pushed leans on; undefined: the next Sample begins one. */
  let keyframeAt: number | undefined;
  let partAt: number | undefined;
  let path: string | undefined;
  let fault: WriteFault | undefined;
  let halted: 'until retry' | 'until written' | undefined;
  let isClosed = false;
  let isStuck = false;
  let isFlushDue = false;
  let isMakingRoom = false;
  let warning: string | undefined;
  let cancelFlush = () => {};
  let cancelRetry = () => {};
  const writer = createPartWriter({
    folder,
    clock: diskClock,
    header: (part) => writeLine({ kind: 'header', format: formatVersion, part, startedAt: clock.now(), ...header() }),
    onWritten,
    onLost: fail,
    onSlow: () => (fault ??= slowFault(folder.path())),
  });

  function onWritten() {
    // An older one, written while a later fault was found.
    if (halted === 'until retry') return;
    halted = undefined;
    fault = undefined;
    const isNewPart = path !== writer.path();
    path = writer.path();
    if (isNewPart && path !== undefined) void makeRoom(path);
    const time = clock.now();
    const text = losses.take(time);
    if (text === undefined || isClosed) return;
    report?.({ kind: 'event', host, source: 'recorder', time, receivedAt: time, event: 'recording gap', text });
  }

  /** One at a time: a file system that hangs takes one thread of four. */
  async function makeRoom(part: string) {
    if (isMakingRoom) return;
    isMakingRoom = true;
    warning = await onPart?.(part);
    isMakingRoom = false;
  }

  function fail(error: unknown, lost: Lost) {
    halt('until retry', writeFault(error, folder.path()), lost);
    cancelRetry();
    // A new file can be made at once where one was removed.
    if (error instanceof RemovedFault) halted = undefined;
    else cancelRetry = diskClock.after(retryMs, () => (halted = undefined));
  }

  /** What was gathered leans on what was lost, and so would all that comes: the next that is taken in begins a part. */
  function halt(until: typeof halted, why: WriteFault, lost: Lost) {
    halted = until;
    fault = why;
    losses.add(lost, why.short);
    losses.add(draft.take());
    keyframeAt = partAt = undefined;
    cancelFlush();
  }

  function flush() {
    cancelFlush();
    if (draft.bytes() === 0 || !hasBegun) return;
    for (const minute of takeMinutes?.() ?? []) draft.minute(writeLine({ kind: 'minute', ...minute }));
    const member = draft.take();
    if (!writer.add(member)) halt('until written', behindFault(folder.path()), member);
  }

  /** From here a reader can begin. */
  function beginChain(time: number) {
    flush();
    if (halted) return;
    const isPart = partAt === undefined || isPartDue(time, partAt);
    if (isPart) partAt = time;
    keyframeAt = time;
    encoder.reset();
    draft.begin({ isPart, time, keyframe: writeLine({ kind: 'keyframe', time, state: save() }) });
  }

  function isPartDue(time: number, since: number): boolean {
    return writer.partBytes() >= limits.bytes || Math.abs(time - since) >= limits.ms;
  }

  function isChainDue(time: number, isSetBack: boolean): boolean {
    if (keyframeAt === undefined || partAt === undefined || isSetBack) return true;
    return time - keyframeAt >= cuts.keyframeMs || isPartDue(time, partAt);
  }

  function take(sample: Sample) {
    const time = sample.receivedAt;
    const isSetBack = time < newestAt - setBackMs;
    newestAt = isSetBack ? time : Math.max(newestAt, time);
    host = sample.host;
    hasBegun ||= !ownKinds.has(sample.kind);
    if (!hasBegun && (draft.bytes() > mostBefore || isChainDue(time, isSetBack))) {
      draft.take();
      // A keyframe in the middle of what begins a part would take its place.
      keyframeAt = partAt = undefined;
    }
    if (!halted && isChainDue(time, isSetBack)) beginChain(time);
    if (halted) return losses.add({ samples: 1, from: time });
    const line = encoder.encode(sample.kind === 'log' ? thinner.thin(sample) : sample);
    draft.sample(line, { time, isEvent: isTapeEvent(sample) });
    if (draft.bytes() >= cuts.memberBytes) flush();
    else flushLater();
  }

  function flushLater() {
    if (isFlushDue) return;
    isFlushDue = true;
    const cancel = clock.after(path === undefined ? firstMemberMs : cuts.memberMs, () => {
      isFlushDue = false;
      flush();
    });
    cancelFlush = () => {
      isFlushDue = false;
      cancel();
    };
  }

  return {
    push(sample) {
      if (isClosed) return;
      try {
        take(sample);
      } catch (error) {
        fail(error, { samples: 1, from: sample.receivedAt });
      }
    },
    async flush() {
      try {
        if (!isClosed) flush();
      } catch (error) {
        fail(error, { samples: 0, from: clock.now() });
      }
      await writer.flushed();
    },
    async close() {
      isClosed = true;
      flush();
      cancelRetry();
      isStuck = !(await writer.close());
    },
    state: () => ({
      bytes: writer.bytes(),
      ...(path !== undefined && { path }),
      ...(fault && { fault: fault.text, faultShort: fault.short }),
      ...(warning !== undefined && { warning }),
      ...(isStuck && { isStuck }),
    }),
  };
}

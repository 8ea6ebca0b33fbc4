import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Sample } from '../model/samples.ts';
import type { SavedState } from '../model/saved-state.ts';
import { createEncoder } from './codec.ts';
import { formatVersion, recordingSuffix, type RecordingHeader } from './format.ts';
import { packMember } from './member.ts';

/** Writes Samples to a recording. Nothing that goes wrong with it ever reaches who gives them. */
export interface Recorder {
  /** Takes a Sample before the store does: a keyframe is the state that it comes to. */
  push(sample: Sample): void;
  /** Writes what is left and closes the file. */
  close(): Promise<void>;
  /** How it fares: the file that is written, or the sentence that says why none is. */
  state(): RecorderState;
}

/** How a Recorder fares. */
export interface RecorderState {
  readonly path?: string;
  readonly bytes: number;
  readonly fault?: string;
}

interface Init {
  /** The files of this recording go here. */
  readonly folder: string;
  readonly clock: Clock;
  readonly header: () => Omit<RecordingHeader, 'kind' | 'format' | 'part' | 'startedAt'>;
  /** The store's state, for keyframes. */
  readonly save: () => SavedState;
}

/** How often a member is written: what a kill takes. */
const memberMs = 4000;
const keyframeMs = 300_000;

/** A recorder whose files begin with the first Sample. */
export function createRecorder({ folder, clock, header, save }: Init): Recorder {
  const encoder = createEncoder();
  let lines: string[] = [];
  let from = 0;
  let to = 0;
  let hasEvent = false;
  let hasKeyframe = false;
  let keyframeAt = -Infinity;
  let file: FileHandle | undefined;
  let path: string | undefined;
  let bytes = 0;
  let fault: string | undefined;
  let queue = Promise.resolve();
  const cancel = clock.every(memberMs, flush);

  function flush() {
    if (lines.length === 0) return;
    const member = packMember(lines.map((line) => `${line}\n`).join(''), {
      from,
      to,
      keyframe: hasKeyframe,
      event: hasEvent,
    });
    lines = [];
    hasEvent = hasKeyframe = false;
    queue = queue
      .then(async () => {
        file ??= await create();
        await file.appendFile(member);
        bytes += member.length;
      })
      .catch((error: unknown) => {
        fault = error instanceof Error ? error.message : String(error);
      });
  }

  async function create() {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    path = join(folder, `0001${recordingSuffix}`);
    return open(path, 'wx', 0o600);
  }

  return {
    push(sample) {
      const now = sample.receivedAt;
      if (now - keyframeAt >= keyframeMs) {
        flush();
        if (keyframeAt === -Infinity) {
          const about = header();
          lines.push(
            JSON.stringify({ kind: 'header', format: formatVersion, part: 1, startedAt: clock.now(), ...about }),
          );
        }
        keyframeAt = now;
        encoder.reset();
        hasKeyframe = true;
        lines.push(JSON.stringify({ kind: 'keyframe', time: now, state: save() }));
        from = now;
      }
      const line = encoder.encode(sample);
      if (line === undefined) return;
      if (lines.length === 0) from = now;
      to = now;
      hasEvent ||= sample.kind === 'event' || sample.kind === 'mark';
      lines.push(line);
    },
    async close() {
      cancel();
      flush();
      await queue;
      await file?.close();
    },
    state: () => ({ bytes, ...(path !== undefined && { path }), ...(fault !== undefined && { fault }) }),
  };
}

import { open } from 'node:fs/promises';
import type { EventSample, MarkSample, Sample } from '../model/samples.ts';
import type { SavedState } from '../model/saved-state.ts';
import { createDecoder } from './codec.ts';
import type { KeyframeLine, RecordingHeader } from './format.ts';
import { headLength, readHead, unpackMember, type MemberHead } from './member.ts';

/** A recording that cannot be opened: one sentence for the user. */
export class RecordingFault extends Error {
  override name = 'RecordingFault';
}

/** A recording that is open for reading. Times are `receivedAt`: the axis on which it is played. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly from: number;
  readonly to: number;
  /** All events and marks, in order. */
  readonly events: readonly (EventSample | MarkSample)[];
  /** Stretches longer than `shortestHoleMs` (or three intervals) between two members: nothing was recorded then. */
  readonly holes: readonly { readonly from: number; readonly to: number }[];
  /** Begins at the last keyframe at or before `time`, or at the first of all. */
  cursor(time: number): Promise<Cursor>;
  /** What could not be read so far. */
  faults(): RecordingFaults;
  close(): Promise<void>;
}

/** What could not be read. */
export interface RecordingFaults {
  readonly brokenLines: number;
  /** Stretches of bytes that are no members. */
  readonly brokenBytes: number;
}

/** Reads on from a keyframe. */
export interface Cursor {
  /** The state at the keyframe, and its time; undefined where the recording begins without one. */
  readonly saved?: { readonly time: number; readonly state: SavedState };
  /** The Samples of the next few seconds, in order; undefined at the end. */
  next(): Promise<readonly Sample[] | undefined>;
}

/** A monitor that runs writes more often than this, even while its host cannot be reached. */
const shortestHoleMs = 60_000;

interface Member extends MemberHead {
  readonly offset: number;
}

/** Opens a file. Rejects with a RecordingFault. */
export async function openRecording(path: string): Promise<Recording> {
  const file = await open(path, 'r');
  const members: Member[] = [];
  for (let offset = 0; ;) {
    const { buffer } = await file.read(Buffer.alloc(headLength), 0, headLength, offset);
    const head = readHead(buffer);
    if (!head) break;
    members.push({ ...head, offset });
    offset += head.length;
  }
  const decoder = createDecoder();
  const events: (EventSample | MarkSample)[] = [];
  for (const member of members.filter(({ event }) => event)) {
    for (const line of await linesOf(member)) {
      const sample = decoder.decode(line);
      if (sample?.kind === 'event' || sample?.kind === 'mark') events.push(sample);
    }
  }
  const [first] = members;
  if (!first) throw new RecordingFault(`${path} is no recording of traintop.`);
  const header = JSON.parse((await linesOf(first))[0] ?? '') as RecordingHeader;

  async function linesOf({ offset, length }: Member) {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
    return unpackMember(buffer).split('\n').slice(0, -1);
  }

  return {
    header,
    from: first.from,
    to: members.at(-1)?.to ?? first.to,
    events,
    holes: members.slice(1).flatMap(({ from: to }, before) => {
      const from = members[before]?.to ?? to;
      return to - from > Math.max(shortestHoleMs, 3 * header.intervalMs) ? [{ from, to }] : [];
    }),
    async cursor(time) {
      const at = Math.max(
        0,
        members.findLastIndex(({ keyframe, from }) => keyframe && from <= time),
      );
      let next = at;
      const take = async () => {
        const member = members[next++];
        return member && (await linesOf(member));
      };
      const lines = (await take())?.filter((line) => !line.startsWith('{"kind":"header"')) ?? [];
      const [keyframe = '', ...rest] = lines;
      const { time: savedAt, state } = JSON.parse(keyframe) as KeyframeLine;
      let pending: readonly string[] | undefined = rest;
      return {
        saved: { time: savedAt, state },
        async next() {
          const now = pending ?? (await take());
          pending = undefined;
          return now
            ?.filter((line) => !/^\{"kind":"(?:header|keyframe)"/.test(line))
            .flatMap((line) => decoder.decode(line) ?? []);
        },
      };
    },
    faults: () => ({ brokenLines: decoder.broken, brokenBytes: 0 }),
    close: () => file.close(),
  };
}

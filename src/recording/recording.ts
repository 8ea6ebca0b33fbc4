import type { Minute } from '../model/minutes.ts';
import type { Sample } from '../model/samples.ts';
import type { SavedState } from '../model/saved-state.ts';
import type { TapeEvent } from '../model/tape.ts';
import type { RecordingFiles } from './byte-source.ts';
import { createDecoder } from './codec.ts';
import { eventsIn, newestEvents } from './events-in.ts';
import { filesOf } from './find-parts.ts';
import type { RecordingHeader } from './format.ts';
import { lostHeader, notOne, readHeader } from './header-line.ts';
import { readLine } from './json-line.ts';
import { limits } from './limits.ts';
import type { Member } from './member-index.ts';
import { openPartReader, type PartReader } from './part-reader.ts';
import { linesOf, type Place } from './place.ts';
import { RecordingFault } from './recording-fault.ts';
import { minuteShape, savedShape } from './saved-shape.ts';
import { moment } from './shape.ts';

export { RecordingFault } from './recording-fault.ts';

/** A recording that is open for reading. Times are `receivedAt`: the axis on which it is played. */
export interface Recording {
  /** The file, or the folder: where a folder of recordings was named, the newest in it. */
  readonly path: string;
  readonly header: RecordingHeader;
  readonly from: number;
  readonly to: number;
  /** All events, marks and rings of alarms, in the order of their moments; of a log full of errors the newest. */
  readonly events: readonly TapeEvent[];
  /** Stretches longer than `shortestHoleMs` (or three intervals) between two members: nothing was recorded then. */
  readonly holes: readonly { readonly from: number; readonly to: number }[];
  /** Begins at the last keyframe at or before `time`, or at the first of all. */
  cursor(time: number): Promise<Cursor>;
  /** The minutes of history that were taken until then, in two days before it. */
  minutes(until: number): Promise<readonly Minute[]>;
  /** What could not be read so far. */
  faults(): RecordingFaults;
  /** Takes in what was written since, of which alone the heads are read; true: there was something. Never rejects. */
  follow(): Promise<boolean>;
  /** Whether more is to come; in doubt it is. Never rejects. */
  isWritten(): Promise<boolean>;
  /** Forgets what was kept for the next moment. */
  rest(): void;
  close(): Promise<void>;
}

/** What could not be read. */
export interface RecordingFaults {
  readonly brokenLines: number;
  /** Lines that tell what is new since one that is missing. */
  readonly withheldLines: number;
  /** Stretches of bytes that are no members. */
  readonly brokenBytes: number;
}

/** Reads on from a keyframe. */
export interface Cursor {
  /** The state at the keyframe, and its time; undefined where the recording begins without one. */
  readonly saved?: { readonly time: number; readonly state: SavedState };
  /** The Samples of the next few seconds, in order; undefined at the end, behind which there may be more later. */
  next(): Promise<readonly Sample[] | undefined>;
}

/** A monitor that runs writes more often than this, at its slowest interval and while its host cannot be reached. */
const shortestHoleMs = 60_000;
/** What the longest tier of history looks back on. */
const minutesMs = 48 * 3_600_000;
/** Keyframes that are tried before it goes without. */
const mostTries = 4;

/** Opens a file, a folder of files, or the newest recording of a folder of folders. Rejects with a RecordingFault. */
export async function openRecording(wanted: string): Promise<Recording> {
  return openRecordingFrom(await filesOf(wanted));
}

/** The same of files that lie anywhere. What is written to them later is seen by `follow`. Rejects with a RecordingFault. */
export async function openRecordingFrom(files: RecordingFiles): Promise<Recording> {
  const { path } = files;
  const parts = new Map<string, PartReader>();
  /** Of another recording. */
  const strange = new Set<PartReader>();
  const places: Place[] = [];
  /** Of the members that the last moments looked back on: most are wanted again. */
  const minutes = new Map<Member, readonly Minute[]>();
  /** Of each member that was read: how much of it was in vain. */
  const faulty = new Map<Member, { readonly broken: number; readonly withheld: number }>();
  let header: RecordingHeader | undefined;
  let events: Recording['events'] = [];
  let [from, to] = [Infinity, -Infinity];
  let holes: Recording['holes'] = [];
  /** Looks for more, one after the other. */
  let last: Promise<boolean> = Promise.resolve(false);

  async function add(name: string): Promise<readonly Place[]> {
    const part = await openPartReader(name, await files.open(name));
    parts.set(name, part);
    const about = await headerOf(part);
    if (about && !isLost(about) && (!header || isLost(header))) header = about;
    header ??= about;
    // A file of another recording that lies there is none of this.
    if (!about || !(isLost(about) || about.session === header?.session)) {
      if (about) strange.add(part);
      return [];
    }
    return part.members.map((member) => ({ part, member }));
  }

  function take(more: readonly Place[]) {
    const known = places.at(-1);
    const shortest = Math.max(shortestHoleMs, 3 * (header?.intervalMs ?? 0));
    const found = holesIn(known ? [known, ...more] : more, shortest);
    if (found.length > 0) holes = [...holes, ...found];
    for (const place of more) {
      places.push(place);
      from = Math.min(from, place.member.from);
      to = Math.max(to, place.member.to);
    }
  }

  /** What the last file has got, and the files behind it. */
  async function look(): Promise<boolean> {
    const names = await files.list();
    const newest = [...parts.values()].at(-1);
    const grown = newest && !strange.has(newest) ? await newest.grow() : [];
    let hasMore = await takeLate(grown.map((member) => ({ part: newest as PartReader, member })));
    for (const name of names) if (!parts.has(name)) hasMore = (await takeLate(await add(name))) || hasMore;
    return hasMore;
  }

  async function takeLate(more: readonly Place[]): Promise<boolean> {
    if (more.length === 0) return false;
    take(more);
    const found = await eventsIn(more);
    if (found.length > 0) events = newestEvents([...events, ...found]);
    return true;
  }

  try {
    for (const name of await files.list()) take(await add(name));
    if (!header) throw nothingIn(path, [...parts.values()]);
    events = await eventsIn(places);
  } catch (error) {
    await Promise.all([...parts.values()].map((part) => part.close()));
    throw error;
  }
  const about = header;

  async function minutesOf(place: Place): Promise<readonly Minute[]> {
    const known = minutes.get(place.member);
    if (known) return known;
    const lines = (await linesOf(place)).filter((line) => line.startsWith('{"kind":"minute"'));
    const made = lines.flatMap((line) => attempt(() => minuteShape(readLine(line))) ?? []);
    note(place.member, { broken: lines.length - made.length, withheld: 0 });
    minutes.set(place.member, made);
    return made;
  }

  function note(member: Member, { broken, withheld }: { readonly broken: number; readonly withheld: number }) {
    const before = faulty.get(member) ?? { broken: 0, withheld: 0 };
    if (broken > before.broken || withheld > before.withheld)
      faulty.set(member, {
        broken: Math.max(broken, before.broken),
        withheld: Math.max(withheld, before.withheld),
      });
  }

  /** The last keyframe that can be read, of those until `time`; else the beginning. */
  async function beginAt(time: number) {
    let at = Math.max(
      0,
      places.findLastIndex(({ member }) => member.keyframe && member.from <= time),
    );
    for (let tries = 0; at >= 0 && tries < mostTries; tries++) {
      const place = places[at];
      const lines = place ? await linesOf(place) : [];
      const line = lines.findIndex((each) => each.startsWith('{"kind":"keyframe"'));
      const saved = attempt(() => readKeyframe(lines[line] ?? ''));
      if (saved) return { at: at + 1, saved, lines: lines.slice(line + 1), place };
      if (place && line >= 0) note(place.member, { broken: 1, withheld: 0 });
      at = places.slice(0, at).findLastIndex(({ member }) => member.keyframe);
    }
    return { at: 0, saved: undefined, lines: undefined, place: undefined };
  }

  const sum = (which: 'broken' | 'withheld') => [...faulty.values()].reduce((all, each) => all + each[which], 0);

  return {
    path,
    header: about,
    get from() {
      return from;
    },
    get to() {
      return to;
    },
    get events() {
      return events;
    },
    get holes() {
      return holes;
    },
    async cursor(time) {
      const begin = await beginAt(time);
      const decoder = createDecoder();
      let { at, lines: pending, place } = begin;
      return {
        ...(begin.saved && { saved: begin.saved }),
        async next() {
          const lines = pending ?? (places[at] && (await linesOf((place = places[at++] as Place))));
          pending = undefined;
          if (!lines || !place) return undefined;
          const [broken, withheld] = [decoder.broken, decoder.withheld];
          const samples = lines.flatMap((line) => {
            if (line.startsWith('{"kind":"keyframe"')) decoder.reset();
            return /^\{"kind":"(?:header|keyframe|minute)"/.test(line) ? [] : (decoder.decode(line) ?? []);
          });
          note(place.member, { broken: decoder.broken - broken, withheld: decoder.withheld - withheld });
          return samples;
        },
      };
    },
    async minutes(until) {
      const found: (readonly Minute[])[] = [];
      let room: number = limits.minuteValues.value;
      const wanted = places.filter(
        ({ member }) => member.minute && member.from <= until && member.to >= until - minutesMs,
      );
      for (const [i, place] of wanted.reverse().entries()) {
        const made = await minutesOf(place);
        found.push(made);
        for (const { series } of made) room -= 1 + Object.keys(series).length;
        if (room < 0) break;
        // What lies in memory is there without a turn of the loop: keys are heard all the same.
        if (i % 16 === 15) await new Promise(setImmediate);
      }
      const near = new Set(wanted.map(({ member }) => member));
      for (const member of minutes.keys()) if (!near.has(member)) minutes.delete(member);
      return found
        .reverse()
        .flat()
        .filter(({ takenAt }) => takenAt <= until);
    },
    faults: () => ({
      brokenLines: sum('broken'),
      withheldLines: sum('withheld'),
      brokenBytes: [...parts.values()].reduce((all, part) => all + part.brokenBytes(), 0),
    }),
    follow: () => (last = last.then(look).catch(() => false)),
    isWritten: async () => (await files.isWritten?.().catch(() => true)) ?? false,
    rest: () => minutes.clear(),
    async close() {
      await last;
      await Promise.all([...parts.values()].map((part) => part.close()));
    },
  };
}

/** Undefined for a file without members. */
async function headerOf(part: PartReader): Promise<RecordingHeader | undefined> {
  const [first] = part.members;
  if (!first) return undefined;
  const lines = await part.lines(first);
  // A page of zeros, or a lost beginning, has taken the header with it: the rest is as good as it was.
  if (!lines || first.offset > 0) return lostHeader(first.from);
  return readHeader(lines[0] ?? '', part.path);
}

function nothingIn(path: string, parts: readonly PartReader[]): RecordingFault {
  return parts.every((part) => part.isEmpty)
    ? new RecordingFault(`${path} is empty: nothing was recorded there.`)
    : notOne(path);
}

function readKeyframe(line: string): NonNullable<Cursor['saved']> {
  const { time, state } = readLine(line);
  return { time: moment(time), state: savedShape(state) };
}

const isLost = ({ session }: RecordingHeader) => session === '';

function holesIn(places: readonly Place[], shortest: number): Recording['holes'] {
  return places.slice(1).flatMap(({ member: { from: to } }, before) => {
    const from = places[before]?.member.to ?? to;
    return to - from > shortest ? [{ from, to }] : [];
  });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

import type { Minute } from '../model/minutes.ts';
import type { EventSample, MarkSample, Sample } from '../model/samples.ts';
import type { SavedState } from '../model/saved-state.ts';
import { createDecoder } from './codec.ts';
import { findParts } from './find-parts.ts';
import type { RecordingHeader } from './format.ts';
import { lostHeader, notOne, readHeader } from './header-line.ts';
import { readLine } from './json-line.ts';
import { limits } from './limits.ts';
import type { Member } from './member-index.ts';
import { openPartReader, type PartReader } from './part-reader.ts';
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
  /** All events and marks, in order; of a log full of errors the newest. */
  readonly events: readonly (EventSample | MarkSample)[];
  /** Stretches longer than `shortestHoleMs` (or three intervals) between two members: nothing was recorded then. */
  readonly holes: readonly { readonly from: number; readonly to: number }[];
  /** Begins at the last keyframe at or before `time`, or at the first of all. */
  cursor(time: number): Promise<Cursor>;
  /** The minutes of history that were taken until then, in two days before it. */
  minutes(until: number): Promise<readonly Minute[]>;
  /** What could not be read so far. */
  faults(): RecordingFaults;
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
  /** The Samples of the next few seconds, in order; undefined at the end. */
  next(): Promise<readonly Sample[] | undefined>;
}

/** A monitor that runs writes more often than this, at its slowest interval and while its host cannot be reached. */
const shortestHoleMs = 60_000;
/** What the longest tier of history looks back on. */
const minutesMs = 48 * 3_600_000;
/** Keyframes that are tried before it goes without. */
const mostTries = 4;

interface Place {
  readonly part: PartReader;
  readonly member: Member;
}

/**
 * Opens a file, a folder of files, or the newest recording of a folder of folders. What is written to it later is not seen. Rejects with
 * a RecordingFault.
 */
export async function openRecording(wanted: string): Promise<Recording> {
  const { path, files } = await findParts(wanted);
  const parts: PartReader[] = [];
  const places: Place[] = [];
  /** Of the members that the last moments looked back on: most are wanted again. */
  const minutes = new Map<Member, readonly Minute[]>();
  /** Of each member that was read: how much of it was in vain. */
  const faulty = new Map<Member, { readonly broken: number; readonly withheld: number }>();
  let header: RecordingHeader | undefined;
  let events: Recording['events'] = [];

  try {
    for (const file of files) {
      const part = await openPartReader(file);
      parts.push(part);
      const about = await headerOf(part);
      if (about && !isLost(about) && (!header || isLost(header))) header = about;
      header ??= about;
      // A file of another recording that lies there is none of this.
      if (!about || !(isLost(about) || about.session === header?.session)) continue;
      for (const member of part.members) places.push({ part, member });
    }
    if (!header) throw nothingIn(path, parts);
    events = await eventsIn(places);
  } catch (error) {
    await Promise.all(parts.map((part) => part.close()));
    throw error;
  }

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
    header,
    from: places.reduce((least, { member }) => Math.min(least, member.from), Infinity),
    to: places.reduce((most, { member }) => Math.max(most, member.to), -Infinity),
    events,
    holes: holesIn(places, Math.max(shortestHoleMs, 3 * header.intervalMs)),
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
      brokenBytes: parts.reduce((all, part) => all + part.brokenBytes(), 0),
    }),
    async close() {
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}

/** From the newest back: what a bomb unfolds to is bounded too. */
async function eventsIn(places: readonly Place[]): Promise<Recording['events']> {
  const newest = places.filter(({ member }) => member.event).slice(-limits.eventMembers.value);
  const decoder = createDecoder();
  const found: (EventSample | MarkSample)[] = [];
  let room: number = limits.eventText.value;
  for (const place of newest.reverse()) {
    const lines = (await linesOf(place)).toReversed();
    for (const line of lines) {
      room -= line.length + 1;
      if (!/^\{"kind":"(?:event|mark)"/.test(line)) continue;
      const sample = decoder.decode(line);
      if (sample?.kind === 'event' || sample?.kind === 'mark') found.push(sample);
    }
    if (room < 0 || found.length > limits.events.value) break;
  }
  return found.slice(0, limits.events.value).reverse();
}

async function linesOf({ part, member }: Place): Promise<readonly string[]> {
  return (await part.lines(member)) ?? [];
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

import type { FileKind, InputFile, Span } from './files.ts';
import { ImportFault } from './fault.ts';

/** A file and where its times lie. */
export interface Timed {
  readonly file: InputFile;
  readonly span: Span;
}

/** How files come on one axis. */
export interface Axis {
  /** Files without times, which were laid beside another: where they begin may be known better. */
  readonly beside: ReadonlyMap<InputFile, string>;
  /** Milliseconds from a file's own times to ours, by its place in the list. */
  readonly shifts: readonly number[];
  /** The host's zone, minutes east of UTC. */
  readonly utcOffsetMinutes: number;
  /** What was taken for granted, one sentence each. */
  readonly assumed: readonly string[];
}

interface Init {
  readonly files: readonly Timed[];
  /** As the user says. */
  readonly utcOffsetMinutes?: number;
  /** The first day, as though it were UTC. */
  readonly date?: number;
  /** This machine's zone at a time. */
  readonly zoneHere: (time: number) => number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Commands that are started together begin within this time of one another. */
const togetherMs = 30_000;
/** A file that is written line by line was changed last this soon after its last line. */
const writtenMs = 5000;
/** Zones that are no whole hours, in hours east of UTC. */
const oddZones: readonly number[] = [-9.5, -3.5, -2.5, 3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, 10.5, 12.75, 13.75];
const zones: readonly number[] = [...Array.from({ length: 27 }, (_, i) => i - 12), ...oddZones].map(
  (hours) => hours * 60,
);

/**
 * Lays files of one host on one axis. Epochs are sure. A wall clock lacks its zone, a time of day its date too, and what has no times at
 * all begins with the others.
 */
export function placeFiles({ files, utcOffsetMinutes: told, date, zoneHere }: Init): Axis {
  const assumed: string[] = [];
  const beside = new Map<InputFile, string>();
  const zone = told ?? guessZone(files, zoneHere, assumed);
  const shifts: (number | undefined)[] = files.map(({ span }) =>
    span.clock === 'epoch' ? 0 : span.clock === 'wall' ? -zone * minuteMs : undefined,
  );
  const starts = () => files.flatMap(({ span }, i) => (shifts[i] === undefined ? [] : [span.from + shifts[i]]));
  const place = (clock: Span['clock'], shift: (timed: Timed) => number) => {
    files.forEach((timed, i) => {
      if (timed.span.clock === clock) shifts[i] ??= shift(timed);
    });
  };

  let isByChange = false;
  const byDate = files.filter(({ span }) => span.clock === 'day');
  place('day', ({ file, span }) => {
    const near = starts().toSorted((a, b) => a - b)[0];
    if (date !== undefined) return date - zone * minuteMs;
    if (near !== undefined) return Math.round((near + zone * minuteMs - span.from) / dayMs) * dayMs - zone * minuteMs;
    const writtenAt = needTime(file) + zone * minuteMs;
    const day = Math.floor((writtenAt + writtenMs - span.to) / dayMs) * dayMs;
    isByChange = true;
    assumed.push(`The date of ${file.name} is that on which it was last changed (else give --date)`);
    return day - zone * minuteMs;
  });
  if (byDate.length > 0 && date === undefined && !isByChange)
    assumed.push(
      `${list(byDate)} ${byDate.length > 1 ? 'tell' : 'tells'} the time without the date: the day nearest to the other files`,
    );

  const sources = files.filter((_, i) => shifts[i] !== undefined);
  const begin = beginOf(files, shifts);
  place('rounds', ({ file, span }) => {
    if (begin !== undefined) {
      beside.set(file, begin.name);
      return begin.at;
    }
    if (sources.length === 0) assumed.push(`${file.name} has no times: it ends when the file was last changed`);
    return needTime(file) - span.to;
  });
  return { shifts: shifts.map((shift) => shift ?? 0), utcOffsetMinutes: zone, assumed, beside };
}

/** Which files are likeliest to have been started together with one that has no times. */
const companions: readonly FileKind[] = ['nvidia-smi', 'dmon', 'stat', 'top', 'pidstat'];

function beginOf(files: readonly Timed[], shifts: readonly (number | undefined)[]) {
  for (const kind of companions) {
    for (const [i, { file, span }] of files.entries()) {
      const shift = shifts[i];
      if (file.kind === kind && shift !== undefined) return { name: file.name, at: span.from + shift };
    }
  }
  return undefined;
}

/** The zone of the host: from an epoch beside a wall clock, from when a file was written, else this machine's. */
function guessZone(files: readonly Timed[], zoneHere: Init['zoneHere'], assumed: string[]): number {
  const local = files.filter(
    ({ file, span }) => file.kind !== 'log' && (span.clock === 'wall' || span.clock === 'day'),
  );
  const epochs = files.filter(({ span }) => span.clock === 'epoch');
  for (const here of local) {
    for (const there of epochs) {
      const zone = zoneBetween(here.span, { from: there.span.from, clock: here.span.clock }, togetherMs);
      if (zone !== undefined) return zone;
    }
  }
  const needing = files.filter(({ span }) => span.clock === 'wall' || span.clock === 'day');
  const [first] = needing;
  if (!first) return zoneHere(files[0]?.span.clock === 'epoch' ? files[0].span.from : (files[0]?.file.modifiedAt ?? 0));
  for (const { file, span } of local) {
    if (epochs.length > 0 || file.modifiedAt === undefined) continue;
    const zone = zoneBetween({ ...span, from: span.to }, { from: file.modifiedAt, clock: span.clock }, writtenMs);
    if (zone === undefined) continue;
    assumed.push(
      `The host's time zone is ${zoneText(zone)}: by that ${file.name} was last changed at its last line (else give --utc-offset)`,
    );
    return zone;
  }
  const [epoch] = epochs;
  const fits = (zone: number) =>
    !epoch || needing.every(({ span }) => span.clock === 'day' || overlap(span, epoch.span, zone));
  const at = epoch?.span.from ?? (first.span.clock === 'wall' ? first.span.from : (first.file.modifiedAt ?? 0));
  const candidates = [zoneHere(at), 0, ...zones.toSorted((a, b) => Math.abs(a) - Math.abs(b))];
  const zone = candidates.find(fits) ?? zoneHere(at);
  assumed.push(
    zone === zoneHere(at)
      ? `No file tells the host's time zone: it is taken to be this machine's, ${zoneText(zone)} (else give --utc-offset)`
      : `The host's time zone is taken to be ${zoneText(zone)}, by which ${first.file.name} lies beside ${epoch?.file.name ?? 'the others'} (else give --utc-offset)`,
  );
  return zone;
}

/** The zone that makes both begin within `tolerance`; undefined when none does. */
function zoneBetween(
  wall: Span,
  utc: { readonly from: number; readonly clock: Span['clock'] },
  tolerance: number,
): number | undefined {
  let difference = wall.from - utc.from;
  // Of a time of day only the rest of a day is known.
  if (utc.clock === 'day') difference -= Math.floor((difference + dayMs / 2) / dayMs) * dayMs;
  return zones.find((zone) => Math.abs(difference - zone * minuteMs) <= tolerance);
}

function overlap(wall: Span, epoch: Span, zone: number): boolean {
  const shift = -zone * minuteMs;
  return wall.from + shift <= epoch.to && wall.to + shift >= epoch.from;
}

function needTime({ name, modifiedAt }: InputFile): number {
  if (modifiedAt === undefined)
    throw new ImportFault(`Nothing tells the date of ${name}: give it with --date YYYY-MM-DD.`);
  return modifiedAt;
}

function list(files: readonly Timed[]): string {
  const names = files.map(({ file }) => file.name);
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `UTC+05:30`. */
export function zoneText(minutes: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return minutes === 0 ? 'UTC' : `UTC${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

import type { ReaderOptions } from '../collectors/log/reader.ts';
import type { Sample } from '../model/samples.ts';
import { alignRounds } from './align.ts';
import { placeFiles } from './axis.ts';
import type { FileReport, InputFile } from './files.ts';
import { ImportFault } from './fault.ts';
import { mergeSamples } from './merge.ts';
import { reportsOf } from './report.ts';
import type { StacksSurvey } from './stacks-read.ts';
import { planStreams } from './streams.ts';
import { spansOf, surveyFiles, type Surveyed } from './survey.ts';

/** What to make of which files. */
export interface ImportInit {
  /** What the host is called. */
  readonly host: string;
  readonly files: readonly InputFile[];
  /** The run's processes, where the user names them. */
  readonly pids: readonly number[];
  /** The columns of --nvidia-smi, where it has no header. */
  readonly fields?: readonly string[];
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes?: number;
  /** The first day, epoch ms of its beginning in UTC. */
  readonly date?: number;
  /** Between the rounds of a file without times. */
  readonly stepMs: number;
  /** How logs are read. */
  readonly reading?: ReaderOptions;
  /** This machine's zone at a time, minutes east of UTC. */
  readonly zoneHere: (time: number) => number;
  /** Ends the reading, which rejects then. */
  readonly signal?: AbortSignal;
}

/** Saved output, ready to be read as Samples. */
export interface Import {
  readonly from: number;
  readonly to: number;
  readonly utcOffsetMinutes: number;
  readonly hostname?: string;
  /** What was taken for granted, one sentence each. */
  readonly assumed: readonly string[];
  /** In order of `receivedAt`. Can be asked for once. */
  samples(): AsyncGenerator<Sample>;
  /** What became of each file: whole once all Samples were taken. */
  reports(): readonly FileReport[];
}

/** Where everything lies on the axis of the recording, epoch ms. */
export interface Placed {
  readonly surveyed: Surveyed;
  readonly from: number;
  readonly to: number;
  readonly utcOffsetMinutes: number;
  /** From the times of a file to ours. */
  shift(file: InputFile): number;
}

/** Reads all files once and lays them on one axis. Rejects with an ImportFault. */
export async function openImport(init: ImportInit): Promise<Import> {
  const surveyed = await surveyFiles(init);
  const spans = spansOf(surveyed);
  const axis = placeFiles({ ...init, files: spans });
  const shifts = new Map(spans.map(({ file }, i) => [file, axis.shifts[i] ?? 0]));
  const moved = alignByPower(surveyed, shifts);
  const assumed = [...axis.assumed, ...[...axis.beside].map(([file, other]) => besideText({ file, other, moved }))];
  const extent = extentOf(surveyed, { shifts, utcOffsetMinutes: axis.utcOffsetMinutes });
  const placed: Placed = {
    surveyed,
    ...extent,
    utcOffsetMinutes: axis.utcOffsetMinutes,
    shift: (file) => shifts.get(file) ?? 0,
  };
  const { streams, uses } = planStreams(init, placed);
  const hostname = surveyed.pidstat?.survey.hostname;
  return {
    ...extent,
    utcOffsetMinutes: axis.utcOffsetMinutes,
    ...(hostname !== undefined && { hostname }),
    assumed,
    samples: () => mergeSamples(streams),
    reports: () => reportsOf(placed, uses),
  };
}

/** Lays rounds of dmon without times where their power agrees with --nvidia-smi's; gives by how much they moved. */
function alignByPower({ dmon, smi }: Surveyed, shifts: Map<InputFile, number>): number | undefined {
  const readings = smi?.survey.power ?? [];
  if (!dmon || !smi || dmon.survey.span.clock !== 'rounds' || readings.length === 0) return undefined;
  const start = shifts.get(dmon.file) ?? 0;
  const shift = shifts.get(smi.file) ?? 0;
  const at = alignRounds({
    rounds: dmon.survey.power,
    stepMs: dmon.survey.stepMs,
    start,
    readings: readings.map((reading) => ({ ...reading, time: reading.time + shift })),
  });
  if (at === undefined) return undefined;
  shifts.set(dmon.file, at);
  return at - start;
}

interface Beside {
  readonly file: InputFile;
  readonly other: string;
  readonly moved: number | undefined;
}

function besideText({ file, other, moved }: Beside): string {
  const rounds = `${file.name} has no times: its rounds`;
  if (moved === undefined || file.kind !== 'dmon') return `${rounds} begin with ${other}`;
  const seconds = Math.abs(moved / 1000).toFixed(2);
  return `${rounds} begin ${seconds} s ${moved > 0 ? 'after' : 'before'} ${other}, where the power in both is the same`;
}

interface Extent {
  readonly shifts: ReadonlyMap<InputFile, number>;
  readonly utcOffsetMinutes: number;
}

/** From the first value to the last. A log reaches beyond the others' end, but not before their begin: it stood in its file by then. */
function extentOf(
  surveyed: Surveyed,
  { shifts, utcOffsetMinutes }: Extent,
): { readonly from: number; readonly to: number } {
  const { stacks, logs } = surveyed;
  const wallShift = -utcOffsetMinutes * minuteMs;
  const spans = [
    ...spansOf(surveyed).map(({ file, span }) => {
      const shift = shifts.get(file) ?? 0;
      return { file, from: span.from + shift, to: span.to + shift };
    }),
    ...logs.flatMap(({ file, survey: { others } }) => {
      const last = Math.max(others.epoch ?? -Infinity, (others.wall ?? -Infinity) + wallShift);
      return Number.isFinite(last) ? [{ file, from: last, to: last }] : [];
    }),
  ];
  const written = (file: InputFile, time = NaN) => (Number.isFinite(time) ? [{ file, from: time, to: time }] : []);
  if (spans.length === 0) {
    spans.push(
      ...(stacks ? filesOf(stacks.survey).flatMap(({ modifiedAt }) => written(stacks.file, modifiedAt)) : []),
      ...logs.flatMap(({ file, survey }) => (survey.lines > 0 ? written(file, file.modifiedAt) : [])),
    );
  }
  const others = spans.filter(({ file }) => file.kind !== 'log');
  const first = (others.length > 0 ? others : spans).toSorted((a, b) => a.from - b.from)[0];
  const last = spans.toSorted((a, b) => b.to - a.to)[0];
  if (!first || !last) throw new ImportFault('There is nothing in these files that can be read.');
  const to = Math.max(first.from, last.to);
  if (to - first.from > mostMs) {
    const clock = (time: number) => new Date(time - wallShift).toISOString().slice(0, 19).replace('T', ' ');
    const end = `${last.file === first.file ? 'it' : last.file.name} ends at ${clock(to)}`;
    throw new ImportFault(
      `${first.file.name} begins at ${clock(first.from)}, and ${end}: a recording spans a year at most. Was a clock wrong, or is a part of another run?`,
    );
  }
  return { from: first.from, to };
}

function filesOf({ dumps, records, waits }: StacksSurvey): readonly { readonly modifiedAt: number }[] {
  return [...dumps, ...records, ...waits];
}

const minuteMs = 60_000;
/** Every second of a recording is lived through while it is made, those too in which nothing happens. */
const mostMs = 366 * 24 * 60 * minuteMs;

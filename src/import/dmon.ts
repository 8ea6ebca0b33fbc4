import { meaningOfDmon, readDmonCell, splitDmonLine } from '../collectors/gpu/dmon-columns.ts';
import type { GpusSample } from '../model/samples.ts';
import { mostRounds } from './align.ts';
import type { InputFile, Rejected, Span } from './files.ts';
import { ImportFault } from './fault.ts';
import { createForwards } from './forwards.ts';
import { reject, type LineFile } from './lines.ts';

/** What a first reading of `nvidia-smi dmon` shows. */
export interface DmonSurvey {
  readonly span: Span;
  readonly rounds: number;
  readonly gpuCount: number;
  /** Between two rounds. */
  readonly stepMs: number;
  /** What is not in the recording, and what must be known of it: one sentence each. */
  readonly notes: readonly string[];
  /** The power of each GPU in the first rounds, to lay it beside another file's. */
  readonly power: readonly ReadonlyMap<number, number>[];
}

/** One round of all GPUs. */
interface DmonRound {
  /** As the file tells it: of the wall clock, of the day, or counted in steps; milliseconds. */
  readonly time: number;
  readonly clock: Span['clock'];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly index: number; readonly cells: readonly string[] }[];
}

const dayMs = 86_400_000;

/** Reads the file to its end; `stepMs` is taken where its rows have no times. Throws an ImportFault for one that is no use. */
export async function surveyDmon({ name }: InputFile, lines: LineFile, stepMs: number): Promise<DmonSurvey> {
  let first: DmonRound | undefined;
  let to = 0;
  let rounds = 0;
  let gpuCount = 0;
  const forwards = createForwards();
  const power: ReadonlyMap<number, number>[] = [];
  for await (const round of dmonRounds({ lines, stepMs })) {
    first ??= round;
    to = forwards.place(round.time);
    rounds++;
    gpuCount = Math.max(gpuCount, round.rows.length);
    const at = round.columns.indexOf('pwr');
    if (power.length < mostRounds && at >= 0)
      power.push(
        new Map(
          round.rows.flatMap(({ index, cells }) => (/^\d+$/.test(cells[at] ?? '') ? [[index, Number(cells[at])]] : [])),
        ),
      );
  }
  if (!first)
    throw new ImportFault(`${name} has no rows of nvidia-smi dmon below a header line that begins with # gpu.`);
  const { clock, time: from, columns } = first;
  const step =
    clock === 'rounds' || rounds < 2 ? stepMs : Math.max(1000, Math.round((to - from) / (rounds - 1) / 1000) * 1000);
  const unused = columns.filter((column) => !meaningOfDmon(column) && !heads.has(column));
  return {
    span: { clock, from, to },
    rounds,
    gpuCount,
    stepMs: step,
    notes: [...(unused.length > 0 ? [`nothing is made of ${unused.join(' ')}`] : []), ...forwards.notes()],
    power,
  };
}

interface ReadInit {
  readonly host: string;
  readonly lines: LineFile;
  readonly survey: DmonSurvey;
  readonly shift: number;
  readonly rejected: Rejected;
}

/** The rounds as frames of all GPUs, in order. */
export async function* readDmon({ host, lines, survey, shift, rejected }: ReadInit): AsyncGenerator<GpusSample> {
  const forwards = createForwards();
  for await (const { time, columns, rows } of dmonRounds({ lines, stepMs: survey.stepMs, rejected })) {
    const at = forwards.place(time) + shift;
    const hasCounters = rows.map(() => false);
    const values = columns.flatMap((column, cell) => {
      const meaning = meaningOfDmon(column);
      if (!meaning) return [];
      const read = rows.map(({ cells }) => readDmonCell(cells[cell], meaning.factor));
      if (meaning.isGpm) for (const [row, value] of read.entries()) hasCounters[row] ||= value !== null;
      return [[meaning.name, read] as const];
    });
    yield {
      kind: 'gpus',
      host,
      source: 'gpu',
      time: at,
      receivedAt: at,
      uuid: rows.map(({ index }) => `index:${index}`),
      index: rows.map(({ index }) => index),
      name: rows.map(() => null),
      ...Object.fromEntries(values),
      ...(hasCounters.includes(true) && { countersTime: hasCounters.map((has) => (has ? at : null)) }),
    };
  }
}

/** Columns that say when and which, no value. */
const heads: ReadonlySet<string> = new Set(['gpu', 'Date', 'Time']);

interface RoundsInit {
  readonly lines: LineFile;
  readonly stepMs: number;
  readonly rejected?: Rejected;
}

async function* dmonRounds({ lines: file, stepMs, rejected }: RoundsInit): AsyncGenerator<DmonRound> {
  let columns: readonly string[] = [];
  let rows: { index: number; cells: readonly string[] }[] = [];
  let at = { time: 0, clock: 'rounds' as Span['clock'] };
  let number = 0;
  let rounds = 0;
  let days = 0;
  let before = 0;

  const timeOf = (cells: readonly string[]): typeof at => {
    const date = /^(\d{4})(\d\d)(\d\d)$/.exec(cells[columns.indexOf('Date')] ?? '');
    const time = /^(\d\d):(\d\d):(\d\d)$/.exec(cells[columns.indexOf('Time')] ?? '');
    const inDay = time ? (Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3])) * 1000 : undefined;
    if (inDay === undefined) return { time: rounds * stepMs, clock: 'rounds' };
    if (date) return { time: Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) + inDay, clock: 'wall' };
    if (inDay + days * dayMs < before - dayMs / 2) days++;
    before = inDay + days * dayMs;
    return { time: before, clock: 'day' };
  };

  for await (const lines of file.lines()) {
    for (const { text } of lines) {
      number++;
      const cells = splitDmonLine(text);
      if (cells[0] === '') continue;
      if (cells[0] === '#') {
        if (cells.includes('gpu')) columns = cells.slice(1);
        continue;
      }
      const index = Number(cells[columns.indexOf('gpu')] ?? NaN);
      if (!Number.isInteger(index) || cells.length < columns.length) {
        if (rejected) reject(rejected, number, text);
        continue;
      }
      if (index <= (rows.at(-1)?.index ?? -1)) {
        yield { ...at, columns, rows };
        rounds++;
        rows = [];
      }
      if (rows.length === 0) at = timeOf(cells);
      rows.push({ index, cells });
    }
  }
  if (rows.length > 0) yield { ...at, columns, rows };
}

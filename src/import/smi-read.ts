import { readNumber, readTimestamp } from '../collectors/gpu/cells.ts';
import { createGpuParser } from '../collectors/gpu/parse.ts';
import type { FieldId } from '../collectors/gpu/fields.ts';
import type { GpusSample, Sample } from '../model/samples.ts';
import { safeText } from '../model/text.ts';
import type { PowerReading } from './align.ts';
import type { InputFile, Rejected, Span } from './files.ts';
import { ImportFault } from './fault.ts';
import { createForwards } from './forwards.ts';
import { reject, type LineFile } from './lines.ts';
import { isHeader, layoutOf, recogniseRow, type SmiLayout } from './smi-layout.ts';

/** What a first reading of `nvidia-smi --query-gpu` shows. */
export interface SmiSurvey {
  readonly span: Span;
  readonly layout: SmiLayout;
  readonly rounds: number;
  /** What tells GPUs apart in the file, in the order in which they appear; their indexes where the file has them. */
  readonly gpus: readonly string[];
  /** UUID and name by index, where it has them. */
  readonly identities: ReadonlyMap<number, { readonly uuid: string; readonly name: string | null }>;
  /** The power of each GPU in the first rounds, in the file's own times, to lay another file beside it. */
  readonly power: readonly PowerReading[];
  readonly notes: readonly string[];
}

interface SurveyInit {
  readonly file: InputFile;
  readonly lines: LineFile;
  /** The user's list of fields. */
  readonly fields?: readonly string[];
  /** Between rounds without times. */
  readonly stepMs: number;
}

/** Reads the file to its end. Throws an ImportFault for one that is no use. */
export async function surveySmi({ file, lines, fields, stepMs }: SurveyInit): Promise<SmiSurvey> {
  const gpus = new Map<string, number>();
  let layout: SmiLayout | undefined;
  let rounds = 0;
  let round = new Set<string>();
  let from: number | undefined;
  let to = 0;
  const forwards = createForwards('row');
  let close = 0;
  const identities = new Map<number, { readonly uuid: string; readonly name: string | null }>();
  const power: PowerReading[] = [];
  let sentence = '';
  let others = 0;
  for await (const { cells, isOther } of smiRows(lines)) {
    if (!layout) {
      if (isHeader(cells)) {
        layout = layoutOf(cells);
        continue;
      }
      layout = fields ? layoutOf(fields) : recogniseRow(cells);
      if (!layout && cells.length === 1) sentence ||= cells[0] ?? '';
      if (!layout && cells.length > 1) throw new ImportFault(unknownColumns(file.name, cells));
      if (!layout) continue;
    }
    if (isOther) others++;
    if (isOther || cells.length < layout.width || isHeader(cells)) continue;
    const gpu = gpuOf(cells, layout);
    if (round.has(gpu)) round = new Set();
    if (round.size === 0) rounds++;
    round.add(gpu);
    gpus.set(gpu, gpus.get(gpu) ?? gpus.size);
    const index = Number(cellOf(cells, layout, 'index') ?? gpus.get(gpu));
    const uuid = cellOf(cells, layout, 'uuid');
    if (uuid !== undefined) identities.set(index, { uuid: safeText(uuid), name: nameOf(cells, layout) });
    const time = timeOf(cells, layout);
    if (time === undefined) continue;
    const watts = readNumber(withoutUnit(cellOf(cells, layout, 'powerWatts') ?? ''));
    if (watts !== null && power.length < powerRows) power.push({ time, index, watts });
    from ??= time;
    if (time - to < togetherMs) close++;
    to = forwards.place(time);
  }
  if (!layout || rounds === 0)
    throw new ImportFault(
      `${file.name} has no rows of nvidia-smi --query-gpu${sentence && ` (it says: ${sentence.slice(0, 120)})`}.`,
    );
  // Without times too rows may be a sweep of all GPUs or one a round: nobody knows.
  if (gpus.has(alone) && rounds > 1 && (!layout.hasTimes || close > rounds / 4))
    throw new ImportFault(`${file.name} has no column that tells one GPU from another: ask for index (or uuid) too.`);
  if (layout.hasTimes && from === undefined)
    throw new ImportFault(`${file.name} has no time that can be read in its column timestamp.`);
  return {
    span: layout.hasTimes
      ? { clock: 'wall', from: from ?? 0, to }
      : { clock: 'rounds', from: 0, to: (rounds - 1) * stepMs },
    layout,
    rounds,
    gpus: [...gpus.keys()],
    identities,
    power,
    notes: [
      ...(layout.unused.length > 0 ? [`nothing is made of ${layout.unused.join(', ')}`] : []),
      ...(layout.assumed === undefined
        ? []
        : [`it has no header: its columns are taken to be ${layout.assumed} (else give --nvidia-smi-fields)`]),
      ...(gpus.has(alone) ? ['it has no column index: all rows are taken to be of one GPU'] : []),
      ...(others > 0 ? [`${others} lines below another header, of other columns, are left out`] : []),
      ...forwards.notes(),
    ],
  };
}

/** Rows of one sweep of all GPUs come within this time. */
const togetherMs = 100;
const powerRows = 20_000;
/** What a GPU is called that nothing tells from others. */
const alone = 'the only one';

interface ReadInit {
  readonly host: string;
  readonly lines: LineFile;
  readonly survey: SmiSurvey;
  readonly shift: number;
  readonly stepMs: number;
  readonly rejected: Rejected;
}

/** The frames of all GPUs, in order. */
export async function* readSmi({ host, lines, survey, shift, stepMs, rejected }: ReadInit): AsyncGenerator<GpusSample> {
  const { layout, gpus } = survey;
  const columns = [
    ...layout.columns.filter(({ id }) => id !== 'name'),
    ...layout.columns.filter(({ id }) => id === 'name'),
  ];
  const withIndex = columns.some(({ id }) => id === 'index')
    ? columns
    : [{ id: 'index' as const, name: 'index', at: -1 }, ...columns];
  const parser = createGpuParser(
    { host, facts: { clockOffsetMs: 0, utcOffsetMinutes: -shift / 60_000, nvidia: { gpuCount: gpus.length } } },
    withIndex,
  );
  let rounds = -1;
  let last = -1;
  const forwards = createForwards();
  let latest = 0;
  let before = 0;
  for await (const { cells, number, text, isOther } of smiRows(lines)) {
    if (isOther) continue;
    if (cells.length < layout.width) {
      reject(rejected, number, text);
      continue;
    }
    if (isHeader(cells)) continue;
    const place = gpus.indexOf(gpuOf(cells, layout));
    if (place <= last) rounds++;
    rounds = Math.max(0, rounds);
    last = place;
    const time = timeOf(cells, layout);
    if (layout.hasTimes && time === undefined) {
      reject(rejected, number, text);
      continue;
    }
    latest = forwards.place(time ?? rounds * stepMs) + shift;
    const row = withIndex.map(({ at }) => (at < 0 ? String(place) : withoutUnit(cells[at] ?? ''))).join(', ');
    const samples = parser.push(row, latest, text.length);
    if (parser.rejected > before) reject(rejected, number, text);
    before = parser.rejected;
    yield* framesIn(samples);
  }
  // The file ends in the middle of a round where it was cut, or where a GPU does not answer any more: what there is of it counts.
  yield* framesIn(parser.end(latest));
}

/** The parser tells after a while that no process holds a GPU: of a host that was asked. */
function framesIn(samples: readonly Sample[]): readonly GpusSample[] {
  return samples.filter((sample) => sample.kind === 'gpus');
}

interface SmiRow {
  /** It stands below a header that is not the file's first. */
  readonly isOther: boolean;
  readonly cells: readonly string[];
  readonly number: number;
  readonly text: string;
}

async function* smiRows(file: LineFile): AsyncGenerator<SmiRow> {
  let number = 0;
  let header: string | undefined;
  let isOther = false;
  for await (const lines of file.lines()) {
    for (const { text } of lines) {
      number++;
      if (text.trim() === '') continue;
      const cells = text.split(/, ?/).map((cell) => cell.trim());
      if (isHeader(cells)) {
        header ??= text;
        isOther = text !== header;
      }
      yield { cells, number, text, isOther };
    }
  }
}

/** What the row's GPU is called: one that nothing tells apart is alone. */
function gpuOf(cells: readonly string[], layout: SmiLayout): string {
  const at = layout.columns.find(({ id }) => id === 'index')?.at ?? layout.identityAt;
  return at === undefined ? alone : (cells[at] ?? '');
}

function cellOf(cells: readonly string[], { columns }: SmiLayout, id: FieldId): string | undefined {
  const at = columns.find((column) => column.id === id)?.at;
  return at === undefined ? undefined : cells[at];
}

function nameOf(cells: readonly string[], layout: SmiLayout): string | null {
  const name = cellOf(cells, layout, 'name');
  return name === undefined ? null : safeText(name);
}

/** Milliseconds of the host's wall clock, as though it were UTC. */
function timeOf(cells: readonly string[], layout: SmiLayout): number | undefined {
  return readTimestamp(cellOf(cells, layout, 'timestamp') ?? '', 0) ?? undefined;
}

/** `98 %`, `627.41 W`, `32361 MiB`. */
function withoutUnit(cell: string): string {
  return cell.replace(/^(-?\d+(?:\.\d+)?) (?:%|W|MiB|MHz|C)$/, '$1');
}

function unknownColumns(name: string, cells: readonly string[]): string {
  return `${name} has no header line, and its ${cells.length} columns may be anything (${cells.join(', ').slice(0, 100)}): name them with --nvidia-smi-fields, as they stood behind --query-gpu=.`;
}

import { heardUntil } from '../../model/heard.ts';
import { seriesName } from '../../model/history.ts';
import type { LogField } from '../../model/samples.ts';
import { formatCount, formatDuration, formatSignificant } from '../parts/format.ts';
import type { Line, Tone } from '../parts/line.ts';
import { scaleOf, slotsOf, slotsPerCell, spark, type Slots } from '../parts/spark.ts';
import { drawnAt } from '../use-store.ts';
import { timeline } from '../verdict/timeline.ts';
import type { PanelInput } from './panel.ts';

/** A graph of a value of the log. */
export interface LogGraph {
  readonly field: LogField;
  /** Beside it, where there are rows for that. */
  readonly name: string;
  readonly rows: number;
  readonly width: number;
  readonly tone: Tone;
  readonly fromZero: boolean;
  /** Drawn by the logarithm, where all that is shown is above 0. */
  readonly logarithmic?: boolean;
}

/** Its rows with its bounds, its name and the time it covers: `14.9K ⣀⣀⣤⣶`. */
export function logGraph(input: PanelInput, graph: LogGraph): readonly Line[] {
  const { field, name, rows, width, tone, fromZero } = graph;
  const labelWidth = labelWidthOf(width);
  const room = width - labelWidth;
  if (rows < 1 || room < 4) return [];
  const { values, windowMs } = logSlots(input, field, room * slotsPerCell);
  const known = values.filter((value) => value !== null && Number.isFinite(value));
  const logarithmic = graph.logarithmic === true && known.length > 0 && known.every((value) => (value ?? 0) > 0);
  const scale = known.length === 0 ? undefined : scaleFor(values, fromZero && !logarithmic);
  const by = logarithmic ? Math.log10 : (value: number) => value;
  const drawn = spark({
    values: values.map((value) => (value === null ? null : by(value))),
    rows,
    shape: fromZero ? 'area' : 'line',
    ...(scale && { minimum: by(scale.minimum), maximum: by(scale.maximum) }),
  });
  const format = (value: number | undefined) => (fromZero ? formatCount(value) : formatSignificant(value, 3));
  const labels = new Map<number, string>();
  const offer = (row: number, text: string) => void (row >= 0 && !labels.has(row) && labels.set(row, text));
  offer(0, format(scale?.maximum));
  if (rows > 1) offer(rows - 1, format(scale?.minimum));
  if (rows > 2) offer(rows - 2, formatDuration(windowMs / 1000));
  if (rows > 3) offer(1, name);
  if (rows > 4 && logarithmic) offer(2, 'log');
  return drawn.map((text, row) => [
    { text: (labels.get(row) ?? '').slice(0, labelWidth - 1).padStart(labelWidth - 1) + ' ', tone: 'dim' },
    { text: text.padEnd(room), tone },
  ]);
}

/** Which verdict stood first when, over the same time as the graph of this value that is `graphWidth` cells wide: `verdict compute━━━━input━━━`. */
export function verdictRow(
  input: PanelInput,
  graph: { readonly field: LogField; readonly graphWidth: number; readonly width: number },
): Line {
  const { state } = input;
  const { field, graphWidth, width } = graph;
  const labelWidth = labelWidthOf(width);
  const count = (graphWidth - labelWidthOf(graphWidth)) * slotsPerCell;
  const room = width - labelWidth;
  if (room < 4 || count < 1) return [];
  const windowMs = count * logSlotMs(input, field, count);
  const cellMs = windowMs / room;
  // By whole cells, so that it does not shimmer.
  const to = Math.ceil(drawnAt(state) / cellMs) * cellMs;
  const { line } = timeline({ state, to, windowMs, width: room });
  return [{ text: 'verdict'.slice(0, labelWidth - 1).padStart(labelWidth - 1) + ' ', tone: 'dim' }, ...line];
}

const labelWidthOf = (width: number) => (width < 30 ? 7 : 8);

/** Graphs side by side, `gap` cells apart. */
export function beside(graphs: readonly (readonly Line[])[], gap = 2): readonly Line[] {
  const rows = Math.max(0, ...graphs.map((lines) => lines.length));
  return Array.from({ length: rows }, (_, row) =>
    graphs.flatMap((lines, i) => [...(i === 0 ? [] : [{ text: ' '.repeat(gap) }]), ...(lines[row] ?? [])]),
  );
}

/** What stands still is drawn in the middle: its scale is a tenth around it. */
function scaleFor(values: Slots, fromZero: boolean) {
  const { minimum, maximum } = scaleOf(values, fromZero ? 0 : undefined);
  const flat = !fromZero && values.every((value) => value === null || !Number.isFinite(value) || value === maximum);
  if (!flat) return { minimum, maximum };
  const margin = Math.abs(maximum) / 10 || 1;
  return { minimum: maximum - margin, maximum: maximum + margin };
}

/** A log speaks at its own pace: a value stands until the next, for at most three times the usual pause. */
function logSlots(input: PanelInput, field: LogField, count: number): { values: Slots; windowMs: number } {
  const { history, state } = input;
  const series = history.get(seriesName.log(field));
  const to = drawnAt(state);
  const slotMs = logSlotMs(input, field, count);
  const windowMs = slotMs * count;
  if (!series) return { values: new Array<null>(count).fill(null), windowMs };
  const span = Math.min(windowMs, 600_000);
  // Up to what is drawn: on a screen that is held, what comes meanwhile changes nothing.
  const readings = series.slices(to - span, to, 1)[0]?.count ?? 0;
  const pauseMs = readings === 0 ? slotMs : span / readings;
  const hold = Math.ceil((3 * pauseMs) / slotMs);
  return { values: slotsOf(series, { to, slotMs, count, hold, heldTo: heardUntil(state) }), windowMs };
}

/** The finest slots that show all there is: the graph fills its width from the start, and halves as the run goes on. */
function logSlotMs({ history, state, intervalMs }: PanelInput, field: LogField, count: number): number {
  const series = history.get(seriesName.log(field));
  const to = drawnAt(state);
  const all = series?.summary()?.count ?? 0;
  const factor =
    zooms.find((zoom) => series?.summary(to - zoom * intervalMs * count)?.count === all) ?? zooms.at(-1) ?? 1;
  return factor * intervalMs;
}

const zooms = [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];

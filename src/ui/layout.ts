import type { PanelId } from './panels/panel.ts';

/** A rectangle of the screen, in cells from the upper left corner. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything is. Header, headline, panels and footer fill the screen exactly, without overlap. */
export interface Layout {
  readonly header: Rect;
  /** Of them, the rows that are always there. */
  readonly headerRows: number;
  /** What the run waits for, in one row. */
  readonly headline: Rect;
  /** What rings and was not seen, below the headline. Without that it has no rows. */
  readonly alarm: Rect;
  /** Between headline and tape: the panels, or what lies over them. */
  readonly body: Rect;
  /** Where a recording stands that is played. Without one it has no rows. */
  readonly tape: Rect;
  /** What captures are under way. Without one it has no rows. */
  readonly progress: Rect;
  readonly footer: Rect;
  readonly panels: readonly { readonly id: PanelId; readonly rect: Rect }[];
  /** The panels that have a place of their own when nothing is zoomed, in reading order. */
  readonly fitting: readonly PanelId[];
  /** One panel has the whole body: it was zoomed, or it is focused and has no place of its own. */
  readonly zoomed: PanelId | undefined;
}

/** What the layout depends on. */
export interface LayoutInput {
  readonly columns: number;
  readonly rows: number;
  readonly gpuCount: number;
  /** Lines that say what GPUs of a role do together. */
  readonly gpuLines?: number;
  /** Rows that its queues and stages take. */
  readonly queueCount: number;
  readonly hasLog: boolean;
  readonly focused: PanelId;
  readonly zoomed: PanelId | undefined;
  /** Rows that why the link is down would take below the header. */
  readonly reasonRows?: number;
  /** A recording is played. */
  readonly hasTape?: boolean;
  /** A capture is under way, or was just over. */
  readonly hasProgress?: boolean;
  /** A critical alarm rings that was not seen. */
  readonly hasAlarm?: boolean;
}

/** Below this there is no layout: the screen says that it is too small. */
export const smallest = { columns: 40, rows: 10 } as const;

const headlineRows = 1;

/** Places everything; undefined when the screen is too small. */
export function layout(input: LayoutInput): Layout | undefined {
  const {
    columns,
    rows,
    focused,
    zoomed,
    reasonRows = 0,
    hasTape = false,
    hasProgress = false,
    hasAlarm = false,
  } = input;
  if (columns < smallest.columns || rows < smallest.rows) return undefined;
  const tapeRows = !hasTape ? 0 : rows < 30 ? 1 : 2;
  const progressRows = hasProgress ? 1 : 0;
  const liveRows = rows - tapeRows - progressRows;
  // 80x24 has room for the host's row, three threads and a line of the log, or for the tape instead of the host's row.
  const ownRows = liveRows + progressRows < 24 ? 1 : 2;
  const headerRows = ownRows + Math.min(reasonRows, Math.floor((liveRows - ownRows - 1) / 3));
  // The lowest screens have its badge in the header, and need their rows.
  const alarmRows = hasAlarm && rows >= 12 ? 1 : 0;
  const top = headerRows + headlineRows + alarmRows;
  const body: Rect = { left: 0, top, width: columns, height: liveRows - top - 1 };
  const placed = place(body, bands(input, { height: body.height, low: liveRows < 30 }));
  const fitting = placed.map(({ id }) => id);
  const whole = zoomed ?? (fitting.includes(focused) ? undefined : focused);
  return {
    header: { left: 0, top: 0, width: columns, height: headerRows },
    headerRows: ownRows,
    headline: { left: 0, top: headerRows, width: columns, height: headlineRows },
    alarm: { left: 0, top: headerRows + headlineRows, width: columns, height: alarmRows },
    body,
    tape: { left: 0, top: rows - 1 - progressRows - tapeRows, width: columns, height: tapeRows },
    progress: { left: 0, top: rows - 1 - progressRows, width: columns, height: progressRows },
    footer: { left: 0, top: rows - 1, width: columns, height: 1 },
    panels: whole === undefined ? placed : [{ id: whole, rect: body }],
    fitting,
    zoomed: whole,
  };
}

/** A part of a stack: one panel, or parts side by side. Heights are outer ones. */
interface Band {
  /** Below this it is left out. */
  readonly min: number;
  /** What shows all of it. */
  readonly want: number;
  /** Its share of what is left over when all have what they want. */
  readonly grow: number;
  /** The lower, the earlier it gets a place. */
  readonly rank: number;
  readonly content: PanelId | readonly Column[];
}

/** A stack of bands in a part of the width. */
interface Column {
  readonly share: number;
  readonly bands: readonly Band[];
}

function bands(input: LayoutInput, body: { readonly height: number; readonly low: boolean }): readonly Band[] {
  const { columns, rows, gpuCount, gpuLines = 0, hasLog } = input;
  const { height, low } = body;
  const frame = 2;
  // Two GPUs a row where a row is wide enough for two and there is no room for a row each.
  const gpuRow = gpuCount + 1 + frame;
  const gpuPair = Math.ceil(gpuCount / 2) + frame;
  const none = gpuCount === 0;
  // Three rows between the titles and the line of idle ones, from 80x24 on; below that all panels have to give way.
  const threads: Band = { content: 'threads', min: rows < 24 ? 5 : 7, want: 10, grow: 3, rank: 0 };
  const log: Band = hasLog
    ? { content: 'log', min: low ? (height < 21 ? 3 : 4) : 5, want: low ? 4 : 6, grow: 2, rank: 2 }
    : { content: 'log', min: 3, want: 4, grow: 0, rank: 4 };
  const wide = columns >= 110;
  const roomy = wide || height >= 34;
  const gpuWant = none ? 4 : Math.max(4, columns < 76 || roomy ? gpuRow + gpuLines : gpuPair);
  const gpuMin = none ? 3 : Math.min(gpuWant, Math.max(3, columns < 76 ? 3 + Math.ceil(gpuCount / 4) : gpuPair));
  const gpus: Band = { content: 'gpus', min: gpuMin, want: gpuWant, grow: 0, rank: 1 };
  if (columns < 76) return stacked(input, { threads, log, gpus });
  if (!wide || height < 24) return [{ ...gpus }, throughputBesideQueues(input, height), threads, log];
  if (columns < 150 || height < 36) return twoColumns(input, { threads, log, gpus }, height);
  return threeAreas(input, { threads, log, gpus });
}

interface Common {
  readonly threads: Band;
  readonly log: Band;
  readonly gpus: Band;
}

const hostBand: Band = { content: 'host', min: 6, want: 11, grow: 1, rank: 4 };

function throughput(want: number): Band {
  return { content: 'throughput', min: 4, want, grow: 2, rank: 1 };
}

function queues({ queueCount }: LayoutInput, rank = 3): Band {
  return { content: 'queues', min: 4, want: Math.max(4, Math.min(12, queueCount + 3)), grow: 1, rank };
}

/** A pane beside the run: one column, and what does not fit is a digit away. */
function stacked(input: LayoutInput, { threads, log, gpus }: Common): readonly Band[] {
  return [gpus, { ...throughput(5), rank: 3, grow: 0 }, { ...queues(input, 4), grow: 0 }, threads, log];
}

function throughputBesideQueues(input: LayoutInput, height: number): Band {
  const content = [
    { share: 0.5, bands: [throughput(4)] },
    { share: 0.5, bands: [queues(input)] },
  ];
  const want = Math.max(height >= 34 ? 7 : 4, Math.min(8, input.queueCount + 2));
  return { content, min: 4, want, grow: 0, rank: 3 };
}

/** GPUs on the left, throughput over queues on the right; threads and log over the whole width. */
function twoColumns(input: LayoutInput, { threads, log, gpus }: Common, height: number): readonly Band[] {
  const right = [throughput(height >= 30 ? 7 : 6), queues(input)];
  // Few GPUs leave room beside throughput and queues: the host's.
  const left = gpus.want <= 5 ? [gpus, { ...hostBand, min: 5, want: 6 }] : [{ ...gpus, grow: 1 }];
  const content = [
    { share: 0.6, bands: left },
    { share: 0.4, bands: right },
  ];
  // The row of verdicts below the speed is one more.
  const want = Math.max(height >= 30 ? 12 : 11, gpus.want);
  return [{ content, min: Math.max(8, gpus.min), want, grow: 0, rank: 1 }, threads, log];
}

/** Everything: GPUs and threads on the left, throughput, queues and the host on the right, the log below. */
function threeAreas(input: LayoutInput, { threads, log, gpus }: Common): readonly Band[] {
  const right = [throughput(9), { ...queues(input), grow: 0 }, hostBand];
  const content = [
    { share: 0.62, bands: [gpus, threads] },
    { share: 0.38, bands: right },
  ];
  return [
    { content, min: 22, want: 30, grow: 3, rank: 0 },
    { ...log, grow: hasGrowth(log) },
  ];
}

function hasGrowth({ grow }: Band): number {
  return grow > 0 ? 1 : 0;
}

type Placed = { readonly id: PanelId; readonly rect: Rect };

function place(area: Rect, bands: readonly Band[]): readonly Placed[] {
  let top = area.top;
  return heights(bands, area.height).flatMap((height, i) => {
    const band = bands[i];
    if (!band || height === 0) return [];
    const rect = { ...area, top, height };
    top += height;
    const { content } = band;
    return typeof content === 'string' ? [{ id: content, rect }] : sideBySide(rect, content);
  });
}

function sideBySide(area: Rect, columns: readonly Column[]): readonly Placed[] {
  let left = area.left;
  return columns.flatMap(({ share, bands }, i) => {
    const end = i === columns.length - 1 ? area.left + area.width : left + Math.round(area.width * share);
    const rect = { ...area, left, width: end - left };
    left = end;
    return place(rect, bands);
  });
}

/**
 * Heights that add up to `height`: bands get their least by rank while there is room, then what they want from the top, then
 * shares of the rest. A band without room gets 0.
 */
function heights(bands: readonly Band[], height: number): readonly number[] {
  const given = bands.map(() => 0);
  let left = height;
  const byRank = bands.map((band, i) => ({ band, i })).sort((a, b) => a.band.rank - b.band.rank || a.i - b.i);
  const kept: typeof byRank = [];
  for (const entry of byRank) {
    if (entry.band.min > left) continue;
    given[entry.i] = entry.band.min;
    left -= entry.band.min;
    kept.push(entry);
  }
  // The only one there is takes all, however little that is.
  if (kept.length === 0 && byRank[0]) kept.push(byRank[0]);
  for (const { band, i } of kept) {
    const more = Math.min(left, Math.max(0, band.want - (given[i] ?? 0)));
    given[i] = (given[i] ?? 0) + more;
    left -= more;
  }
  const growing = kept.some(({ band }) => band.grow > 0) ? kept.filter(({ band }) => band.grow > 0) : kept.slice(0, 1);
  let weight = growing.reduce((sum, { band }) => sum + Math.max(1, band.grow), 0);
  for (const { band, i } of growing) {
    const more = Math.round((left * Math.max(1, band.grow)) / weight);
    given[i] = (given[i] ?? 0) + more;
    left -= more;
    weight -= Math.max(1, band.grow);
  }
  return given;
}

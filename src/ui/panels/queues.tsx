import { heardUntil } from '../../model/heard.ts';
import { seriesName } from '../../model/history.ts';
import type { QueueState } from '../../model/queue-capacity.ts';
import type { Series } from '../../model/series.ts';
import type { State } from '../../model/store.ts';
import type { ThroughputState } from '../../model/throughput.ts';
import { bar } from '../parts/bar.ts';
import { formatCount, formatPercent } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { logAge } from '../parts/log-age.ts';
import { dotted, rightCell } from '../parts/meter.ts';
import { slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import { headerLine, placeColumns, rowLine, type Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';

/** Each queue's depth of its capacity with its trend, then the stages' times where there is room. */
export function queueLines(input: PanelInput): PanelBody {
  const { state, width, height } = input;
  const queues = Object.values(state.throughput.queues);
  const stages = Object.values(state.throughput.stages);
  if (width < 1 || height < 1) return { lines: [] };
  const age = queuesAge(state);
  const note = noteOf(queues.length, stages.length, age);
  if (queues.length + stages.length === 0)
    return { lines: [[{ text: fitText('no queues in the log', width), tone: 'dim' }]], note };
  const placed = placeColumns(queueColumns(input), width);
  const rows = queues.map((queue) => rowLine(placed, queue, { width }));
  const times = stageLines(stages, width);
  // Titles only where no row has to go for them.
  const titled = queues.length > 0 && queues.length + 1 <= height ? [headerLine(placed, width)] : [];
  const left = height - titled.length - rows.length;
  return {
    lines: [...titled, ...rows, ...(left > 1 || queues.length === 0 ? times : [])].slice(0, height),
    note,
    dimmed: age !== undefined,
  };
}

function queuesAge(state: State): string | undefined {
  return logAge(state, state.throughput.queuesPace);
}

/** The queues' panel. */
export const queuesPanel: Panel = {
  id: 'queues',
  digit: '3',
  title: 'Queues',
  Component: panelComponent({
    title: 'Queues',
    digit: '3',
    slices: ['throughput'],
    sources: ['log'],
    body: queueLines,
    also: queuesAge,
    hasData: ({ logs }) => logs.size > 0,
  }),
};

function queueColumns({ history, state, intervalMs }: PanelInput): readonly Column<QueueState>[] {
  const seriesOf = ({ name }: QueueState) => history.get(seriesName.queue(name));
  const to = drawnAt(state);
  const graph = (queue: QueueState, width: number): Segment => {
    const values = slotsOf(seriesOf(queue), {
      ...{ to, slotMs: intervalMs, count: width * slotsPerCell },
      ...{ hold: holdSlots, heldTo: heardUntil(state) },
    });
    const top = queue.capacity ?? Math.max(1, ...values.map((value) => value ?? 0));
    return { text: spark({ values, rows: 1, minimum: 0, maximum: top })[0] ?? '', tone: 'series5' };
  };
  const arrow = (queue: QueueState): Segment => {
    const recent = mean(slotsOf(seriesOf(queue), { to, slotMs: 1000, count: 15 }));
    const before = mean(slotsOf(seriesOf(queue), { to: to - 15_000, slotMs: 1000, count: 45 }));
    if (recent === undefined || before === undefined) return { text: ' ' };
    const step = Math.max(0.5, 0.05 * (queue.capacity ?? Math.max(recent, before)));
    return { text: recent - before > step ? '↑' : before - recent > step ? '↓' : '→', tone: 'dim' };
  };
  return [
    { title: 'QUEUE', width: 6, maxWidth: 20, priority: 0, cell: ({ name }, w) => ({ text: fitText(name, w) }) },
    {
      title: 'DEPTH',
      width: 6,
      maxWidth: 24,
      priority: 3,
      cell: (q, w) => bar([{ share: shareOf(q) ?? shareOfHighest(q, seriesOf(q)), tone: toneOf(q) }], w),
    },
    { title: 'OF', width: 7, align: 'right', priority: 0, cell: (q, w) => rightCell(depthText(q), w) },
    { title: 'RANGE', width: 7, align: 'right', priority: 4, cell: (q, w) => rightCell(rangeText(q), w) },
    { title: 'HISTORY', width: 8, maxWidth: 60, priority: 5, cell: graph },
    { title: '', width: 1, priority: 2, cell: arrow },
    { title: '', width: 10, priority: 1, cell: (q, w) => ({ text: fitText(wordOf(q), w), tone: toneOf(q) }) },
  ];
}

/** A log that prints every so often: a depth stands for half a minute. */
const holdSlots = 30;

function depthOf({ depth, low, high }: QueueState): number | undefined {
  return depth ?? (low !== undefined && high !== undefined ? (low + high) / 2 : (low ?? high));
}

function shareOf(queue: QueueState): number | undefined {
  const depth = depthOf(queue);
  return depth === undefined || !queue.capacity ? undefined : depth / queue.capacity;
}

/** Without a capacity the highest depth that was seen stands for it: the bar tells a trend, and no words are made of it. */
function shareOfHighest(queue: QueueState, series: Series | undefined): number | undefined {
  const depth = depthOf(queue);
  if (depth === undefined || queue.capacity !== undefined) return undefined;
  const highest = Math.max(series?.summary()?.maximum ?? 0, queue.high ?? 0, depth);
  return highest > 0 ? depth / highest : 0;
}

/** `7/16`, `7/?`; the middle of a range as `~46/60`. */
function depthText(queue: QueueState): string {
  const { depth, low, high, capacity } = queue;
  const about = depth === undefined && low !== high ? '~' : '';
  const shown = about + formatCount(about === '' ? depthOf(queue) : Math.round(depthOf(queue) ?? 0));
  return `${shown}/${capacity === undefined ? '?' : formatCount(capacity)}`;
}

function rangeText({ low, high, learned }: QueueState): string {
  if (learned || low === undefined || high === undefined) return '';
  return `${formatCount(low)}-${formatCount(high)}`;
}

function wordOf(queue: QueueState): string {
  const share = shareOf(queue);
  if (share === undefined) return depthOf(queue) === 0 ? 'empty' : '';
  if (share >= 1) return 'full';
  if (share >= 0.9) return 'near full';
  if (share <= 0) return 'empty';
  return share <= 0.1 ? 'near empty' : '';
}

function toneOf(queue: QueueState): Tone {
  return wordOf(queue) === '' ? 'series5' : 'warn';
}

type Stage = ThroughputState['stages'][string];

function stageLines(stages: readonly Stage[], width: number): readonly Line[] {
  if (stages.length === 0) return [];
  const total = stages.reduce((sum, { averageMs }) => sum + (averageMs ?? 0), 0);
  const share = ({ averageMs }: Stage) => (averageMs === undefined || total === 0 ? undefined : averageMs / total);
  const columns: readonly Column<Stage>[] = [
    { title: 'STAGE', width: 8, maxWidth: 28, priority: 0, cell: ({ name }, w) => ({ text: fitText(name, w) }) },
    {
      title: 'SHARE',
      width: 6,
      maxWidth: 20,
      priority: 2,
      cell: (s, w) => bar([{ share: share(s), tone: 'series7' }], w),
    },
    {
      title: '',
      width: 4,
      align: 'right',
      priority: 3,
      cell: (s, w) => rightCell(formatPercent(percent(share(s))), w),
    },
    { title: 'AVG ms', width: 7, align: 'right', priority: 0, cell: (s, w) => rightCell(formatCount(s.averageMs), w) },
    { title: 'MAX ms', width: 7, align: 'right', priority: 1, cell: (s, w) => rightCell(formatCount(s.maximumMs), w) },
  ];
  const placed = placeColumns(columns, width);
  return [headerLine(placed, width), ...stages.map((stage) => rowLine(placed, stage, { width }))];
}

function noteOf(queues: number, stages: number, age: string | undefined): Line {
  const counts = [queues > 0 && counted(queues, 'queue'), stages > 0 && counted(stages, 'stage')].filter(Boolean);
  return dotted([
    ...(age === undefined ? [] : [{ text: age }]),
    ...(counts.length === 0 ? [] : [{ text: counts.join(' · '), tone: 'dim' } as const]),
  ]);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function percent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : share * 100;
}

function mean(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0) / known.length;
}

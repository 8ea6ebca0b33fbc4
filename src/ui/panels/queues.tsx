import { heardUntil } from '../../model/heard.ts';
import { seriesName } from '../../model/history.ts';
import type { QueueState } from '../../model/queue-capacity.ts';
import { lookAtQueue, type QueueLook } from '../../model/queue-words.ts';
import type { Series } from '../../model/series.ts';
import type { State } from '../../model/store.ts';
import { summariseThroughput } from '../../model/throughput-summary.ts';
import { bar } from '../parts/bar.ts';
import { formatCount, formatSeconds } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { logAge } from '../parts/log-age.ts';
import { dotted, rightCell } from '../parts/meter.ts';
import { slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import { headerLine, placeColumns, rowLine, type Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';
import { queueGraphs } from './queue-graphs.ts';
import { stageLines } from './stages.ts';

/** Each queue's depth of its capacity, its trend and who waits for whom, then the stages' times as far as there is room. */
export function queueLines(input: PanelInput): PanelBody {
  const { state, width, height } = input;
  if (width < 1 || height < 1) return { lines: [] };
  const { queues, stages, stageShareOf } = summariseThroughput(state.throughput, drawnAt(state));
  const age = queuesAge(state);
  const note = noteOf(queues.length, stages.length, age);
  if (queues.length + stages.length === 0)
    return { lines: [[{ text: fitText('no queues in the log', width), tone: 'dim' }]], note };
  const looked = queues.map((queue): LookedQueue => ({ ...queue, look: lookAtQueue(queue) }));
  const placed = placeColumns(queueColumns(input, looked), width);
  const rows = looked.map((queue) => rowLine(placed, queue, { width }));
  // Titles only where no row has to go for them, nor the stages' bar.
  const forStages = Math.min(stages.length, 2);
  const titled = queues.length > 0 && queues.length + 1 + forStages <= height ? [headerLine(placed, width)] : [];
  const left = height - titled.length - rows.length;
  const times = stageLines(input, { stages, of: stageShareOf, height: left });
  const graphs = queueGraphs(input, {
    queues: looked.map((queue) => ({ ...queue, tone: toneOf(queue) })),
    rows: left - times.length,
  });
  return { lines: [...titled, ...rows, ...times, ...graphs].slice(0, height), note, dimmed: age !== undefined };
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

interface LookedQueue extends QueueState {
  readonly look: QueueLook;
}

function queueColumns(
  { history, state, intervalMs, width }: PanelInput,
  all: readonly LookedQueue[],
): readonly Column<LookedQueue>[] {
  const seriesOf = ({ name }: QueueState) => history.get(seriesName.queue(name));
  const to = drawnAt(state);
  const graph = (queue: LookedQueue, cells: number): Segment => {
    const values = slotsOf(seriesOf(queue), {
      ...{ to, slotMs: intervalMs, count: cells * slotsPerCell },
      ...{ hold: holdSlots, heldTo: heardUntil(state) },
    });
    const top = queue.capacity ?? Math.max(1, ...values.map((value) => value ?? 0));
    return { text: spark({ values, rows: 1, minimum: 0, maximum: top })[0] ?? '', tone: toneOf(queue) };
  };
  const waits: readonly Column<LookedQueue>[] = [
    {
      title: 'WAIT',
      width: 6,
      align: 'right',
      priority: 5,
      cell: (q, w) => rightCell(q.waitSeconds === undefined ? '' : formatSeconds(q.waitSeconds), w),
    },
  ];
  return [
    { title: 'QUEUE', width: 6, maxWidth: 20, priority: 0, cell: ({ name }, w) => ({ text: fitText(name, w) }) },
    {
      title: 'DEPTH',
      width: 6,
      maxWidth: 24,
      priority: 2,
      cell: (q, w) => bar([{ share: q.look.share ?? shareOfHighest(q, seriesOf(q)), tone: toneOf(q) }], w),
    },
    { title: 'OF', width: 7, align: 'right', priority: 0, cell: (q, w) => rightCell(depthText(q), w) },
    { title: 'MIN-MAX', width: 7, align: 'right', priority: 4, cell: (q, w) => rightCell(rangeText(q), w) },
    ...(all.some(({ waitSeconds }) => waitSeconds !== undefined) ? waits : []),
    { title: 'HISTORY', width: 8, maxWidth: 60, priority: 6, cell: graph },
    {
      title: '',
      width: 1,
      priority: 3,
      cell: ({ look }) => ({ text: look.trend ? arrows[look.trend] : ' ', tone: 'dim' }),
    },
    {
      title: '',
      width: width >= 100 ? 34 : width >= 68 ? 20 : 13,
      priority: 1,
      cell: (q, w) => ({ text: fitText(wordOf(q, w), w), tone: toneOf(q) }),
    },
  ];
}

const arrows = { rising: '↑', falling: '↓', steady: '→' } as const;

/** A log that prints every so often: a depth stands for half a minute. */
const holdSlots = 30;

/** Without a capacity the highest depth that was seen stands for it: the bar tells a trend, and no words are made of it. */
function shareOfHighest({ look, capacity, high = 0 }: LookedQueue, series: Series | undefined): number | undefined {
  const { depth } = look;
  if (depth === undefined || capacity !== undefined) return undefined;
  const highest = Math.max(series?.summary()?.maximum ?? 0, high, depth);
  return highest > 0 ? depth / highest : 0;
}

/** `7/16`, `7/?`; of a range its middle as `~46/60`, and all of it where nothing is known to set it against: `9-10`. */
function depthText({ depth, low, high, capacity, look }: LookedQueue): string {
  if (capacity === undefined && depth === undefined && low !== undefined && high !== undefined && low !== high)
    return `${formatCount(low)}-${formatCount(high)}`;
  const about = depth === undefined && low !== high ? '~' : '';
  const shown = about + formatCount(about === '' ? look.depth : Math.round(look.depth ?? 0));
  return `${shown}/${capacity === undefined ? '?' : formatCount(capacity)}`;
}

/** Of the newest readings together. */
function rangeText({ look }: LookedQueue): string {
  const { lowest, highest } = look;
  if (lowest === undefined || highest === undefined) return '';
  return lowest === highest ? formatCount(lowest) : `${formatCount(lowest)}-${formatCount(highest)}`;
}

/** `full: producer waits for consumer`, shorter where there is less room; of one moment only what it is. */
function wordOf({ look, capacity }: LookedQueue, width: number): string {
  const { fill, slow } = look;
  if (slow && capacity !== undefined) {
    const state = slow === 'consumer' ? 'full' : 'empty';
    const [waiting, awaited] = slow === 'consumer' ? ['producer', 'consumer'] : ['consumer', 'producer'];
    const words = [`${state}: ${waiting} waits for ${awaited}`, `${state}, ${awaited} slow`, `${awaited} slow`];
    return words.find((text) => text.length <= width) ?? state;
  }
  return fill ?? '';
}

function toneOf({ look, capacity }: LookedQueue): Tone {
  return capacity !== undefined && (look.fill !== undefined || look.slow !== undefined) ? 'warn' : 'series5';
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

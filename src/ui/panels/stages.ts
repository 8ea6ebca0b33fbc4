import { seriesName } from '../../model/history.ts';
import type { ShareOf, StageShare } from '../../model/stage-shares.ts';
import { bar } from '../parts/bar.ts';
import { formatCount, formatDifference, formatPercent } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { rightCell } from '../parts/meter.ts';
import { slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import { clip, flow, headerLine, placeColumns, rowLine, type Column } from '../parts/table.ts';
import { cutText, fitText, plainText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import type { PanelInput } from './panel.ts';

interface Stages {
  readonly stages: readonly StageShare[];
  readonly of: ShareOf;
  /** Rows there are. */
  readonly height: number;
}

/** A row a stage where there are as many, the largest first; else all of them as one bar, with the largest named below it. */
export function stageLines(input: PanelInput, { stages, of, height }: Stages): readonly Line[] {
  if (stages.length === 0 || height < 1) return [];
  const { width } = input;
  // Colours go by name, so that a stage that grows keeps its own.
  const toned = stages.map((stage, i): TonedStage => ({ ...stage, tone: stage.isWhole ? 'dim' : toneOf(i) }));
  const sorted = toned.sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  if (height < Math.min(stages.length + 1, 4)) return strip(sorted, width, height);
  const placed = placeColumns(columns(input, of), width);
  return [headerLine(placed, width), ...sorted.slice(0, height - 1).map((stage) => rowLine(placed, stage, { width }))];
}

interface TonedStage extends StageShare {
  readonly tone: Tone;
}

const tones = ['series7', 'series3', 'series2', 'series4', 'series1', 'series8', 'series5', 'series6'] as const;

function toneOf(i: number): Tone {
  return tones[i % tones.length] ?? 'series7';
}

/** The parts of a step side by side; what they do not come to is the track. */
function strip(stages: readonly TonedStage[], width: number, height: number): readonly Line[] {
  const parts = stages.filter(({ isWhole }) => !isWhole);
  const sum = parts.reduce((all, { share }) => all + (share ?? 0), 0);
  const cells = parts.map(({ share, tone }, i): Segment => ({
    // Neighbours differ in height too: colours are not all.
    text: (i % 2 === 0 ? '▇' : '▄').repeat(Math.round(((share ?? 0) / Math.max(1, sum)) * width)),
    tone,
  }));
  const filled = cells.reduce((all, { text }) => all + text.length, 0);
  const line = clip([...cells, { text: '·'.repeat(Math.max(0, width - filled)), tone: 'dim' }], width);
  const names = shortNames(parts.map(({ name }) => name));
  const legend = parts.map(({ share, tone, change }, i): Line => {
    const news = newsTone(change);
    const arrow = news === undefined ? '' : (change ?? 0) > 0 ? '↑' : '↓';
    return [
      { text: `${cutText(plainText(names[i] ?? ''), 20)} `, tone },
      { text: formatPercent(percent(share)) + arrow, ...(news && { tone: news }) },
    ];
  });
  return height === 1 ? [flow(legend, width)] : [line, flow(legend, width)];
}

/** `timing_s/gen` is `gen`, where no two are the same then. */
function shortNames(names: readonly string[]): readonly string[] {
  const short = names.map((name) => name.split(/[./:]/).findLast((part) => part !== '') ?? name);
  return short.map((name, i) => (short.filter((other) => other === name).length === 1 ? name : (names[i] ?? name)));
}

/** Worth a colour: times of a print jump by a few percent. */
function newsTone(change: number | undefined): Tone | undefined {
  if (change === undefined || Math.abs(change) < 0.25) return undefined;
  return change > 0 ? 'warn' : 'ok';
}

function columns({ history, state, intervalMs }: PanelInput, of: ShareOf): readonly Column<TonedStage>[] {
  const to = drawnAt(state);
  const graph = ({ name, tone }: TonedStage, width: number): Segment => {
    const values = slotsOf(history.get(seriesName.stage(name)), {
      to,
      slotMs: 2 * intervalMs,
      count: width * slotsPerCell,
      hold: 30,
    });
    return { text: spark({ values, rows: 1, minimum: 0, shape: 'line' })[0] ?? '', tone };
  };
  return [
    { title: 'STAGE', width: 14, maxWidth: 24, priority: 0, cell: ({ name }, w) => ({ text: fitText(name, w) }) },
    {
      title: of === 'step' ? 'OF THE STEP' : 'SHARE',
      width: 6,
      maxWidth: 20,
      priority: 2,
      cell: (s, w) => bar([{ share: s.share, tone: s.tone }], w),
    },
    {
      title: '',
      width: 4,
      align: 'right',
      priority: 3,
      cell: (s, w) => rightCell(s.share === undefined ? '' : formatPercent(percent(s.share)), w),
    },
    { title: 'AVG ms', width: 6, align: 'right', priority: 0, cell: (s, w) => rightCell(formatCount(s.averageMs), w) },
    { title: 'MAX ms', width: 6, align: 'right', priority: 1, cell: (s, w) => rightCell(formatCount(s.maximumMs), w) },
    {
      title: 'CHANGE',
      width: 6,
      align: 'right',
      priority: 4,
      cell: (s, w) =>
        rightCell(s.change === undefined ? '' : formatDifference(s.change), w, newsTone(s.change) ?? 'dim'),
    },
    { title: 'HISTORY', width: 8, maxWidth: 40, priority: 5, cell: graph },
  ];
}

function percent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : share * 100;
}

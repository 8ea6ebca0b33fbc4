import type { LogField } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import { summariseThroughput, type ThroughputSummary } from '../../model/throughput-summary.ts';
import type { Line, Segment } from '../parts/line.ts';
import { logAge } from '../parts/log-age.ts';
import { dotted } from '../parts/meter.ts';
import { drawnAt } from '../use-store.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';
import { beside, logGraph, verdictRow, type LogGraph } from './throughput-graphs.ts';
import { lossLine, moreLine, speedLine, stepLine } from './throughput-parts.ts';

/** Speed, progress and loss as the logs say them; their histories take the rows that are left. */
export function throughputLines(input: PanelInput): PanelBody {
  const { state, width, height } = input;
  if (width < 1 || height < 1) return { lines: [] };
  const summary = summariseThroughput(state.throughput, drawnAt(state), state.settings);
  const more = height >= 8 ? moreLine(summary, width) : [];
  const speed = [speedLine(summary, width, height < 3), ...(more.length > 0 ? [more] : [])];
  const step = stepLine(summary, width);
  const loss = lossLine(summary, width);
  const free = Math.max(0, height - speed.length - 2);
  // One row of a graph stays.
  const hasVerdicts = free >= 2 && state.verdictSpans.length > 0 && (summary.rate ?? summary.loss) !== undefined;
  const spare = hasVerdicts ? free - 1 : free;
  const isLow = spare <= 2;
  const upright = hasVerdicts ? verdictsLine(input, summary, isLow) : undefined;
  const drawn: Drawn = { summary, spare, speed, step, loss, verdicts: upright ? [upright] : [] };
  const lines = isLow ? low(input, drawn) : high(input, drawn);
  const age = valuesAge(state);
  return {
    lines: lines.slice(0, height),
    note: noteOf(input, summary, age),
    dimmed: age !== undefined,
    ...(upright && { upright }),
  };
}

interface Drawn {
  readonly summary: ThroughputSummary;
  /** Rows for graphs. */
  readonly spare: number;
  readonly speed: readonly Line[];
  readonly step: Line;
  readonly loss: Line;
  /** Which verdict stood first when, below the first graph: a row or none. */
  readonly verdicts: readonly Line[];
}

/** Speed and loss share what little there is. */
function low(input: PanelInput, { summary, spare, speed, step, loss, verdicts }: Drawn): readonly Line[] {
  const both = hasBoth(summary, input.width);
  const width = both ? halfOf(input.width) : input.width;
  const graphs = [
    ...(summary.rate ? [logGraph(input, { ...speedGraph(summary), rows: spare, width })] : []),
    ...(summary.loss && (both || !summary.rate)
      ? [logGraph(input, { ...lossGraph(input), rows: spare, width: input.width - (both ? width + 2 : 0) })]
      : []),
  ];
  return [...speed, ...beside(graphs), ...verdicts, step, loss];
}

/** Each its own, the gradient norm beside the loss. */
function high(input: PanelInput, { summary, spare, speed, step, loss, verdicts }: Drawn): readonly Line[] {
  const { width } = input;
  const speedRows = summary.rate ? (summary.loss ? Math.floor(0.45 * spare) : spare) : 0;
  const lossRows = summary.loss ? spare - speedRows : 0;
  const hasNorm = hasNormBeside(summary, width);
  // Of one width, so that both show the same time.
  const lossWidth = hasNorm ? halfOf(width) : width;
  const graphs = [
    logGraph(input, { ...lossGraph(input), rows: lossRows, width: lossWidth }),
    ...(hasNorm ? [logGraph(input, { ...normGraph(input), rows: lossRows, width: lossWidth })] : []),
  ];
  return [
    ...speed,
    ...logGraph(input, { ...speedGraph(summary), rows: speedRows, width }),
    ...(summary.rate ? verdicts : []),
    step,
    loss,
    ...beside(graphs),
    ...(summary.rate ? [] : verdicts),
  ];
}

/** Graphs side by side are two cells apart. */
const halfOf = (width: number) => Math.floor((width - 2) / 2);
const hasBoth = ({ rate, loss }: ThroughputSummary, width: number) =>
  rate !== undefined && loss !== undefined && width >= 40;
const hasNormBeside = ({ gradNorm }: ThroughputSummary, width: number) => gradNorm !== undefined && width >= 56;

/** Over the time of the graph above it. */
function verdictsLine(input: PanelInput, summary: ThroughputSummary, isLow: boolean): Line {
  const { width } = input;
  const { field } = summary.rate ? speedGraph(summary) : lossGraph(input);
  const isHalf = isLow ? hasBoth(summary, width) : !summary.rate && hasNormBeside(summary, width);
  return verdictRow(input, { field, graphWidth: isHalf ? halfOf(width) : width, width });
}

type Kind = Omit<LogGraph, 'rows' | 'width'>;

const speedFields = {
  tokens: ['tokensPerSecond', 'tok/s'],
  samples: ['samplesPerSecond', 'samp/s'],
  steps: ['iterationsPerSecond', 'steps/s'],
} as const satisfies Readonly<Record<string, readonly [LogField, string]>>;

function speedGraph({ rate }: ThroughputSummary): Kind {
  const [field, name] = speedFields[rate?.unit ?? 'tokens'];
  return { field, name, tone: 'series3', fromZero: true };
}

function lossGraph({ view }: PanelInput): Kind {
  return { field: 'loss', name: 'loss', tone: 'series4', fromZero: false, logarithmic: view.logarithmic === true };
}

function normGraph({ view }: PanelInput): Kind {
  return { field: 'gradNorm', name: 'norm', tone: 'series7', fromZero: false, logarithmic: view.logarithmic === true };
}

function noteOf({ view }: PanelInput, { segment, format }: ThroughputSummary, age: string | undefined): Line {
  const pieces: Segment[] = [];
  if (age !== undefined) pieces.push({ text: age });
  if (view.logarithmic === true) pieces.push({ text: 'log scale', tone: 'focus' });
  if (segment > 0) pieces.push({ text: segment === 1 ? 'restarted' : `restarted ${segment} times`, tone: 'warn' });
  if (format !== undefined) pieces.push({ text: format, tone: 'dim' });
  return dotted(pieces);
}

/** The log may be silent while its source lives: then the figures are those of a while ago. */
function valuesAge(state: State): string | undefined {
  return logAge(state, state.throughput.pace);
}

/** The throughput's panel. */
export const throughputPanel: Panel = {
  id: 'throughput',
  digit: '2',
  title: 'Throughput',
  Component: panelComponent({
    title: 'Throughput',
    digit: '2',
    slices: ['throughput', 'settings', 'verdictSpans'],
    sources: ['log'],
    also: valuesAge,
    body: throughputLines,
    hasData: ({ throughput }) => Object.keys(throughput.latest).length > 0,
  }),
};

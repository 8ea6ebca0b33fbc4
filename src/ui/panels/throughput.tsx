import type { State } from '../../model/store.ts';
import { summariseThroughput } from '../../model/throughput.ts';
import type { Line } from '../parts/line.ts';
import { logAge } from '../parts/log-age.ts';
import { dotted } from '../parts/meter.ts';
import { drawnAt } from '../use-store.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';
import { logGraph, lossLine, speedLine, stepLine } from './throughput-parts.ts';

/** Speed, progress and loss as the logs say them; their histories take the rows that are left. */
export function throughputLines(input: PanelInput): PanelBody {
  const { state, width, height } = input;
  if (width < 1 || height < 1) return { lines: [] };
  const summary = summariseThroughput(state.throughput, drawnAt(state));
  const speed = speedLine(summary, width, height < 3);
  const step = stepLine(summary, width);
  const loss = lossLine(summary, width);
  const spare = Math.max(0, height - 3);
  const lossRows = summary.loss && spare >= 3 ? Math.min(10, Math.floor(spare / 2)) : 0;
  const speedRows = summary.tokensPerSecond ? Math.min(10, spare - lossRows) : 0;
  const lines: Line[] = [
    speed,
    ...logGraph(input, { field: 'tokensPerSecond', rows: speedRows, width, tone: 'series3', fromZero: true }),
    step,
    loss,
    ...logGraph(input, { field: 'loss', rows: lossRows, width, tone: 'series4', fromZero: false }),
  ];
  const age = valuesAge(state);
  const note = dotted([
    ...(age === undefined ? [] : [{ text: age }]),
    ...(summary.format === undefined ? [] : [{ text: summary.format, tone: 'dim' } as const]),
  ]);
  return { lines: lines.slice(0, height), note, dimmed: age !== undefined };
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
    slices: ['throughput'],
    sources: ['log'],
    also: valuesAge,
    body: throughputLines,
    hasData: ({ throughput }) => Object.keys(throughput.latest).length > 0,
  }),
};

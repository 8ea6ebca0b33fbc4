import type { Chart, Charts, Curve, Mark, Tone } from './document.ts';
import type { ReportData } from './data.ts';
import type { Series, Slots } from './slots.ts';

/** Names come from the log. */
const mostQueues = 12;
const mostMarks = 400;

/** The curves of a report, all on one axis. */
export function chartsOf(data: ReportData, zoneMinutes: number): Charts {
  const { slots, gpus } = data;
  const { series, from, slotMs, count } = slots;
  const ofGpus = (field: string, scale = 1): Curve[] =>
    gpus.flatMap(({ uuid, index }) => curve(`GPU ${index}`, series.get(`gpu/${uuid}/${field}`), scale, false) ?? []);
  const charts: (Chart | undefined)[] = [
    paceChart(data),
    chart('loss', 'Loss', '', [
      curve('loss', series.get('log/loss')),
      curve('validation', series.get('log/validationLoss'), 1, false),
    ]),
    chart('utilization', 'GPU utilization', '%', ofGpus('utilization'), { range: [-3, 104] }),
    chart('power', 'GPU power', 'W', ofGpus('power')),
    chart('temperature', 'GPU temperature', '°C', ofGpus('temperature')),
    chart('memory', 'GPU memory', 'GiB', ofGpus('memory', 2 ** -30)),
    chart(
      'queues',
      'Queues',
      'entries',
      data.queues.slice(0, mostQueues).map((name) => curve(name.slice('queue/'.length), series.get(name), 1, false)),
    ),
    chart('host', 'Host', '%', [
      curve('CPU busy', series.get('host/busy'), 1, false),
      curve('waiting for disks', series.get('host/ioWait'), 1, false),
    ]),
  ];
  return {
    times: Array.from({ length: count }, (_, i) => (from + (i + 0.5) * slotMs) / 1000),
    zoneMinutes,
    charts: charts.flatMap((each) => each ?? []).map(withScale),
    marks: marksOf(data),
  };
}

function paceChart({ pace, slots }: ReportData): Chart | undefined {
  if (!pace) return undefined;
  const factor = factorOf(slots, pace);
  return chart('pace', `${pace.unit[0]?.toUpperCase()}${pace.unit.slice(1)} a second`, `${pace.unit}/s`, [
    curve(pace.unit, slots.series.get(pace.name), factor),
  ]);
}

function factorOf({ series }: Slots, { name, rates }: NonNullable<ReportData['pace']>): number {
  const told = series.get(name)?.mean;
  const i = told?.findIndex((value, n) => Number.isFinite(value) && value !== 0 && Number.isFinite(rates[n])) ?? -1;
  return i < 0 ? 1 : Math.round((rates[i] ?? 1) / (told?.[i] ?? 1));
}

function chart(
  name: string,
  title: string,
  unit: string,
  curves: readonly (Curve | undefined)[],
  more: Pick<Chart, 'range'> = {},
): Chart | undefined {
  const known = curves.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : { name, title, unit, curves: known, ...more };
}

/** A loss that fell by a factor is read on a logarithm. */
function withScale(made: Chart): Chart {
  if (made.name !== 'loss') return made;
  const values = made.curves.flatMap((each) => [...each.values, ...(each.low ?? [])]).filter((value) => value !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && high / low > 8 ? { ...made, log: true } : made;
}

function curve(label: string, series: Series | undefined, scale = 1, withBand = true): Curve | undefined {
  if (!series) return undefined;
  const values = cells(series.mean, scale);
  if (values.every((value) => value === null)) return undefined;
  const isThin = series.counts.every((n) => n <= 1);
  if (!withBand || isThin) return { label, values };
  return { label, values, low: cells(series.low, scale), high: cells(series.high, scale) };
}

function cells(row: Float64Array, scale: number): readonly (number | null)[] {
  return Array.from(row, (value) => (Number.isFinite(value) ? Number((value * scale).toPrecision(5)) : null));
}

const bad = /ended|lost|failed|error|finite|memory|timeout|cancelled|exit|kill|spike|rebooted/;

function marksOf({ events, alarms }: ReportData): readonly Mark[] {
  const happened = events.map((each): Mark => {
    const kind = each.kind === 'mark' ? 'mark' : each.event;
    const tone: Tone = each.kind === 'mark' ? 'unsure' : bad.test(each.event) ? 'bad' : 'pause';
    return { at: each.time / 1000, label: `${kind}: ${each.text}`.slice(0, 160), tone };
  });
  const rang = alarms.map(({ rungAt, alarm, text }): Mark => ({
    at: rungAt / 1000,
    label: `alarm ${alarm}: ${text}`.slice(0, 160),
    tone: 'bad',
  }));
  const all = [...happened, ...rang].sort((a, b) => a.at - b.at);
  // Of a log that is full of errors the weightier ones are drawn.
  return all.length <= mostMarks ? all : all.filter(({ tone }) => tone === 'bad').slice(0, mostMarks);
}

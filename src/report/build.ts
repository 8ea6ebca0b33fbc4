import { situationWords } from '../model/diagnosis/words.ts';
import type { Situation } from '../model/situations.ts';
import { chartsOf } from './charts.ts';
import { comparisonOf } from './compare.ts';
import type { ReportData } from './data.ts';
import type { Bar, Block, Document, Figure, Row, Section, StripPart, Tone } from './document.ts';
import { evidenceSection } from './evidence-text.ts';
import type { Cause } from './losses.ts';
import { pauses, standing } from './pace.ts';
import { paragraphOf } from './paragraph.ts';
import { hours, lasting, percent, plain, short, timesIn, whole, difference, type Times } from './words.ts';
import { worstSection } from './worst-text.ts';

/** What a report is made with. */
export interface BuildOptions {
  readonly zoneMinutes: number;
  /** traintop's own. */
  readonly version: string;
  /** Of another recording, to compare with. */
  readonly against?: ReportData;
}

const mostEvents = 200;
const mostTroubles = 60;

/** The report as a document, for a page and for Markdown. */
export function buildReport(data: ReportData, { zoneMinutes, version, against }: BuildOptions): Document {
  const times = timesIn(data, zoneMinutes);
  const charts = chartsOf(data, zoneMinutes);
  const { header, end, run } = data;
  const host = end.facts?.hostname ?? header.hostname ?? header.target;
  const sections = [
    summary(data, times),
    hoursSection(data),
    courseSection(
      data,
      charts.charts.map(({ name }) => name),
    ),
    troubleSection(data, times),
    worstSection(data, times),
    evidenceSection(data, times),
    stagesSection(data),
    eventsSection(data, times),
    ...(against ? [comparisonOf(data, against)] : []),
    missingSection(data, times),
  ];
  return {
    title: run ? `${run.title} on ${host}` : host,
    about: [
      `${times.date(data.from)} to ${times.date(data.to)} ${times.zone}`,
      ...(header.demo ? [`simulated (scenario ${header.demo.scenario})`] : []),
      ...(header.imported ? ['made of saved output'] : []),
      ...(data.from > data.whole.from || data.to < data.whole.to ? ['a part of the recording'] : []),
    ].join(' · '),
    sections: sections.filter((each) => each !== undefined),
    charts,
    foot: `Made by traintop ${version} from ${data.path}, recorded by traintop ${header.traintop}. Times are ${times.zone}. docs/report.md says how each figure is made.`,
  };
}

function summary(data: ReportData, times: Times): Section {
  const { steps, pace, loss, losses, alarms, troubles } = data;
  const figures: Figure[] = [
    ...(steps
      ? [{ label: 'Steps done', value: whole(steps.done), note: `${whole(steps.first)} to ${whole(steps.last)}` }]
      : []),
    ...(pace && pace.unit !== 'steps'
      ? [
          {
            label: `${pace.unit[0]?.toUpperCase()}${pace.unit.slice(1)}`,
            value: short(pace.total),
            note: 'the speed over time',
          },
        ]
      : []),
    ...(pace
      ? [
          {
            label: `Median ${pace.unit}/s`,
            value: short(pace.median),
            note: `${healthyWords(pace.healthyOf)} ${short(pace.healthy)}`,
          },
        ]
      : []),
    ...(steps?.seconds === undefined
      ? []
      : [{ label: 'Step time', value: `${plain(steps.seconds, 3)} s`, note: 'median' }]),
    ...(loss
      ? [
          {
            label: 'Loss',
            value: loss.oddSince === undefined ? plain(loss.last) : 'no number',
            note: `from ${plain(loss.first)}, lowest ${plain(loss.lowest)}${loss.oddSince === undefined ? '' : `, last ${plain(loss.last)}`}`,
          },
        ]
      : []),
    ...(losses
      ? [
          {
            label: 'GPU-hours lost',
            value: hours(losses.lost),
            note: `${percent(losses.total === 0 ? 0 : losses.lost / losses.total)} of ${hours(losses.total)}`,
          },
        ]
      : []),
    {
      label: 'Alarms',
      value: String(alarms.length),
      note: `${troubles.length} ${troubles.length === 1 ? 'trouble' : 'troubles'} in the verdicts`,
    },
  ];
  return {
    id: 'summary',
    title: 'What the run did',
    blocks: [
      { is: 'lead', text: paragraphOf(data, times) },
      { is: 'figures', figures },
    ],
  };
}

function healthyWords(of: 'healthy' | 'fastest' | 'all'): string {
  return { healthy: 'while healthy', fastest: 'the fastest tenth reaches', all: 'of all' }[of];
}

function hoursSection({ losses, gpus, runGpus }: ReportData): Section | undefined {
  if (!losses) return undefined;
  const share = (value: number) => (losses.total === 0 ? 0 : value / losses.total);
  const textOf = (value: number) => `${hours(value)} GPU-hours, ${percent(share(value))}`;
  const bars: Bar[] = [
    { label: 'working', share: share(losses.working), text: textOf(losses.working), tone: 'good' },
    ...losses.causes.map((cause): Bar => ({
      label: cause.scope === '' ? cause.words : `${cause.words} (${cause.scope})`,
      ...{ share: share(cause.hours), text: textOf(cause.hours), tone: causeTone(cause) },
    })),
  ];
  const of =
    gpus.length > runGpus.length
      ? `the ${runGpus.length} GPUs of the run, of ${gpus.length} on the host`
      : `${runGpus.length} GPUs`;
  const how =
    losses.by === 'pace'
      ? 'While nothing moves all of them are lost; while the run is slower than its own healthy median, the share below it; a GPU that does nothing beside others that work, itself.'
      : 'The log told no speed: a GPU is lost while its utilization stays below 5 %, and all are while a verdict says that nothing moves.';
  return {
    id: 'hours',
    title: 'Where the GPU-hours went',
    blocks: [
      { is: 'bars', bars },
      { is: 'note', text: `Of ${of}. ${how}` },
    ],
  };
}

function causeTone({ key }: Cause): Tone {
  if (key === 'idle GPU' || key === 'after the end') return 'bad';
  return key === 'not known' ? 'unsure' : toneOf(key);
}

function toneOf(situation: Situation): Tone {
  if (situation === 'unknown') return 'unsure';
  if (situation === 'compute-bound' || situation === 'bandwidth-bound') return 'good';
  return pauses.has(situation) ? 'pause' : 'bad';
}

function courseSection(data: ReportData, names: readonly string[]): Section {
  const { spans, from, to } = data;
  const parts = spans.map((span): StripPart => ({
    ...{ from: span.from, to: span.until, letter: situationWords[span.situation].letter, tone: toneOf(span.situation) },
    label: `${situationWords[span.situation].name}${span.scope === '' ? '' : ` (${span.scope})`}`,
  }));
  const blocks: Block[] = [
    ...(parts.length > 0 ? [{ is: 'strip', from, to, parts } as const] : []),
    { is: 'charts', names },
  ];
  return { id: 'course', title: 'The course of it', blocks };
}

function troubleSection({ troubles, losses }: ReportData, times: Times): Section | undefined {
  if (troubles.length === 0) return undefined;
  const most = [...troubles].sort((a, b) => b.lost - a.lost || length(b) - length(a)).slice(0, mostTroubles);
  const rows = troubles
    .filter((each) => most.includes(each))
    .map(({ span, lost }): Row => [
      times.exact(span.from),
      lasting(span.until - span.from),
      situationWords[span.situation].name,
      span.scope,
      `${standing.has(span.situation) ? 'nothing moved. ' : ''}${situationWords[span.situation].says}`,
      losses ? hours(lost) : '–',
    ]);
  const left = troubles.length - rows.length;
  return {
    id: 'troubles',
    title: 'What was wrong',
    blocks: [
      { is: 'table', head: ['From', 'For', 'Verdict', 'Of', 'Which means', 'GPU-hours lost'], rows },
      ...(left > 0 ? [{ is: 'note', text: `${left} more that cost less are left out.` } as const] : []),
    ],
  };
}

const length = ({ span }: ReportData['troubles'][number]) => span.until - span.from;

function stagesSection({ stages }: ReportData): Section | undefined {
  if (!stages) return undefined;
  const ms = (value: number | undefined) => (value === undefined ? '–' : `${plain(value, 3)} ms`);
  const rows = stages.rows.map(({ name, before, after }): Row => [
    name,
    ms(before),
    ms(after),
    difference(before, after),
  ]);
  return {
    id: 'stages',
    title: 'Stages before and after',
    blocks: [{ is: 'table', head: ['Stage', stages.before, stages.after, 'Difference'], rows }],
  };
}

function eventsSection({ alarms, events }: ReportData, times: Times): Section | undefined {
  if (alarms.length === 0 && events.length === 0) return undefined;
  const rang = alarms
    .slice(-mostEvents)
    .map(({ rungAt, resolvedAt, severity, alarm, about, text }): Row => [
      times.exact(rungAt),
      resolvedAt === undefined ? 'not resolved' : lasting(resolvedAt - rungAt),
      ...[severity, about === undefined ? alarm : `${alarm} (${about})`, text],
    ]);
  const happened = events
    .slice(-mostEvents)
    .map((each): Row => [times.exact(each.time), each.kind === 'mark' ? 'mark' : each.event, each.text]);
  const left = Math.max(0, events.length - mostEvents);
  return {
    id: 'events',
    title: 'Alarms and events',
    blocks: [
      ...(rang.length > 0
        ? [{ is: 'table', head: ['Rang', 'For', 'Severity', 'Alarm', 'Text'], rows: rang } as const]
        : []),
      ...(happened.length > 0 ? [{ is: 'table', head: ['At', 'Event', 'Text'], rows: happened } as const] : []),
      ...(left > 0
        ? [{ is: 'note', text: `${left} older events are left out; \`traintop export --events\` has all.` } as const]
        : []),
    ],
  };
}

function missingSection({ missing, holes }: ReportData, times: Times): Section | undefined {
  const unseen = holes
    .slice(0, 20)
    .map(
      ({ from, to }) => `Nothing was recorded from ${times.exact(from)} to ${times.exact(to)} (${lasting(to - from)}).`,
    );
  const texts = [...missing, ...unseen];
  if (texts.length === 0) return undefined;
  return { id: 'missing', title: 'What is not known', blocks: texts.map((text) => ({ is: 'text', text })) };
}

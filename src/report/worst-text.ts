import { figureText, signalWords, situationWords, scopeWords } from '../model/diagnosis/words.ts';
import { joinThreads } from '../model/thread-rows.ts';
import { rankText } from '../model/ranges.ts';
import { roleFinder } from '../model/roles/finder.ts';
import type { State } from '../model/state.ts';
import type { ReportData } from './data.ts';
import type { Block, Row, Section } from './document.ts';
import { hours, lasting, percent, plain, short, type Times } from './words.ts';

const mostThreads = 8;
const mostVerdicts = 3;
const mostLines = 12;

/** The window that cost most, and what was known then. */
export function worstSection({ worst, pace }: ReportData, times: Times): Section | undefined {
  if (!worst) return undefined;
  const { from, to, lost, rate, state } = worst;
  const speed =
    pace && rate !== undefined
      ? `, at a mean of ${short(rate)} ${pace.unit}/s (${percent(rate / pace.healthy)} of its healthy speed)`
      : '';
  const what =
    lost === undefined
      ? `Nothing was lost; from ${times.exact(from)} to ${times.exact(to)} it was slowest${speed}.`
      : `From ${times.exact(from)} to ${times.exact(to)}: ${hours(lost)} GPU-hours lost${speed}.`;
  const length = lasting(to - from);
  return {
    id: 'worst',
    title: length === '10 min' ? 'The worst ten minutes' : `The worst ${length}`,
    blocks: [
      { is: 'text', text: what },
      ...verdicts(state),
      ...stages(state),
      ...threads(state),
      ...logLines(state, to, times),
    ],
  };
}

function verdicts({ verdicts: told }: State): readonly Block[] {
  return (told?.verdicts ?? []).slice(0, mostVerdicts).flatMap((verdict, i): Block[] => {
    const { situation, summary, confidence, evidence } = verdict;
    const of = scopeWords(verdict);
    const text = `${i === 0 ? 'The verdict then' : 'Also'}: ${situationWords[situation].name}${of === '' ? '' : `, ${of}`} (${Math.round(confidence * 100)} %). ${summary}`;
    const rows = evidence
      .slice(0, 8)
      .map((each): Row => [signalWords(each), figureText(each), each.expected ?? '', each.source]);
    return [
      { is: 'text', text },
      ...(i === 0 && rows.length > 0
        ? [{ is: 'table', head: ['Figure', 'Value', 'Asked for', 'From'], rows } as const]
        : []),
    ];
  });
}

function stages({ throughput }: State): readonly Block[] {
  const queues = Object.values(throughput.queues).slice(0, 16);
  const known = Object.values(throughput.stages).slice(0, 16);
  const ofQueues = queues.map(({ name, depth, low, high, capacity }): Row => [
    name,
    depth === undefined ? `${low ?? '–'} to ${high ?? '–'}` : plain(depth, 3),
    capacity === undefined ? '–' : String(capacity),
  ]);
  const ofStages = known.map(({ name, averageMs }): Row => [
    name,
    averageMs === undefined ? '–' : `${plain(averageMs, 3)} ms`,
  ]);
  return [
    ...(ofQueues.length > 0 ? [{ is: 'table', head: ['Queue', 'Depth', 'Holds'], rows: ofQueues } as const] : []),
    ...(ofStages.length > 0 ? [{ is: 'table', head: ['Stage', 'As last printed'], rows: ofStages } as const] : []),
  ];
}

function threads(state: State): readonly Block[] {
  const { threads: frame, threadNames: names, run } = state;
  const rows = joinThreads({ threads: frame, names, run: run?.run, roleOf: roleFinder(state) })
    .toSorted((a, b) => (b.cpuPercent ?? 0) - (a.cpuPercent ?? 0))
    .slice(0, mostThreads)
    .map((row): Row => [
      row.name ?? row.comm,
      row.role ?? '–',
      row.rank === undefined ? '–' : rankText([row.rank]),
      String(row.tid),
      row.state ?? '–',
      row.cpuPercent === undefined ? '–' : `${plain(row.cpuPercent, 3)} %`,
    ]);
  if (rows.length === 0) return [];
  const table: Block = { is: 'table', head: ['Thread', 'Role', 'Rank', 'TID', 'State', 'CPU'], rows };
  return [{ is: 'more', title: 'The busiest threads then', blocks: [table] }];
}

function logLines({ logs }: State, until: number, times: Times): readonly Block[] {
  const lines = [...logs.values()]
    .flatMap((log) => log.lines.slice(-mostLines))
    .filter(({ time }) => time <= until)
    .sort((a, b) => a.time - b.time)
    .slice(-mostLines)
    .map(({ time, text }) => `${times.exact(time)}  ${text.slice(0, 400)}`);
  if (lines.length === 0) return [];
  return [{ is: 'more', title: 'The last lines of the log then', blocks: [{ is: 'lines', lines }] }];
}

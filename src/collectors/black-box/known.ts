import { confidenceWord, figureText, scopeWords, signalWords, situationWords } from '../../model/diagnosis/words.ts';
import { roleFinder } from '../../model/roles/finder.ts';
import type { StacksSample } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import { joinThreads, type ThreadRow } from '../../model/thread-rows.ts';
import type { Evidence as Figure, Verdict } from '../../model/verdict-samples.ts';
import { waitOf } from '../../model/waits/thread-wait.ts';
import { longWait, waitTime } from '../../model/waits/words.ts';
import { evidence, type Evidence } from './parts.ts';

/** Rows of threads, and lines of logs. */
const mostThreads = 400;
const mostLogLines = 500;

/** What the sources know already: it needs nothing of the host, which may not answer. */
export function knownEvidence(state: State, at: number, whose: readonly number[]): readonly Evidence[] {
  return [
    verdictEvidence(state, at),
    threadEvidence(state, at, whose),
    hostEvidence(state, at),
    logEvidence(state, at),
  ];
}

/** All threads of the run with what they wait in, those of `whose` first. */
function threadEvidence(state: State, at: number, whose: readonly number[]): Evidence {
  const { threads, threadNames: names, run, waits } = state;
  const order = new Map(whose.map((pid, i) => [pid, i]));
  const place = ({ pid }: ThreadRow) => order.get(pid) ?? order.size;
  const rows = joinThreads({ threads, names, run: run?.run, roleOf: roleFinder(state) }).toSorted(
    (a, b) =>
      place(a) - place(b) || a.pid - b.pid || Number(b.tid === b.pid) - Number(a.tid === a.pid) || a.tid - b.tid,
  );
  const more = rows.length - mostThreads;
  const lines = rows.slice(0, mostThreads).map((row) => {
    const { pid, tid, rank, state: letter = '?', cpuPercent } = row;
    const wait = waitOf(waits, row);
    const held = wait && [longWait(wait), waitTime(wait)].filter((each) => each !== undefined).join(' for ');
    const cells = [
      String(pid).padStart(8),
      String(tid).padStart(8),
      (rank === undefined ? '-' : String(rank)).padStart(4),
      letter,
      (cpuPercent === undefined ? '-' : cpuPercent.toFixed(1)).padStart(6),
      (row.name ?? row.comm).slice(0, 24).padEnd(24),
      wait?.where === undefined || held?.includes(wait.where) ? '' : `[${wait.where}]`,
      held ?? '',
    ];
    return cells
      .filter((cell) => cell !== '')
      .join(' ')
      .trimEnd();
  });
  const head = `${'PID'.padStart(8)} ${'TID'.padStart(8)} RANK S   CPU% ${'NAME'.padEnd(24)} WAITS IN`;
  return evidence({
    ...{ name: 'threads', takenAt: at },
    lines: rows.length === 0 ? [] : [head, ...lines, ...(more > 0 ? [`and ${more} more threads`] : [])],
    ...(rows.length === 0 && { failure: 'No threads of the run were known.' }),
  });
}

/** What the last dumps showed of the threads that train, for a run that is gone. */
export function lastStacks(stacks: readonly StacksSample[], at: number): readonly string[] {
  return stacks.flatMap(({ pid, threads, receivedAt, failure }) => {
    const main =
      threads.find(({ tid }) => tid === pid) ?? threads.find(({ name }) => name === 'MainThread') ?? threads[0];
    if (failure !== undefined || !main) return [];
    const frames = main.frames.slice(0, mostFrames);
    return [
      `PID ${pid}, ${main.name ?? 'its first thread'}, as it was ${ago(at - receivedAt)} before:`,
      ...frames.map(({ function: name, file, line }) => `    ${name} (${file}${line === undefined ? '' : `:${line}`})`),
    ];
  });
}

const mostFrames = 16;

function verdictEvidence({ verdicts }: State, at: number): Evidence {
  const all = verdicts?.verdicts ?? [];
  return evidence({
    ...{ name: 'verdict', takenAt: at },
    lines: all.flatMap((verdict) => verdictLines(verdict, at)),
    ...(all.length === 0 && { failure: 'No verdict was told.' }),
  });
}

function verdictLines(verdict: Verdict, at: number): readonly string[] {
  const { situation, confidence, since, summary, evidence: holds, against, missing } = verdict;
  const about = [scopeWords(verdict), verdict.scope.cause ?? ''].filter((each) => each !== '').join(', ');
  const title = `${situationWords[situation].name}${about === '' ? '' : ` (${about})`}`;
  const sure = `${confidenceWord(confidence)}, ${Math.round(100 * confidence)} %`;
  return [
    `${title}: ${sure}, for ${ago(at - since)}`,
    `    ${summary}`,
    ...holds.map((figure) => `    + ${figureWords(figure)}`),
    ...against.map((figure) => `    - ${figureWords(figure)}`),
    ...missing.map(({ signal, get }) => `    ? ${signalWords({ signal })}: ${get}`),
  ];
}

const figureWords = (figure: Figure) =>
  `${signalWords(figure)}: ${figureText(figure)}${figure.expected === undefined ? '' : ` (${figure.expected})`}, from ${figure.source}`;

/** The newest lines of all logs, each under its name. */
export function logEvidence({ logs }: State, at: number, after = -Infinity): Evidence {
  const tails = [...logs.values()].map((log) => ({ log, lines: log.lines.filter(({ time }) => time > after) }));
  const all = tails.flatMap(({ lines }) => lines.map(({ time }) => time)).toSorted((a, b) => b - a);
  const from = all[mostLogLines - 1] ?? -Infinity;
  let room = mostLogLines;
  const lines = tails.flatMap(({ log, lines: own }) => {
    const newest = own.filter(({ time }) => time >= from).slice(-room);
    room -= newest.length;
    const last = newest.at(-1);
    if (!last || room < 0) return [];
    const heading = `== ${log.path}: its last ${newest.length} lines, the newest from ${ago(at - last.time)} before`;
    return [heading, ...newest.map(({ text }) => text)];
  });
  const nothing = logs.size === 0 ? 'No log was read.' : after > -Infinity ? 'The logs say nothing new.' : undefined;
  return evidence({
    ...{ name: 'log', takenAt: at, lines, keepEnd: true },
    ...(lines.length === 0 && { failure: nothing ?? 'The logs are empty.' }),
  });
}

/** The host, its GPUs and disks, as their sources told them last. */
function hostEvidence({ host, gpus, disks }: State, at: number): Evidence {
  const { kind: _k, host: _h, source: _s, time: _t, receivedAt, ...figures } = host ?? { receivedAt: at };
  const plain = Object.entries(figures).flatMap(([key, value]) => (typeof value === 'number' ? [[key, value]] : []));
  const cells = plain.map(([key, value]) => `${String(key)} ${numberText(Number(value))}`);
  const columns = ['utilizationPercent', 'memoryUtilizationPercent', 'memoryUsedBytes', 'powerWatts', 'temperatureCelsius', 'smClockMhz'] as const; // prettier-ignore
  const rows = gpus?.index.map((index, i) => {
    const values = columns.flatMap((column) => {
      const value = gpus[column]?.[i];
      return value === undefined || value === null ? [] : [`${column} ${numberText(value)}`];
    });
    const fault = gpus.faults?.[i];
    return `GPU ${index}: ${[...values, ...(fault ? [fault] : [])].join(', ')}`;
  });
  const room = disks?.path.map((path, i) => `${path}: ${numberText(disks.availableBytes[i] ?? NaN)} bytes available`);
  const lines = [
    ...(host ? [`As of ${ago(at - receivedAt)} before:`, ...cells] : []),
    ...(rows ?? []),
    ...(room ?? []),
  ];
  return evidence({
    ...{ name: 'host', takenAt: at, lines },
    ...(lines.length === 0 && { failure: 'Nothing was known of the host.' }),
  });
}

const numberText = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

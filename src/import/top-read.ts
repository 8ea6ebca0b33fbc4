import type { BusiestSample, HostSample, Sample, ThreadsSample } from '../model/samples.ts';
import type { InputFile, Rejected } from './files.ts';
import type { LineFile } from './lines.ts';
import { createOwners } from './top-owners.ts';
import { topFrames, type TopSurvey } from './top-survey.ts';
import type { TopFrame, TopTextRow } from './top-text.ts';

interface Init {
  readonly host: string;
  readonly file: InputFile;
  readonly lines: LineFile;
  readonly survey: TopSurvey;
  /** From the file's times to ours. */
  readonly shift: number;
  /** The process of each thread, as far as it is known: by another file, else by this one. */
  readonly owners: ReadonlyMap<number, number>;
  /** Those of the run. Empty: nobody knows. */
  readonly pids: ReadonlySet<number>;
  /** The threads of the run come from another file. */
  readonly withoutThreads: boolean;
  readonly rejected: Rejected;
}

/** How many of the host's busiest are kept, as of a host that is watched. */
const mostBusiest = 15;

/** The Samples of a top file, in order: the host, the run's threads unless another file has them, and the host's busiest others. */
export async function* readTop(init: Init): AsyncGenerator<Sample> {
  const { host, file, lines, survey, shift, pids, rejected } = init;
  const owners = createOwners(init.owners, survey.wholeHost);
  let number = 0;
  for await (const frame of topFrames(file.name, lines, rejected)) {
    const at = Math.round((survey.times[number] ?? 0) + shift);
    const base = { host, time: at, receivedAt: at } as const;
    number++;
    const { isFirst } = frame;
    const ownerOf = owners.of(frame.rows);
    const isOwn = (_: unknown, i: number) => pids.has(ownerOf[i] ?? NaN);
    yield { ...base, ...hostOf(frame, isFirst) };
    if (!init.withoutThreads && pids.size > 0) {
      const seconds = isFirst ? undefined : survey.intervalSeconds;
      yield { ...base, ...threadsOf(frame.rows.filter(isOwn), ownerOf.filter(isOwn), seconds) };
    }
    if (survey.wholeHost && !isFirst) {
      const others = frame.rows.filter((row, i) => !isOwn(row, i));
      yield { ...base, ...busiestOf(frame, others) };
    }
  }
}

type Headless<S extends Sample> = Omit<S, 'host' | 'time' | 'receivedAt'>;

function hostOf(frame: TopFrame, isFirst: boolean): Headless<HostSample> {
  const [load1, load5, load15] = frame.load;
  const idle = frame.cpu?.get('id');
  const ioWait = frame.cpu?.get('wa');
  const { memoryTotalBytes, memoryAvailableBytes, swapUsedBytes } = frame;
  const busy = isFirst || idle === undefined ? undefined : Math.max(0, 100 - idle - (ioWait ?? 0));
  const values = {
    load1,
    load5,
    load15,
    busyPercent: busy === undefined ? undefined : Math.round(busy * 10) / 10,
    ioWaitPercent: isFirst ? undefined : ioWait,
    memoryTotalBytes,
    memoryAvailableBytes,
    swapUsedBytes,
  };
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return { kind: 'host', source: 'host', ...present };
}

function threadsOf(
  rows: readonly TopTextRow[],
  pid: readonly number[],
  seconds: number | undefined,
): Headless<ThreadsSample> {
  const none = rows.map(() => null);
  return {
    kind: 'threads',
    source: 'threads',
    reader: 'top',
    ...(seconds !== undefined && { intervalSeconds: seconds }),
    pid,
    tid: rows.map(({ tid }) => tid),
    comm: rows.map(({ comm }) => comm),
    state: rows.map(({ state }) => state),
    core: rows.map(({ core }) => core),
    // Above 100 it is the share of a whole process (procps 4.0.0 to 4.0.3): nobody knows its main thread's.
    cpuPercent: seconds === undefined ? none : rows.map(({ cpuPercent }) => shareOf(cpuPercent)),
    userPercent: none,
    systemPercent: none,
    runQueuePercent: none,
  };
}

function busiestOf({ threadsTotal }: TopFrame, rows: readonly TopTextRow[]): Headless<BusiestSample> {
  const busiest = rows
    .filter(({ cpuPercent }) => cpuPercent > 0)
    .sort((a, b) => b.cpuPercent - a.cpuPercent)
    .slice(0, mostBusiest);
  return {
    kind: 'busiest',
    source: 'busiest',
    pid: busiest.map(() => null),
    tid: busiest.map(({ tid }) => tid),
    user: busiest.map(({ user }) => user),
    comm: busiest.map(({ comm }) => comm),
    state: busiest.map(({ state }) => state),
    cpuPercent: busiest.map(({ cpuPercent }) => shareOf(cpuPercent)),
    threadsTotal,
  };
}

/** A little above 100 it is top's clock. */
function shareOf(cpuPercent: number): number | null {
  return cpuPercent > 110 ? null : Math.min(100, cpuPercent);
}

import type { InputFile, Rejected, Span } from './files.ts';
import { ImportFault } from './fault.ts';
import { createForwards } from './forwards.ts';
import { reject, type LineFile } from './lines.ts';
import { createPartitions, ownersByMemory } from './top-owners.ts';
import { createTopText, type TopFrame } from './top-text.ts';

/** What a first reading of a top file shows. */
export interface TopSurvey {
  readonly span: Span;
  /** Milliseconds since the file's first midnight, one a frame. Frames of the same second are spread over it. */
  readonly times: readonly number[];
  /** What a frame's percentages are over. */
  readonly intervalSeconds: number | undefined;
  /** It shows all threads of the host. */
  readonly wholeHost: boolean;
  /** The process of each thread, as far as memory tells (top-owners.ts). */
  readonly owners: ReadonlyMap<number, number>;
  readonly mostThreads: number;
  /** What its threads may have wrong, one sentence each. */
  readonly doubts: readonly string[];
  /** What is to be said of it whatever is made of it. */
  readonly notes: readonly string[];
}

/** Reads a top file to its end. Throws an ImportFault for one that is no use. */
export async function surveyTop({ name }: InputFile, lines: LineFile): Promise<TopSurvey> {
  const seconds: number[] = [];
  const pauses: number[] = [];
  const partitions = createPartitions();
  let days = 0;
  let wholeHost = false;
  let mostThreads = 0;
  let isCut = false;
  const doubts = createDoubts();
  const forwards = createForwards();
  for await (const frame of topFrames(name, lines)) {
    const before = seconds.at(-1);
    let at = frame.second + days * daySeconds;
    if (before !== undefined && at < before - daySeconds / 2) {
      days++;
      at += daySeconds;
    }
    if (before !== undefined && !frame.isFirst && at >= before) pauses.push(at - before);
    seconds.push(forwards.place(at));
    mostThreads = Math.max(mostThreads, frame.rows.length);
    wholeHost ||= frame.rows.some(({ tid, comm }) => tid === 2 && comm === 'kthreadd');
    isCut ||= frame.rows.some(({ comm }) => comm.length < 16 && comm.endsWith('+'));
    const owners = ownersByMemory(frame.rows);
    partitions.add(owners);
    if (!frame.isFirst) doubts.add(frame, owners);
  }
  if (seconds.length === 0) throw new ImportFault(`${name} has no frame of top -H.`);
  const texts = [
    ...(seconds.length > 1 && pauses.length === 0
      ? ['each of its frames is the first of a top of its own, which has no percentages: run one top with -d 1']
      : []),
    ...(isCut ? ['names of threads were cut by the width of the terminal (run top with -w 512)'] : []),
    ...doubts.notes(),
  ];
  const times = spread(seconds);
  return {
    span: { clock: 'day', from: times[0] ?? 0, to: times.at(-1) ?? 0 },
    times,
    intervalSeconds: intervalOf(pauses),
    wholeHost,
    owners: partitions.most(),
    mostThreads,
    doubts: texts,
    notes: forwards.notes(),
  };
}

const daySeconds = 86_400;

/** The frames of a file, in order; lines that cannot be read are counted. */
export async function* topFrames(name: string, file: LineFile, rejected?: Rejected): AsyncGenerator<TopFrame> {
  const text = createTopText();
  let number = 0;
  for await (const lines of file.lines()) {
    for (const line of lines) {
      number++;
      const frame = text.push(line.text);
      if (text.refused !== undefined) throw new ImportFault(`${name} cannot be used: ${text.refused}.`);
      if (frame === false && rejected) reject(rejected, number, line.text);
      if (typeof frame === 'object') yield frame;
    }
  }
  const last = text.end();
  if (last) yield last;
}

/** Frames of one second are as far apart as their number says. */
function spread(seconds: readonly number[]): readonly number[] {
  const times: number[] = [];
  for (let from = 0; from < seconds.length;) {
    let to = from + 1;
    while (to < seconds.length && seconds[to] === seconds[from]) to++;
    for (let i = from; i < to; i++) times.push(((seconds[from] ?? 0) + (i - from) / (to - from)) * 1000);
    from = to;
  }
  return times;
}

/** What top was told, as its stamps of whole seconds show it: most pauses, or their mean where it is faster than they. */
function intervalOf(pauses: readonly number[]): number | undefined {
  const median = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0;
  const interval = median > 0 ? median : pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  return interval > 0 ? Math.round(interval * 100) / 100 : undefined;
}

/** Looks whether main threads show their whole process, as procps 4.0.0 to 4.0.3 has it (procps issue 280). */
function createDoubts() {
  let frames = 0;
  let asSum = 0;
  let above = false;
  return {
    add({ rows }: TopFrame, owners: ReadonlyMap<number, number>) {
      const sums = new Map<number, { leader: number; others: number }>();
      for (const { tid, cpuPercent } of rows) {
        const pid = owners.get(tid) ?? tid;
        const sum = sums.get(pid) ?? { leader: 0, others: 0 };
        if (pid === tid) sum.leader = cpuPercent;
        else sum.others += cpuPercent;
        above ||= cpuPercent > 110;
        sums.set(pid, sum);
      }
      const busy = [...sums.values()].filter(({ others }) => others >= 20);
      if (busy.length === 0) return;
      frames++;
      if (busy.every(({ leader, others }) => leader >= Math.min(99, others - 5))) asSum++;
    },
    notes(): readonly string[] {
      if (!above && (frames === 0 || asSum < frames)) return [];
      const sure = above ? 'is' : 'may be';
      return [
        `the share of each main thread ${sure} that of its whole process: procps 4.0.0 to 4.0.3 show it so, and the file does not tell top's version (--stat has it right)`,
      ];
    },
  };
}

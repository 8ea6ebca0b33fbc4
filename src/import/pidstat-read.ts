import { createPidstatParser } from '../collectors/threads/pidstat-parser.ts';
import type { ThreadsSample } from '../model/samples.ts';
import { safeText } from '../model/text.ts';
import type { InputFile, Rejected, Span } from './files.ts';
import { ImportFault } from './fault.ts';
import { createForwards, type Forwards } from './forwards.ts';
import { reject, type LineFile } from './lines.ts';

/** What a first reading of pidstat's output shows. */
export interface PidstatSurvey {
  readonly span: Span;
  readonly rounds: number;
  readonly mostThreads: number;
  readonly owners: ReadonlyMap<number, number>;
  /** Names of main threads, by PID. */
  readonly names: ReadonlyMap<number, string>;
  readonly intervalSeconds: number;
  /** From its first line. */
  readonly hostname?: string;
  readonly notes: readonly string[];
}

/** Reads the file to its end. Throws an ImportFault for one that is no use. */
export async function surveyPidstat({ name }: InputFile, lines: LineFile): Promise<PidstatSurvey> {
  const owners = new Map<number, number>();
  const names = new Map<number, string>();
  const times: number[] = [];
  let mostThreads = 0;
  let hostname: string | undefined;
  let isOther = false;
  const forwards = createForwards();
  for await (const some of lines.lines()) {
    for (const { text } of some) {
      hostname ??= /^Linux \S+ \(([^)]*)\)/.exec(text)?.[1];
      isOther ||= /^\d\d:\d\d:\d\d\b.*\bTID\b/.test(text);
    }
  }
  for await (const { time, pid, tid, comm } of readPidstat({ host: '', lines, intervalSeconds: 1, forwards })) {
    times.push(time);
    mostThreads = Math.max(mostThreads, tid.length);
    tid.forEach((each, row) => {
      const owner = pid[row] ?? each;
      owners.set(each, owner);
      if (each === owner) names.set(owner, comm[row] ?? '');
    });
  }
  if (times.length === 0)
    throw new ImportFault(
      isOther
        ? `${name} has times of day for the eye: save LC_ALL=C pidstat -t -h -H -u -p PID 1, whose times are whole (sysstat 11.6 and later).`
        : `${name} has no rows of threads: save LC_ALL=C pidstat -t -h -H -u -p PID 1.`,
    );
  const pauses = times.slice(1).flatMap((at, i) => (at > (times[i] ?? 0) ? [at - (times[i] ?? 0)] : []));
  const median = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 1000;
  return {
    span: { clock: 'epoch', from: times[0] ?? 0, to: times.at(-1) ?? 0 },
    rounds: times.length,
    mostThreads,
    owners,
    names,
    intervalSeconds: median / 1000,
    notes: forwards.notes(),
    ...(hostname !== undefined && { hostname: safeText(hostname) }),
  };
}

interface ReadInit {
  readonly host: string;
  readonly lines: LineFile;
  readonly intervalSeconds: number;
  readonly rejected?: Rejected;
  /** What lays its rounds in order. */
  readonly forwards?: Forwards;
}

/** The rounds as frames of threads, in order. */
export async function* readPidstat({
  host,
  lines,
  intervalSeconds,
  rejected,
  forwards = createForwards(),
}: ReadInit): AsyncGenerator<ThreadsSample> {
  const parser = createPidstatParser({ host, intervalSeconds, clockOffsetMs: 0, pids: [] });
  const placed = (samples: ReturnType<typeof parser.push>) =>
    samples.flatMap((sample) => {
      if (sample.kind !== 'threads') return [];
      const time = forwards.place(sample.time);
      return [{ ...sample, time, receivedAt: time }];
    });
  let number = 0;
  let before = 0;
  for await (const some of lines.lines()) {
    for (const { text, bytes } of some) {
      number++;
      yield* placed(parser.push(text, 0, bytes));
      if (parser.rejected > before && rejected) reject(rejected, number, text);
      before = parser.rejected;
    }
  }
  yield* placed(parser.quiet?.(0) ?? []);
}

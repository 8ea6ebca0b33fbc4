import type { GpusSample, Sample } from '../model/samples.ts';
import { readDmon } from './dmon.ts';
import type { InputFile } from './files.ts';
import { mergeGpus } from './gpus.ts';
import { readLog } from './log-read.ts';
import type { ImportInit, Placed } from './open-import.ts';
import { readPidstat } from './pidstat-read.ts';
import { createRunTeller, type KnownProcess } from './run-samples.ts';
import { readSmi } from './smi-read.ts';
import { sourceSamples, type SourcePlan } from './source-samples.ts';
import { readStacks } from './stacks-read.ts';
import { readStat } from './stat-read.ts';
import { readTop } from './top-read.ts';

/** What is read of each file. */
export interface Uses {
  /** Which file the run's threads come from. */
  readonly threads?: InputFile;
}

/** Where a dump or an undated log lies that is a little outside of the other files: there. Else it was copied, and nobody knows. */
const nearMs = 600_000;

/** The streams that a recording is made of, each in order of `receivedAt`. */
export function planStreams(
  init: ImportInit,
  placed: Placed,
): { readonly streams: readonly AsyncIterable<Sample>[]; readonly uses: Uses } {
  const { host } = init;
  const { surveyed, from, to, shift, utcOffsetMinutes } = placed;
  const { top, stat, pidstat, logs, stacks } = surveyed;
  const commands = stacks?.survey.commands ?? new Map<number, string>();
  const tellRun = createRunTeller({ host, commands });
  const threads = stat ?? pidstat ?? (top && (!top.survey.wholeHost || init.pids.length > 0) ? top : undefined);
  const uses: Uses = { ...(threads && { threads: threads.file }) };
  const streams: AsyncIterable<Sample>[] = [];
  const plans: SourcePlan[] = [];
  const plan = (source: string, file: InputFile | undefined, off: string, span?: { from: number; to: number }) =>
    plans.push({ source, off, ...(file && { file: file.name }), ...span });
  const spanOf = (
    opened: { file: InputFile; survey: { span: { from: number; to: number } | undefined } } | undefined,
  ) => {
    const span = opened?.survey.span;
    return opened && span ? { from: span.from + shift(opened.file), to: span.to + shift(opened.file) } : undefined;
  };

  // The run first: what comes with it belongs to it.
  if (stat) streams.push(statStream());
  else if (pidstat) streams.push(pidstatStream());
  plan('processes', threads?.file, 'no --stat, --pidstat or --top was given that tells the run', spanOf(threads));
  plan('threads', threads?.file, threadsOff(), spanOf(threads));

  async function* statStream(): AsyncGenerator<Sample> {
    if (!stat) return;
    for await (const { time, samples, processes } of readStat({ host, lines: stat.lines, rejected: stat.rejected })) {
      yield* tellRun(time, processes);
      yield* samples;
    }
  }

  async function* pidstatStream(): AsyncGenerator<Sample> {
    if (!pidstat) return;
    const { lines, rejected, survey } = pidstat;
    for await (const sample of readPidstat({ host, lines, rejected, intervalSeconds: survey.intervalSeconds })) {
      yield* tellRun(sample.time, processesOf([...new Set(sample.pid)], survey.names));
      yield sample;
    }
  }

  async function* topStream(): AsyncGenerator<Sample> {
    if (!top) return;
    const { owners, pids } = topOwners();
    const withoutThreads = threads !== top;
    const { file, lines, survey, rejected } = top;
    for await (const sample of readTop({
      host,
      file,
      lines,
      survey,
      shift: shift(file),
      owners,
      pids,
      withoutThreads,
      rejected,
    })) {
      if (sample.kind === 'threads') {
        const names = new Map(sample.tid.map((tid, row) => [tid, sample.comm[row] ?? '']));
        yield* tellRun(sample.time, processesOf([...new Set(sample.pid)], names));
      }
      yield sample;
    }
  }

  /** The processes of threads, and those of the run: by the file that knows, else those that the user named, else all that top was told. */
  function topOwners(): { readonly owners: ReadonlyMap<number, number>; readonly pids: ReadonlySet<number> } {
    const known = stat?.survey.owners ?? pidstat?.survey.owners;
    if (known) return { owners: known, pids: new Set(known.values()) };
    const owners = top?.survey.owners ?? new Map<number, number>();
    if (init.pids.length > 0) return { owners, pids: new Set(init.pids.map((pid) => owners.get(pid) ?? pid)) };
    return { owners, pids: new Set(top?.survey.wholeHost ? [] : owners.values()) };
  }

  function threadsOff(): string {
    if (top && !threads) return `${top.file.name} shows all threads of the host: name the run's process with --pid`;
    return 'no --stat, --pidstat or --top was given';
  }

  const gpus = gpuStream();
  if (gpus) streams.push(gpus.stream);
  plan('gpu', gpus?.file, 'no --nvidia-smi or --dmon was given', gpus?.span);

  function gpuStream():
    { stream: AsyncIterable<GpusSample>; file: InputFile; span: { from: number; to: number } } | undefined {
    const { smi, dmon } = surveyed;
    const fast = smi && readSmi({ ...smi, host, shift: shift(smi.file), stepMs: init.stepMs });
    const slow = dmon && readDmon({ ...dmon, host, shift: shift(dmon.file) });
    const [one, two] = [spanOf(smi), spanOf(dmon)];
    if (smi && fast && dmon && slow && one && two) {
      const span = { from: Math.min(one.from, two.from), to: Math.max(one.to, two.to) };
      const { stepMs } = dmon.survey;
      const stream = mergeGpus({ fast, slow, stepMs, identities: smi.survey.identities });
      return { stream, file: one.to >= two.to ? smi.file : dmon.file, span };
    }
    if (smi && fast && one) return { stream: fast, file: smi.file, span: one };
    return dmon && slow && two ? { stream: slow, file: dmon.file, span: two } : undefined;
  }

  logs.forEach((log, i) => {
    const source = i === 0 ? 'log' : `log:${i + 1}`;
    const undatedAt = near(log.file.modifiedAt) ?? to;
    const path = log.file.name;
    streams.push(
      readLog({
        ...log,
        host,
        source,
        path,
        shift: shift(log.file),
        utcOffsetMinutes,
        beginAt: from,
        endAt: to,
        undatedAt: log.survey.lines === 0 ? from : undatedAt,
        ...(init.reading && { reading: init.reading }),
      }),
    );
    plan(source, log.file, '', { from, to });
  });
  if (logs.length === 0) plan('log', undefined, 'no --log was given');

  if (top) streams.push(topStream());
  plan('host', top?.file, 'no --top was given, which tells load and memory', spanOf(top));
  plan(
    'busiest',
    top?.survey.wholeHost ? top.file : undefined,
    top ? `${top.file.name} shows some processes only (top -p)` : 'no --top was given',
    spanOf(top),
  );

  if (stacks) {
    let last = 0;
    // Without a time of their own they stand at the end, in their order.
    const timeOf = ({ modifiedAt }: { readonly modifiedAt: number }) => near(modifiedAt) ?? to + ++last;
    const captured = readStacks({ host, survey: stacks.survey, timeOf });
    const waits = captured.filter(({ kind }) => kind === 'waits').map(({ time }) => time);
    if (waits.length > 0) plan('waits', stacks.file, '', { from: Math.min(...waits), to: Math.max(...waits) });
    streams.push(each(captured));
  }
  return { streams: [each(sourceSamples({ host, from, to, plans })), ...streams], uses };

  function near(time: number | undefined): number | undefined {
    return time !== undefined && time >= from - nearMs && time <= to + nearMs ? Math.max(from, time) : undefined;
  }
}

function processesOf(pids: readonly number[], names: ReadonlyMap<number, string>): readonly KnownProcess[] {
  return pids.map((pid) => {
    const comm = names.get(pid);
    return { pid, ...(comm !== undefined && { comm }) };
  });
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

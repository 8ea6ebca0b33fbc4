import type { Run } from '../../model/run.ts';
import type { GpusSample, LogSample, ProcessesSample, Sample, ThreadsSample } from '../../model/samples.ts';

/** Whether a run that told its steps tells none any more and does nothing that would explain it: a sentence, for when neither a verdict nor an alarm says so. */
export interface Stillness {
  see(sample: Sample): void;
  /** Why nothing moves, and since when; undefined: it moves, or too little is known. */
  now(at: number): { readonly text: string; readonly since: number } | undefined;
}

/** Steps have to have come so often before their pause means something: a log that is written in blocks tells its pauses by then. */
const leastArrivals = 6;
const keptPauses = 50;
/** Nothing moves for so long, and for so many of the longest pauses of late. */
const idle = { ms: 20_000, pauses: 3 };
/** The same where a kernel runs on: an evaluation that the log has no words for looks alike for some time. */
const spins = { ms: 30_000, pauses: 6 };
/** The log spoke of a checkpoint or an evaluation: so long it may take. */
const pauseMs = 15 * 60_000;
/** Percent of one core, all threads of the run together: the interpreter's own wake-ups take less. */
const idlePercent = 6;
const idleGpuPercent = 5;
const spinPercent = 95;
/** Of the memory: a kernel that only waits moves nothing. */
const spinMemoryPercent = 1;
/** Bytes a second, of all processes: a checkpoint is written faster. */
const quietBytes = 50_000;
/** Between two looks at the same thing no more than this passes while it is read. */
const gapMs = 12_000;

/** Knows nothing yet. */
export function createStillness(): Stillness {
  let run: Run | undefined;
  let progressAt: number | undefined;
  let pauses: number[] = [];
  let seenAt: number | undefined;
  /** What came before is no part of what is seen now: the link was away. */
  let seenFrom = 0;
  let excusedUntil = 0;
  let isOver = false;
  const activity = { threads: -1, gpus: -1, disk: -1, spin: -1 };
  const newest = { threads: -1, gpus: -1 };
  let written: { readonly at: number; readonly bytes: number } | undefined;

  function forget(next: Run | undefined) {
    run = next;
    progressAt = written = undefined;
    pauses = [];
    excusedUntil = 0;
    isOver = false;
    Object.assign(activity, { threads: -1, gpus: -1, disk: -1, spin: -1 });
    Object.assign(newest, { threads: -1, gpus: -1 });
  }

  function takeLog({ lines, backlog, receivedAt }: LogSample) {
    const tells = lines.some(({ values, undated, note }) => isStep(values) && !undated && !note);
    if (backlog || !tells) return;
    // One arrival, however many steps it tells: what counts is the pause between two.
    if (progressAt !== undefined && progressAt >= seenFrom && receivedAt > progressAt)
      pauses = [...pauses, receivedAt - progressAt].slice(-keptPauses);
    progressAt = receivedAt;
    excusedUntil = 0;
    isOver = false;
  }

  function takeThreads({ cpuPercent, intervalSeconds, receivedAt }: ThreadsSample) {
    if (intervalSeconds === undefined) return;
    newest.threads = receivedAt;
    let sum = 0;
    for (const percent of cpuPercent) sum += percent ?? 0;
    if (sum >= idlePercent) activity.threads = receivedAt;
  }

  function takeGpus({ index, utilizationPercent, memoryUtilizationPercent, receivedAt }: GpusSample) {
    const own = gpusOf(run);
    if (own.size === 0) return;
    const rows = index.flatMap((each, i) => (own.has(each) ? [i] : []));
    const uses = rows.map((i) => utilizationPercent?.[i]);
    if (rows.length === 0 || uses.some((use) => use === undefined || use === null)) return;
    newest.gpus = receivedAt;
    if (uses.some((use) => (use ?? 0) >= idleGpuPercent)) activity.gpus = receivedAt;
    const spinning = rows.every(
      (i) =>
        (utilizationPercent?.[i] ?? 0) >= spinPercent && (memoryUtilizationPercent?.[i] ?? 100) <= spinMemoryPercent,
    );
    if (!spinning) activity.spin = receivedAt;
  }

  function takeProcesses({ writtenBytes, receivedAt }: ProcessesSample) {
    const bytes = writtenBytes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
    const before = written;
    written = { at: receivedAt, bytes };
    if (!before || receivedAt <= before.at) return;
    if ((bytes - before.bytes) / ((receivedAt - before.at) / 1000) >= quietBytes) activity.disk = receivedAt;
  }

  return {
    see(sample) {
      const { receivedAt } = sample;
      if (seenAt !== undefined && (receivedAt - seenAt > gapMs || receivedAt < seenAt - gapMs)) seenFrom = receivedAt;
      seenAt = receivedAt;
      switch (sample.kind) {
        case 'link':
          if (sample.state !== 'up') seenFrom = Infinity;
          else if (seenFrom === Infinity) seenFrom = receivedAt;
          break;
        case 'run':
          if (sample.phase !== 'running') forget(undefined);
          else if (sample.run?.id !== run?.id) forget(sample.run);
          else run = sample.run;
          break;
        case 'log':
          takeLog(sample);
          break;
        case 'event':
          if (sample.event === 'checkpoint' || sample.event === 'evaluation') excusedUntil = receivedAt + pauseMs;
          if (sample.event === 'training end') isOver = true;
          break;
        case 'threads':
          takeThreads(sample);
          break;
        case 'gpus':
          takeGpus(sample);
          break;
        case 'processes':
          takeProcesses(sample);
          break;
        default:
      }
    },
    now(at) {
      if (!run || isOver || progressAt === undefined || pauses.length + 1 < leastArrivals || at < excusedUntil)
        return undefined;
      const since = Math.max(progressAt, seenFrom);
      const silentMs = at - since;
      const longest = Math.max(...pauses);
      if (at - newest.threads > gapMs) return undefined;
      const hasGpus = gpusOf(run).size > 0;
      const quietFrom = (times: readonly number[]) => Math.max(since, ...times);
      const gpusKnown = !hasGpus || at - newest.gpus <= gapMs;
      // What was under way at the last step is over a moment later.
      const sits = at - quietFrom([activity.threads, activity.disk, ...(hasGpus ? [activity.gpus] : [])]);
      if (gpusKnown && silentMs >= waitOf(idle, longest) && sits >= waitOf(idle, 0) * 0.75)
        return { text: `no step for ${seconds(silentMs)}, and no thread of the run works`, since };
      const turns = at - quietFrom([activity.spin, activity.disk]);
      if (hasGpus && gpusKnown && silentMs >= waitOf(spins, longest) && turns >= waitOf(spins, 0) * 0.75)
        return { text: `no step for ${seconds(silentMs)}, and its GPUs run a kernel that moves no memory`, since };
      return undefined;
    },
  };
}

const waitOf = ({ ms, pauses }: typeof idle, longest: number) => Math.max(ms, pauses * longest);
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

/** nvidia-smi's indexes are the minors on all but rearranged hosts. */
function gpusOf(run: Run | undefined): ReadonlySet<number> {
  return new Set(run?.processes.flatMap(({ gpuMinors }) => gpuMinors));
}

/** A line that tells how far the training is. */
function isStep(values: LogSample['lines'][number]['values']): boolean {
  if (!values) return false;
  const { step, loss, tokensPerSecond, samplesPerSecond, iterationsPerSecond, stepInEpoch } = values;
  return [step, loss, tokensPerSecond, samplesPerSecond, iterationsPerSecond, stepInEpoch].some(
    (value) => value !== undefined,
  );
}

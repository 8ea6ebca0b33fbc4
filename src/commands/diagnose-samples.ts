import { existsSync } from 'node:fs';
import { UsageFault } from '../config/check-options.ts';
import { ImportFault } from '../import/fault.ts';
import { openImport } from '../import/open-import.ts';
import type { Sample } from '../model/samples.ts';
import { loadState } from '../model/saved-state.ts';
import type { State } from '../model/state.ts';
import { safeText } from '../model/text.ts';
import { unreadable } from '../recording/play-faults.ts';
import { openRecording } from '../recording/recording.ts';
import { openInputs } from './import-inputs.ts';
import type { FileOptions } from './import-options.ts';
import { leftOutSentence, logReading } from './log-reading.ts';
import { createProgress } from './progress.ts';
import { defaultRunsFolder } from './runs-folder.ts';
import { zoneHere } from './zone-here.ts';

/** What is diagnosed: Samples of a recording or of saved output, in order of `receivedAt`. */
export interface Recorded {
  /** As the user named it. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly intervalMs: number;
  readonly isDemo: boolean;
  /** Of files, not of a recording. */
  readonly isSaved: boolean;
  /** What is there until `moment`, or to the end. */
  samples(moment?: number): AsyncIterable<Sample>;
  /** Where the recording begins in the middle of a run. */
  readonly known?: State;
}

/** Opens a recording, without a path the newest, for as long as `use` needs it. Rejects with a RecordingFault or a UsageFault. */
export async function withRecording<T>(
  path: string | undefined,
  signal: AbortSignal,
  use: (recorded: Recorded) => Promise<T>,
): Promise<T> {
  const runs = defaultRunsFolder(process.env);
  if (path === undefined && !existsSync(runs))
    throw new UsageFault(`Nothing was recorded yet: ${runs} is not there. Name a recording, or give saved output.`);
  const recording = await openRecording(path ?? runs);
  try {
    const { from, to, header } = recording;
    const cursor = await recording.cursor(from);
    async function* samples() {
      for (let batch = await cursor.next(); batch; batch = await cursor.next()) yield* batch;
    }
    const known = cursor.saved && loadState(cursor.saved.state).state;
    const result = await use({
      ...{ name: path ?? recording.path, from, to, intervalMs: header.intervalMs, isDemo: header.demo !== undefined },
      isSaved: false,
      samples: () => watched(samples(), { from, to, signal }),
      ...(known && { known }),
    });
    const missing = unreadable(recording);
    if (missing !== undefined) process.stderr.write(`traintop: ${missing}\n`);
    return result;
  } finally {
    await recording.close();
  }
}

/** Opens saved output for as long as `use` needs it; no recording is made of it. Rejects with a UsageFault. */
export async function withSaved<T>(
  options: FileOptions,
  signal: AbortSignal,
  use: (recorded: Recorded) => Promise<T>,
): Promise<T> {
  const inputs = await openInputs(options, signal);
  try {
    const { logPatterns: patterns, logFormat: pinned } = options;
    const reading = logReading({ patterns, pinned, option: '--log-format' });
    const { files } = inputs;
    const open = (some: typeof files) =>
      openImport({ ...options, host: 'imported', files: some, zoneHere, signal, reading: reading.options });
    const stacks = files.filter(({ kind }) => kind === 'stacks');
    const others = files.filter(({ kind }) => kind !== 'stacks');
    const made = await open(others.length > 0 ? others : stacks);
    const taken = others.length > 0 && stacks.length > 0 ? await captured((await open(stacks)).samples()) : [];
    const { from, to } = made;
    const result = await use({
      ...{ name: files.map((file) => file.name).join(', '), from, to, intervalMs: options.stepMs, isDemo: false },
      isSaved: true,
      samples: (moment = to) => watched(withCaptured(made.samples(), { taken, from, moment }), { from, to, signal }),
    });
    for (const lost of reading.leftOut()) process.stderr.write(`traintop: ${leftOutSentence(lost)}\n`);
    return result;
  } catch (error) {
    throw error instanceof ImportFault ? new UsageFault(safeText(error.message)) : error;
  } finally {
    await inputs.close();
  }
}

const ofCaptures: ReadonlySet<Sample['kind']> = new Set(['stacks', 'profile', 'waits']);

async function captured(samples: AsyncIterable<Sample>): Promise<readonly Sample[]> {
  const taken: Sample[] = [];
  for await (const sample of samples) if (ofCaptures.has(sample.kind)) taken.push(sample);
  return taken;
}

/**
 * Stacks are evidence whenever they were taken: mostly after the other files, often in another start of the same run, and a copy has lost
 * the time. So they stand as long before the moment that is judged as they count.
 */
async function* withCaptured(
  samples: AsyncIterable<Sample>,
  { taken, from, moment }: { readonly taken: readonly Sample[]; readonly from: number; readonly moment: number },
): AsyncGenerator<Sample> {
  let left = taken.map((sample) => {
    const age = sample.kind === 'waits' ? waitsMs : stacksMs;
    return { ...sample, ...momentOf(Math.max(from, moment - age)) };
  });
  for await (const sample of samples) {
    // Behind the first of their time: it may tell which run it is.
    yield sample;
    const due = left.filter(({ receivedAt }) => receivedAt <= sample.receivedAt);
    if (due.length === 0) continue;
    yield* due.map((each) => ({ ...each, ...momentOf(sample.receivedAt) }));
    left = left.filter((each) => !due.includes(each));
  }
}

const momentOf = (time: number) => ({ time, receivedAt: time });

/** A little less than the diagnosis takes them for the run's of now: stacks, and what threads wait in. */
const stacksMs = 9 * 60_000;
const waitsMs = 20_000;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
}

/** The same Samples; how far they are is told on a terminal, and a signal ends them. */
async function* watched(samples: AsyncIterable<Sample>, { from, to, signal }: Span): AsyncGenerator<Sample> {
  const progress = createProgress('Reading');
  let count = 0;
  try {
    for await (const sample of samples) {
      // A signal is heard between turns of the loop.
      if (++count % samplesATurn === 0) await new Promise(setImmediate);
      signal.throwIfAborted();
      progress.at((sample.receivedAt - from) / (to - from || 1));
      yield sample;
    }
  } finally {
    progress.end();
  }
}

const samplesATurn = 1000;

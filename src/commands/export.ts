import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageFault } from '../config/check-options.ts';
import type { ExportOptions } from '../config/export-options.ts';
import type { Sample } from '../model/samples.ts';
import { createRowMaker, waitMs } from '../model/series-rows.ts';
import { createSeriesReader, type SeriesReader } from '../model/series-values.ts';
import { findParts } from '../recording/find-parts.ts';
import { unreadable } from '../recording/play-faults.ts';
import { openRecording, RecordingFault, type Recording } from '../recording/recording.ts';
import { listSeries, type SeriesTotal } from './export-list.ts';
import { csv, jsonl, type ExportText } from './export-text.ts';
import { momentIn } from './moment-in.ts';
import { createProgress, type Progress } from './progress.ts';
import { sameFile } from './same-file.ts';

/** What is exported of a recording. */
interface Work {
  readonly path: string;
  readonly recording: Recording;
  readonly options: ExportOptions;
  readonly text: ExportText;
  /** Both are in. */
  readonly from: number;
  readonly to: number;
  /** How far the reading is; of a table it is the second. */
  readonly progress: Progress;
}

/** Writes the series of a recording, or its events. Resolves with the exit code; rejects with a RecordingFault or a UsageFault. */
export async function exportRecording(path: string, options: ExportOptions): Promise<number> {
  const recording = await openRecording(path);
  const isOnTerminal = process.stdout.isTTY && (options.output ?? '-') === '-';
  const progress = isOnTerminal ? { at: () => {}, end: () => {} } : createProgress(`Reading ${path}`);
  try {
    await spare(recording.path, options.output);
    const text = formatOf(options) === 'jsonl' ? jsonl : csv;
    const work: Work = { path, recording, options, text, progress, ...spanOf(options, recording) };
    await write(options.events ? events(work) : options.list ? list(work) : series(work), options.output);
    const missing = unreadable(recording);
    if (missing !== undefined) process.stderr.write(`traintop: ${missing}\n`);
    return 0;
  } finally {
    progress.end();
    await recording.close();
  }
}

/** A file that is written is emptied first. Rejects with a UsageFault where that would be one of the recording, by whatever name. */
async function spare(path: string, output = '-'): Promise<void> {
  if (output !== '-' && (await sameFile(output, (await findParts(path)).files)) !== undefined)
    throw new UsageFault(`${output} is a file of the recording itself: give -o another name.`);
}

function formatOf({ format, output }: ExportOptions): 'csv' | 'jsonl' {
  return format ?? (output !== undefined && /\.(?:jsonl|ndjson)$/i.test(output) ? 'jsonl' : 'csv');
}

/** Without --from what a log said before the recording began is in it too. */
function spanOf({ from, to }: ExportOptions, recording: Recording): Pick<Work, 'from' | 'to'> {
  const span = {
    from: from === undefined ? -Infinity : momentIn(recording, from, '--from'),
    to: to === undefined ? Infinity : momentIn(recording, to, '--to'),
  };
  if (span.from > span.to) throw new UsageFault('--from is after --to: nothing lies between them.');
  return span;
}

function* events({ recording, text, from, to }: Work): Generator<string> {
  yield text.eventsHead;
  for (const event of recording.events) if (event.time >= from && event.time <= to) yield text.event(event);
}

async function* list(work: Work): AsyncGenerator<string> {
  const { totals, reader } = await survey(work);
  yield listSeries({ totals, about: reader.about, format: work.options.format });
}

/** Twice through the recording: a table needs to know its columns before its first row. */
async function* series(work: Work): AsyncGenerator<string> {
  const { recording, options, text } = work;
  const { totals } = await survey(work);
  const names = [...totals.keys()];
  const wanted = new Set(names);
  yield text.head(names);
  const reader = readerOf(options);
  const rows = createRowMaker(options.everyMs ?? recording.header.intervalMs);
  for await (const samples of samplesOf(work, 0.5)) {
    for (const sample of samples)
      reader.read(sample, (name, time, value) => {
        if (wanted.has(name) && isIn(work, time)) rows.add(name, time, value);
      });
    const done = rows.done(samples.at(-1)?.receivedAt ?? -Infinity);
    if (done.length > 0) yield done.map((row) => text.row(row, names)).join('');
  }
  yield rows
    .rest()
    .map((row) => text.row(row, names))
    .join('');
  const late = rows.late();
  if (late > 0)
    process.stderr.write(
      `traintop: ${late} ${late === 1 ? 'row stands' : 'rows stand'} after later ones, because a log was read that late: sort by time.\n`,
    );
}

/** The series that are wanted, in the order of their names, and what is in each. */
async function survey(work: Work): Promise<{ totals: ReadonlyMap<string, SeriesTotal>; reader: SeriesReader }> {
  const patterns = work.options.series;
  const matchers = patterns.map(matcherOf);
  const found = new Map<string, SeriesTotal | undefined>();
  const reader = readerOf(work.options);
  const isWanted = (name: string) => matchers.length === 0 || matchers.some((each) => each.test(name));
  for await (const samples of samplesOf(work))
    for (const sample of samples)
      reader.read(sample, (name, time, value) => {
        if (!isIn(work, time)) return;
        if (!found.has(name)) found.set(name, isWanted(name) ? { count: 0, min: NaN, max: NaN } : undefined);
        const total = found.get(name);
        if (!total) return;
        total.count++;
        if (!Number.isFinite(value)) return;
        total.min = value >= total.min ? total.min : value;
        total.max = value <= total.max ? total.max : value;
      });
  const wanted = [...found].flatMap(([name, total]) => (total ? [[name, total] as const] : []));
  const idle = patterns.find((_, i) => !wanted.some(([name]) => matchers[i]?.test(name)));
  if (idle !== undefined) {
    const { from, to } = work.options;
    const named = `is called ${idle}${from === undefined && to === undefined ? '' : ' and has values in that time'}`;
    throw new UsageFault(`No series of ${work.path} ${named}; traintop export --list --series '*' names all.`);
  }
  return { totals: new Map(wanted.sort(([a], [b]) => byName(a, b))), reader };
}

/** Text by its letters, numbers in it by their size. */
const { compare: byName } = new Intl.Collator('en', { numeric: true });

function matcherOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}

function isIn({ from, to }: Work, time: number): boolean {
  return time >= from && time <= to;
}

/** What was received in that time, and a little longer: what is late has its own time. */
async function* samplesOf(work: Work, done = 0): AsyncGenerator<readonly Sample[]> {
  const { recording, progress, options } = work;
  const [from, to] = [Math.max(work.from, recording.from), Math.min(work.to, recording.to)];
  const share = options.list ? 1 : 0.5;
  const cursor = await recording.cursor(from);
  for (let samples = await cursor.next(); samples; samples = await cursor.next()) {
    const time = samples[0]?.receivedAt ?? from;
    if (time > to + waitMs) return;
    progress.at(done + (share * (time - from)) / (to - from + 1));
    yield samples;
  }
}

/** Single threads and processes are many, and seldom wanted. */
function readerOf({ series }: ExportOptions): SeriesReader {
  return createSeriesReader({ many: series.some((pattern) => /^(?:[*?]|thread|process)/.test(pattern)) });
}

/** Who reads may go before all is written (`| head`): that is no fault. */
async function write(parts: Iterable<string> | AsyncIterable<string>, output: string | undefined): Promise<void> {
  const isFile = output !== undefined && output !== '-';
  const iterator = (async function* () {
    yield* parts;
  })();
  // A wish that cannot be fulfilled is told before a file that is there is emptied.
  let next = await iterator.next();
  const stream = isFile ? createWriteStream(output, { mode: 0o600 }) : process.stdout;
  let fault: unknown;
  /** What the parts throw, told from what the stream throws into who makes them (Node 24 does, 20 does not). */
  async function* watched() {
    try {
      while (!next.done) {
        yield next.value;
        next = await iterator.next().catch((error: unknown) => {
          throw (fault = error);
        });
      }
    } finally {
      await iterator.return();
    }
  }
  try {
    await pipeline(Readable.from(watched()), stream, { end: isFile });
  } catch (error) {
    if (fault !== undefined) throw fault as Error;
    if (isFile) throw new RecordingFault(`${output} could not be written (${(error as Error).message}).`);
    // Of standard output main.ts says what is to be said.
  }
}

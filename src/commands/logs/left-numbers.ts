import type { LogRecord } from '../../collectors/log/reader.ts';
import type { LogValues } from '../../model/samples.ts';
import type { NumberedPiece } from './pieces.ts';

/** Dates, times, addresses, places in programs, what stands in a name: they measure nothing. */
const noise =
  /\d{4}[-/]\d\d[-/]\d\d[T ]?|\b\d\d[-/]\d\d (?=\d\d:)|\d+(?::\d\d)+(?:[.,]\d+)?|\d+(?:\.\d+){3}|[\w./-]+\.(?:py|cpp|cc|cu|c|h|rs|go|jl):\d+|\b(?:pid|PID)[=: ]\d+|\d+%\|[^|]*\||0x[\da-f_]+|(?<![\w.])[\p{L}_][\w-]*\d[\w-]*/giu;
const number = /(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?/gi;
/** From what is printed to what is read. */
const scales = [1, 1e-3, 1e-6, 100, 1e3, 1e6, 1e9, 1e12, 60, 3600, 2 ** 10, 2 ** 20, 2 ** 30];

/** Numbers of a record's text that are in none of its values, as they are printed. */
export function leftNumbers({ texts, values, event, rank }: LogRecord<NumberedPiece>): readonly string[] {
  const read = new Set(numbersOf(values));
  if (rank !== undefined) read.add(rank);
  for (const detail of Object.values(event?.details ?? {})) read.add(Number(detail));
  const plain = texts.join('\n').replace(noise, ' ');
  const left = [...plain.matchAll(number)].map(([text]) => text).filter((text) => !isRead(text, read));
  return [...new Set(left)];
}

function isRead(text: string, read: ReadonlySet<number>): boolean {
  const value = Number(text.replaceAll(',', ''));
  return scales.some((scale) => {
    const scaled = value * scale;
    if (read.has(scaled) || read.has(Number(scaled.toPrecision(12)))) return true;
    // Bytes may be rounded.
    return scale >= 2 ** 10 && read.has(Math.round(scaled));
  });
}

function numbersOf(values: LogValues | undefined): readonly number[] {
  if (!values) return [];
  const { queues = [], stages = [], other = {}, tokensPerSecondScope: _, ...fields } = values;
  const all = [...Object.values(fields), ...Object.values(other), ...queues.flatMap(numeric)];
  // A stage's times are in milliseconds.
  return [
    ...all,
    ...stages.flatMap(numeric),
    ...stages.flatMap(numeric).map((ms) => Number((ms / 1000).toPrecision(12))),
  ];
}

const numeric = (reading: object) => Object.values(reading).filter((value) => typeof value === 'number');

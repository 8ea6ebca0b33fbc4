import type { LogRecord } from '../../collectors/log/reader.ts';
import { leftNumbers } from './left-numbers.ts';
import type { NumberedPiece } from './pieces.ts';
import { reasonOf } from './reason.ts';
import { sayRecord } from './say.ts';
import { createSummary } from './summary.ts';

/** Makes records into text for people: a line a record, lines that say nothing together, at the end a summary. */
export interface LogText {
  /** What can be said now, whole lines. */
  add(records: readonly LogRecord<NumberedPiece>[]): string;
  end(): string;
}

/** Characters of a text that is quoted. */
const longestQuote = 100;
const mostLeft = 8;

/** The text of one log. */
export function createLogText(): LogText {
  const summary = createSummary();
  let silent: Silent | undefined;

  const closeSilent = () => {
    if (!silent) return '';
    const { first, last, reason, quote } = silent;
    silent = undefined;
    return row({ lines: [first, last], format: '-', said: `not read: ${reason}  ${quote}` });
  };

  const one = (record: LogRecord<NumberedPiece>): string => {
    const text = record.texts.map((each) => each.trim()).find((each) => each !== '');
    if (text === undefined) return '';
    const lines = linesOf(record);
    if (!record.values && !record.event) {
      const reason = reasonOf(record);
      summary.silent(reason);
      if (silent?.reason === reason) {
        silent = { ...silent, last: lines[1] };
        return '';
      }
      const closed = closeSilent();
      silent = { first: lines[0], last: lines[1], reason, quote: quoted(text) };
      return closed;
    }
    const left = leftNumbers(record);
    summary.told(record, left.length);
    const some = left.slice(0, mostLeft).join(', ');
    const more = left.length > mostLeft ? `, and ${left.length - mostLeft} more` : '';
    const said = `${sayRecord(record)}${left.length > 0 ? `; not read: ${some}${more}` : ''}`;
    return closeSilent() + row({ lines, format: record.format ?? '-', said });
  };

  return {
    add: (records) => records.map(one).join(''),
    end: () => closeSilent() + summary.text(),
  };
}

interface Silent {
  readonly first: number;
  readonly last: number;
  readonly reason: string;
  /** Of the first of them. */
  readonly quote: string;
}

/** The first and the last one, by their numbers. */
function linesOf({ pieces }: LogRecord<NumberedPiece>): readonly [number, number] {
  const first = pieces[0]?.line ?? 0;
  return [first, pieces.findLast(({ text }) => text.trim() !== '')?.line ?? first];
}

function row({
  lines: [first, last],
  format,
  said,
}: {
  lines: readonly [number, number];
  format: string;
  said: string;
}) {
  const place = last > first ? `${first}-${last}` : String(first);
  return `${place.padStart(9)}  ${format.padEnd(14)}  ${said}\n`;
}

const quoted = (text: string) =>
  `"${text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text.replace(/\s+/g, ' ')}"`;

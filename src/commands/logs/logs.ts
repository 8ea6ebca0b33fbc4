import { systemClock } from '../../clock.ts';
import { createLogReader, type LogRecord } from '../../collectors/log/reader.ts';
import { leftOutSentence, logReading } from '../log-reading.ts';
import { openLog } from './input.ts';
import type { LogsOptions } from './options.ts';
import { piecesOf, type NumberedPiece } from './pieces.ts';
import { recordJson } from './record-json.ts';
import { createLogText, type LogText } from './text.ts';
import { createTriedText } from './tried.ts';

/** Nothing more of a record comes after so long. */
const quietMs = 250;

/**
 * Prints what is read from a log, what is not and why, or a JSON object a record. Resolves with the exit code: 1 where a pattern that was
 * tried reads nothing. Rejects with a UsageFault.
 */
export async function logs({ path, json, format, tried, patterns }: LogsOptions): Promise<number> {
  const all = tried ? [tried, ...patterns] : patterns;
  const reading = logReading({ patterns: all, pinned: format, option: '--format' });
  const input = await openLog(path);
  const reader = createLogReader<NumberedPiece>(reading.options);
  const shown = tried && createTriedText(tried);
  const text: LogText = json ? jsonText() : (shown ?? createLogText());
  let isOpen = true;
  let cancelFlush = () => {};
  process.stdout.on('error', () => (isOpen = false));
  const flush = () => void process.stdout.write(text.add(reader.flush()));
  const end = async () => {
    cancelFlush();
    await print(text.add(reader.flush()) + text.end());
  };
  try {
    for await (const pieces of piecesOf(input.chunks)) {
      cancelFlush();
      await print(text.add(pieces.flatMap((piece) => reader.push(piece))));
      if (!isOpen) return 0;
      if (input.isLive) cancelFlush = systemClock.after(quietMs, flush);
    }
  } catch (error) {
    // What could be read of it is told.
    await end();
    throw error;
  }
  await end();
  for (const name of reading.leftOut()) process.stderr.write(`traintop: ${leftOutSentence(name)}\n`);
  return shown && !json && shown.matches() === 0 ? 1 : 0;
}

/** Waits where the reader of the output is slow: a log may be larger than the memory. */
async function print(text: string): Promise<void> {
  if (text === '' || process.stdout.write(text)) return;
  await new Promise<void>((done) => {
    const end = () => {
      process.stdout.off('drain', end).off('error', end).off('close', end);
      done();
    };
    process.stdout.on('drain', end).on('error', end).on('close', end);
  });
}

function jsonText(): LogText {
  // The rest of a line that is too long is of the record before.
  const isTold = ({ pieces }: LogRecord<NumberedPiece>) =>
    pieces.some(({ text, goesOn }) => !goesOn && text.trim() !== '');
  return {
    add: (records) =>
      records
        .filter(isTold)
        .map((record) => `${JSON.stringify(recordJson(record))}\n`)
        .join(''),
    end: () => '',
  };
}

import { createReadStream } from 'node:fs';
import { createLogReader, type LogRecord } from '../../collectors/log/reader.ts';
import { piecesOf, type NumberedPiece } from './pieces.ts';
import { recordJson } from './record-json.ts';

/** Prints what is read from a log, a JSON object a record. Resolves with the exit code. */
export async function logs(path: string): Promise<number> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  const reader = createLogReader<NumberedPiece>();
  for await (const pieces of piecesOf(input as AsyncIterable<Buffer>))
    print(pieces.flatMap((piece) => reader.push(piece)));
  print(reader.flush());
  return 0;
}

function print(records: readonly LogRecord<NumberedPiece>[]): void {
  const told = records.filter(({ pieces }) => pieces.some(({ text }) => text.trim() !== ''));
  process.stdout.write(told.map((record) => `${JSON.stringify(recordJson(record))}\n`).join(''));
}

import { createLogReader, type LogRecord } from '../../../src/collectors/log/reader.ts';
import { piecesOf, type NumberedPiece } from '../../../src/commands/logs/pieces.ts';

/** The records of a log whose bytes come in chunks of this size, blank ones left out. */
export async function recordsOf(
  log: string | Buffer,
  chunkSize = 1 << 20,
): Promise<readonly LogRecord<NumberedPiece>[]> {
  const bytes = typeof log === 'string' ? Buffer.from(log) : log;
  const reader = createLogReader<NumberedPiece>();
  const records: LogRecord<NumberedPiece>[] = [];
  for await (const pieces of piecesOf(chunksOf(bytes, chunkSize)))
    for (const piece of pieces) records.push(...reader.push(piece));
  records.push(...reader.flush());
  return records.filter(({ texts }) => texts.some((text) => text.trim() !== ''));
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

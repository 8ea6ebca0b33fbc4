import type { LogRecord } from '../../../../src/collectors/log/reader.ts';
import type { NumberedPiece } from '../../../../src/commands/logs/pieces.ts';
import { recordsOf } from '../read-records.ts';

/** The records of a log; of each its first line and its number of lines, blank ones not counted. */
export async function readExtents(log: string) {
  const records = await recordsOf(log);
  return { extents: records.map(extent), values: records.map(({ values }) => values), records };
}

const extent = ({ pieces, texts }: LogRecord<NumberedPiece>) => [
  pieces[0]?.line,
  texts.filter((text) => text.trim() !== '').length,
];

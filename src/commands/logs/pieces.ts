import { createLineSplitter, type Line } from '../../collectors/lines.ts';
import type { Piece } from '../../collectors/log/reader.ts';

/** A piece of a file with the number of its line. */
export interface NumberedPiece extends Piece {
  /** Of the line (LF only), from 1. */
  readonly line: number;
}

/** Bytes in any chunks to pieces: the same pieces however the bytes are cut. */
export async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly NumberedPiece[]> {
  const splitter = createLineSplitter(true);
  let line = 1;
  let goesOn = false;
  const numbered = ({ text, end }: Line): NumberedPiece => {
    const piece = { text, line, ...(goesOn && { goesOn }) };
    if (end === 'lf') line++;
    goesOn = end === undefined;
    return piece;
  };
  for await (const chunk of chunks) yield splitter.push(chunk).map(numbered);
  const rest = splitter.rest();
  if (rest !== '') yield [numbered({ text: rest, bytes: Buffer.byteLength(rest) })];
}

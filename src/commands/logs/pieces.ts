import { createLineSplitter } from '../../collectors/lines.ts';
import type { Piece } from '../../collectors/log/reader.ts';

/** A piece of a file with the number of its line. */
export interface NumberedPiece extends Piece {
  /** Of the line (LF only), from 1. */
  readonly line: number;
}

/** Bytes in any chunks to pieces: the same pieces however the bytes are cut. */
export async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly NumberedPiece[]> {
  const splitter = createLineSplitter();
  let line = 0;
  const numbered = (text: string) => {
    line++;
    return text.split('\r').map((piece) => ({ text: piece, line }));
  };
  for await (const chunk of chunks) yield splitter.push(chunk).flatMap(({ text }) => numbered(text));
  const rest = splitter.rest();
  if (rest !== '') yield numbered(rest);
}

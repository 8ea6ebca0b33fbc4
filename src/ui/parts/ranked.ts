import type { Line } from './line.ts';
import { lineWidth } from './render-line.ts';
import { clip, flow } from './table.ts';

/** A piece of a row, how soon it gets a place (0 first), and what is added to it where there is room for the first four ranks. */
export interface RankedPiece {
  readonly rank: number;
  readonly line: Line;
  readonly addition?: Line;
}

/** Ranks that come before additions. */
const firstRanks = 3;

/** The pieces that find room by rank, in the order given, two blanks apart; of empty ones nothing is seen. */
export function ranked(pieces: readonly RankedPiece[], width: number): Line {
  const kept = new Map<RankedPiece, Line>();
  const shown = () => pieces.flatMap((piece) => [kept.get(piece) ?? []]).filter((line) => line.length > 0);
  const taken = () => shown().reduce((sum, line) => sum + lineWidth(line), 2 * (shown().length - 1));
  const offer = (piece: RankedPiece, line: Line) => {
    const before = kept.get(piece);
    kept.set(piece, line);
    if (taken() <= width) return;
    if (before) kept.set(piece, before);
    else kept.delete(piece);
  };
  const byRank = [...pieces].sort((a, b) => a.rank - b.rank);
  for (const piece of byRank.filter(({ rank }) => rank <= firstRanks)) offer(piece, piece.line);
  for (const piece of byRank) if (piece.addition && kept.has(piece)) offer(piece, [...piece.line, ...piece.addition]);
  for (const piece of byRank.filter(({ rank }) => rank > firstRanks)) offer(piece, piece.line);
  return kept.size === 0 ? clip(byRank[0]?.line ?? [], width) : flow(shown(), width);
}

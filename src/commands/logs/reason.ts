import type { LogRecord } from '../../collectors/log/reader.ts';
import type { NumberedPiece } from './pieces.ts';

/** Why nothing was read from a record, as a clause. */
export function reasonOf({ texts, pieces, level, repeats }: LogRecord<NumberedPiece>): string {
  const text = texts.join('\n');
  if (pieces[0]?.goesOn) return 'the rest of a line that is too long: only its beginning is read';
  if (repeats !== undefined) return `rank ${repeats} told the same step`;
  if (level === 'error') return 'an error: its numbers are no readings';
  if (!/\d|\bnan\b|\binf\b/i.test(text)) return 'no number in it';
  if (level === 'warning') return 'a warning without a step: its numbers are no readings';
  if (/\d%\|/.test(text)) return 'a bar that is not of the training loop';
  return 'numbers, but no names that are known for a run, and no step';
}

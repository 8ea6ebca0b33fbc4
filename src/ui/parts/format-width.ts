import stringWidth from 'string-width';

/** Cells that a text takes. What is known to take one cell a character is not measured: string-width took a third of the program's time. */
export function cells(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** A text cut and padded to exactly `width` cells. A cut one ends with an ellipsis (`…`, ASCII `~`). */
export function fit(text: string, width: number, options: { align?: 'left' | 'right'; ascii?: boolean } = {}): string {
  if (width <= 0) return '';
  const shown = cut(text, width, options.ascii);
  const blanks = ' '.repeat(Math.max(0, width - cells(shown)));
  return options.align === 'right' ? blanks + shown : shown + blanks;
}

/** A text cut to at most `width` cells, between grapheme clusters. */
export function cut(text: string, width: number, ascii = false): string {
  if (width <= 0) return '';
  const ellipsis = ascii ? '~' : '…';
  if (isPlain(text)) return text.length <= width ? text : text.slice(0, width - 1) + ellipsis;
  // A text's first width*8 units hold more than width cells or nothing worth reading (runs of combining marks).
  const head = text.length > width * 8 + 16 ? text.slice(0, width * 8 + 16) : text;
  if (head === text && stringWidth(text) <= width) return text;
  let kept = '';
  let taken = 0;
  for (const { segment } of segmenter.segment(head)) {
    const size = stringWidth(segment);
    if (taken + size > width - 1) break;
    kept += segment;
    taken += size;
  }
  return kept + ellipsis;
}

const segmenter = new Intl.Segmenter();

/** Characters that take one cell each and join with nothing: ASCII, our own signs, arrows, box drawing, blocks, braille. */
function isPlain(text: string): boolean {
  return !/[^\x20-\x7e°·×–…\u2190-\u2193\u2197\u2198\u2500-\u259f\u2800-\u28ff]/.test(text);
}

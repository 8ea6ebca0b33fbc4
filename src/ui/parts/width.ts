import stringWidth from 'string-width';

/**
 * Characters that are one cell in every terminal: printable ASCII, Latin, the punctuation and arrows that the screen uses, box
 * drawing, blocks, triangles and circles, braille. A string of these is measured by its length.
 */
const single =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2070-\u208e\u2190-\u2193\u2500-\u259f\u25a0\u25b2\u25b8\u25bc\u25c2\u25cb\u25cf\u2800-\u28ff]*$/;

/**
 * Terminals and tmux disagree about the width of joined emoji, variation selectors, skin tones and flags; a wrong guess shifts
 * the rest of the row. These are taken out (a flag becomes its two letters), as is every control character.
 */
const disputed =
  /[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;
const controls = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;
const regional = /[\u{1f1e6}-\u{1f1ff}]/gu;

/** The text with only characters whose width is not in doubt. Same text back (no copy) when it has no others. */
export function plainText(text: string): string {
  if (single.test(text)) return text;
  return text
    .replace(controls, '\ufffd')
    .replace(disputed, '')
    .replace(regional, (flag) => String.fromCharCode(0x41 + (flag.codePointAt(0) ?? 0) - 0x1f1e6));
}

/** Cells that the text takes; it must have passed `plainText`. */
export function displayWidth(text: string): number {
  return single.test(text) ? text.length : stringWidth(text);
}

/** UTF-16 units that a cell may take: more marks on one letter are somebody's joke. */
const longestCell = 32;

/** At most `width` cells of the text; what was cut off is marked by `mark` in the last cell. */
export function cutText(text: string, width: number, mark = '…'): string {
  if (width <= 0) return '';
  // To measure 100,000 characters of another script takes a tenth of a second, and no cell has so many.
  const most = width * longestCell;
  if (text.length <= most && displayWidth(text) <= width) return text;
  const room = width - displayWidth(mark);
  return head(text.slice(0, most), room) + (room >= 0 ? mark : '');
}

/** The text cut or padded to exactly `width` cells. */
export function fitText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const shown = cutText(plainText(text), width);
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(shown)));
  return align === 'right' ? blanks + shown : shown + blanks;
}

/** The text in rows of at most `width` cells, broken at blanks, words longer than a row inside. */
export function wrapText(text: string, width: number): readonly string[] {
  if (width <= 0) return [];
  const rows: string[] = [];
  let row = '';
  for (const word of plainText(text).split(' ')) {
    let rest = word;
    if (row !== '' && displayWidth(row) + 1 + displayWidth(rest) <= width) {
      row += ` ${rest}`;
      continue;
    }
    if (row !== '') rows.push(row);
    while (displayWidth(rest) > width) {
      // A wide character in a row of one cell: it cannot be shown, and must not hold the loop.
      const part = head(rest, width) || [...rest][0] || '';
      rows.push(part);
      rest = rest.slice(part.length);
    }
    row = rest;
  }
  if (row !== '' || rows.length === 0) rows.push(row);
  return rows;
}

const segmenter = new Intl.Segmenter();

function head(text: string, width: number): string {
  if (width <= 0) return '';
  if (single.test(text)) return text.slice(0, width);
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += displayWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return kept;
}

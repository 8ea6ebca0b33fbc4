import type { Style, Theme } from '../theme.ts';
import { toAscii } from './ascii.ts';
import type { Line, Segment } from './line.ts';
import { cutText, displayWidth, plainText } from './width.ts';

/** One row as a string with SGR codes, cut or padded to exactly `width` cells. `dimmed` draws all of it in the dim tone. */
export function renderLine(init: {
  readonly line: Line;
  readonly width: number;
  readonly theme: Theme;
  readonly dimmed?: boolean;
}): string {
  const { line, width, theme, dimmed = false } = init;
  let left = width;
  let row = '';
  for (let i = 0; i < line.length && left > 0; i++) {
    const segment = line[i] as Segment;
    const text = plainText(segment.text);
    const cells = displayWidth(text);
    // The mark of a cut stands at the end of the row, also when the text after the last cell is another segment.
    const cutHere = cells > left || (cells === left && hasText(line, i + 1));
    const shown = cutHere ? cutText(cells > left ? text : `${text} `, left) : text;
    left -= cutHere ? displayWidth(shown) : cells;
    row += styled(theme.ascii ? toAscii(shown) : shown, stylesOf(segment, theme, dimmed));
    if (cutHere) break;
  }
  return left > 0 ? row + ' '.repeat(left) : row;
}

/** The line cut to at most `width` cells, the cut marked. */
export function cutLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const kept: Segment[] = [];
  let left = width;
  for (const segment of line) {
    const text = plainText(segment.text);
    const cells = displayWidth(text);
    // One cell stays for the mark: something follows, or this segment is the one to cut.
    if (cells < left) kept.push({ ...segment, text });
    else return [...kept, { ...segment, text: cutText(`${text} `, left) }];
    left -= cells;
  }
  return kept;
}

/** Cells of a line. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(plainText(text)), 0);
}

function hasText(line: Line, from: number): boolean {
  for (let i = from; i < line.length; i++) if ((line[i] as Segment).text.trim() !== '') return true;
  return false;
}

const inverse: Style = ['7', '27'];

function stylesOf({ tone = 'plain', inverse: inverted }: Segment, theme: Theme, dimmed: boolean): readonly Style[] {
  const styles = theme.styles[dimmed ? 'dim' : tone];
  return inverted ? [inverse, ...styles] : styles;
}

function styled(text: string, styles: readonly Style[]): string {
  if (text === '' || styles.length === 0) return text;
  let open = '';
  let close = '';
  for (const [on, off] of styles) {
    open += `\x1b[${on}m`;
    close = `\x1b[${off}m${close}`;
  }
  return open + text + close;
}

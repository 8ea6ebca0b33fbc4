import type { IBufferCell, Terminal } from '@xterm/headless';
import { CELL, SHAPE_STYLE, shapeOf } from './svg-shapes.ts';
import { blend, paletteColour, THEME } from './svg-colours.ts';

/**
 * The visible screen of an xterm terminal as an SVG picture. Every cell has its place in a fixed grid: box, block and braille
 * characters are drawn as shapes and text is stretched to its cells, so that columns line up whatever font the viewer has.
 */
export function screenToSvg(terminal: Terminal): string {
  const { cols, rows } = terminal;
  const width = cols * CELL.width + 2 * CELL.margin;
  const height = rows * CELL.height + 2 * CELL.margin;
  const body = Array.from({ length: rows }, (_, row) => rowToSvg(runsOf(terminal, row), row)).join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}">`,
    `<style>${SHAPE_STYLE}</style>`,
    `<rect width="100%" height="100%" rx="6" fill="${THEME.background}"/>`,
    `<g transform="translate(${CELL.margin} ${CELL.margin})" font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${CELL.font}">`,
    `${body}</g></svg>\n`,
  ].join('\n');
}

interface Style {
  readonly color: string;
  readonly background: string | undefined;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly line: string | undefined;
}

/** Neighbouring cells of one style; `cells` counts columns, so a wide character is 2. */
interface Run {
  readonly style: Style;
  readonly column: number;
  text: string;
  cells: number;
}

function runsOf(terminal: Terminal, row: number): Run[] {
  const { active } = terminal.buffer;
  const line = active.getLine(active.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; line !== undefined && column < terminal.cols; column++) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const chars = cell.getChars() || ' ';
    const last = runs.at(-1);
    const wide = cell.getWidth() > 1 || (last?.cells ?? 0) > (last?.text.length ?? 0);
    if (last !== undefined && !wide && same(last.style, style)) {
      last.text += chars;
      last.cells += 1;
    } else runs.push({ style, column, text: chars, cells: cell.getWidth() });
  }
  return runs;
}

function styleOf(cell: IBufferCell): Style {
  const front = cell.isFgDefault() ? THEME.text : colour(cell.isFgRGB() !== false, cell.getFgColor());
  const back = cell.isBgDefault() ? undefined : colour(cell.isBgRGB() !== false, cell.getBgColor());
  const inverse = cell.isInverse() !== 0;
  const color = inverse ? (back ?? THEME.background) : front;
  const background = inverse ? front : back;
  const lines = [cell.isUnderline() && 'underline', cell.isStrikethrough() && 'line-through'].filter(Boolean);
  return {
    color: cell.isDim() ? blend(color, background ?? THEME.background, 0.4) : color,
    background,
    bold: cell.isBold() !== 0,
    italic: cell.isItalic() !== 0,
    line: lines.length > 0 ? lines.join(' ') : undefined,
  };
}

function colour(direct: boolean, value: number): string {
  return direct ? `#${value.toString(16).padStart(6, '0')}` : paletteColour(value);
}

function same(a: Style, b: Style): boolean {
  return (
    a.color === b.color &&
    a.background === b.background &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.line === b.line
  );
}

function rowToSvg(runs: readonly Run[], row: number): string {
  const backgrounds = runs.map((run) => (run.style.background === undefined ? '' : background(run, row)));
  return [...backgrounds, ...runs.map((run) => runToSvg(run, row))].filter((part) => part !== '').join('\n');
}

// A little wider and higher than the cells, so that no seam shows between two of them.
function background({ style, column, cells }: Run, row: number): string {
  const [x, y] = [round(column * CELL.width), round(row * CELL.height)];
  return `<rect x="${x}" y="${y}" width="${round(cells * CELL.width + 0.2)}" height="${CELL.height + 0.2}" fill="${style.background}"/>`;
}

function runToSvg(run: Run, row: number): string {
  const shapes: string[] = [];
  let rest = '';
  if (run.text.length !== run.cells) rest = run.text;
  else
    for (const [index, char] of [...run.text].entries()) {
      const shape = shapeOf(char);
      if (shape !== undefined) shapes.push(shape((run.column + index) * CELL.width, row * CELL.height));
      rest += shape === undefined ? char : ' ';
    }
  const text = run.text.length === run.cells ? words(rest) : [{ text: rest, offset: 0, cells: run.cells }];
  const drawn = text.map((word) => textToSvg({ ...run, ...word, column: run.column + word.offset }, row)).join('');
  return shapes.length === 0
    ? drawn
    : `<g fill="${run.style.color}" color="${run.style.color}">${shapes.join('')}</g>${drawn}`;
}

/** Pieces without two blanks in a row: viewers fold blanks. */
function words(text: string): { text: string; offset: number; cells: number }[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: word, index }) => ({
    text: word,
    offset: index,
    cells: word.length,
  }));
}

function textToSvg({ text, column, cells, style }: Run, row: number): string {
  if (text.trim() === '') return '';
  const [x, y] = [round(column * CELL.width), round(row * CELL.height + CELL.baseline)];
  const extra = [
    style.bold ? ' font-weight="bold"' : '',
    style.italic ? ' font-style="italic"' : '',
    style.line === undefined ? '' : ` text-decoration="${style.line}"`,
  ].join('');
  const length = `textLength="${round(cells * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x}" y="${y}" ${length} fill="${style.color}"${extra}>${escape(text)}</text>`;
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

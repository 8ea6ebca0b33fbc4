import { meaningOf } from '../values/names.ts';

/** Knows the columns of a log's tables by their header. */
export interface Tables {
  /** The line is one of a table: a row as `column: value | ...`, '' for a header or a rule; undefined: it is none. */
  take(text: string): string | undefined;
}

interface Header {
  readonly names: readonly string[];
  readonly parting: Parting;
}

/** How the cells of a line are told apart. */
type Parting = ',' | ';' | '\t' | '|' | ' ';

const longestLine = 2000;
const mostColumns = 60;
/** Lines that are no rows, before the columns are forgotten. */
const mostBetween = 200;

/** `epoch`, `train_loss`, `samples/s`, `Acc@1`, `lr (x1e-4)`. */
const columnName = /^[\p{L}_#%][\p{L}\p{N}_ ./%()@#^*+-]{0,40}$/u;
/** What stands in a cell: a number with its unit, a part of a whole, a time, or nothing. */
const cell =
  /^(?:[-+]?(?:\d[\d.,]*|\.\d+)(?:[eE][-+]?\d+)?\s?[%\p{L}/]{0,12}|\d+\s?\/\s?\d+|\d+(?::\d\d)+(?:\.\d+)?|[-+]?nan|[-+]?inf|[-–—]{1,3}|none|n\/a|null|)$/iu;
const isValue = /\d|nan|inf/i;
const rule = /^[\s|+=:─━═┌┬┐├┼┤└┴┘╭╮╰╯┃│╞╪╡┏┳┓┡╇┩-]+$/u;

/** Tables as CSV files, pandas, fastai, rich and many trainers print them: a header, then rows of figures. */
export function createTables(): Tables {
  let header: Header | undefined;
  let between = 0;
  return {
    take(text) {
      if (text.length > longestLine) return undefined;
      const first = firstOf(text);
      if (header && isFigure(first)) {
        const row = rowOf(text, header);
        if (row !== undefined) {
          between = 0;
          return row;
        }
      }
      if (header && rule.test(text)) return '';
      const found = isHeaderStart(first) ? headerOf(text) : undefined;
      if (found) {
        header = found;
        between = 0;
        return '';
      }
      if (header && ++between > mostBetween) header = undefined;
      return undefined;
    },
  };
}

function firstOf(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) === 32) at++;
  return text.charCodeAt(at);
}

/** A digit, a sign, a bar. */
const isFigure = (code: number) =>
  (code >= 48 && code <= 57) || code === 45 || code === 46 || isBar(code) || code === 110;
const isBar = (code: number) => code === 124 || code === 0x2502 || code === 0x2503;
const isHeaderStart = (code: number) =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 35 || code === 34 || code > 127 || isBar(code);

function headerOf(text: string): Header | undefined {
  if (text.includes('=') || text.includes(': ') || text.includes('{')) return undefined;
  for (const parting of partingsOf(text)) {
    const names = cellsOf(text.replace(/^#\s*/, ''), parting);
    if (names.length < 3 || names.length > mostColumns) continue;
    if (!names.every((name) => columnName.test(name)) || new Set(names).size < names.length) continue;
    const known = names.filter((name) => meaningOf(name) !== undefined);
    const leading = known.some((name) => /^(?:step|epoch|loss|validationLoss)$/.test(meaningOf(name)?.as ?? ''));
    // A sentence has words that no column is called.
    if (leading && known.length >= (parting === ' ' ? Math.max(2, names.length / 3) : 2)) return { names, parting };
  }
  return undefined;
}

function partingsOf(text: string): readonly Parting[] {
  if (/[|│┃]/.test(text)) return ['|'];
  const found = ([',', ';', '\t'] as const).filter((parting) => text.includes(parting));
  return found.length > 0 ? found : [' '];
}

function cellsOf(text: string, parting: Parting): readonly string[] {
  if (parting === '|') {
    const cells = text.split(/[|│┃]/).map((each) => each.trim());
    return cells.slice(cells[0] === '' ? 1 : 0, cells.at(-1) === '' ? -1 : undefined);
  }
  // Columns of words: two blanks where names have one of their own.
  if (parting === ' ') return text.trim().split(/\s{2,}/.test(text.trim()) ? /\s{2,}|\t/ : /\s+/);
  return text.split(parting).map((each) => each.trim().replace(/^"(.*)"$/, '$1'));
}

function rowOf(text: string, { names, parting }: Header): string | undefined {
  const split = (parts: Parting) => cellsOf(text, parts);
  let cells = split(parting);
  if (parting === ' ' && cells.length !== names.length) cells = text.trim().split(/\s+/);
  if (cells.length !== names.length || !cells.every((each) => cell.test(each))) return undefined;
  if (cells.filter((each) => isValue.test(each)).length < 2) return undefined;
  return cells
    .flatMap((each, i) => (isValue.test(each) && !/^n\/a$/i.test(each) ? [`${names[i]}: ${each}`] : []))
    .join(' | ');
}

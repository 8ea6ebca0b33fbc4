import { meaningOf, type Meaning } from './names.ts';
import { cellsBy, type Split } from './cells.ts';
import { isDigit } from './chars.ts';
import { unitOf } from './units.ts';

/** A column, and what its numbers mean. */
export interface Column {
  readonly name: string;
  readonly meaning: Meaning | undefined;
}

/** The columns of a table. */
export interface Header {
  readonly split: Split;
  /** Where each column begins, of one whose ruler tells it. */
  readonly starts?: readonly number[];
  /** Where each title stands, of one whose columns are parted by blanks. */
  readonly titles?: readonly Span[];
  readonly columns: readonly Column[];
  /** Rows are told by their first cell: stages or queues. */
  readonly of: 'stage' | 'queue' | undefined;
  /** The table stands behind marks that are no part of it. */
  readonly tagged: boolean;
}

/** A row below its columns. */
export interface Row {
  readonly columns: readonly Column[];
  readonly cells: readonly string[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const bars = /[|│┃║]/;
/**
 * What stands before a table behind a time and a level, or without any: `[trainer] [info] `, `trainer - INFO - `, `train: `, `INFO:train:`,
 * `(trainer/123): `, `node07 train[123]: `, `[ Info: `.
 */
const tags =
  /^\s*(?:[A-Z]{4,8}:[A-Za-z_][\w.]{0,60}:\s*|\[\s[A-Z][a-z]{2,8}:\s|(?:[\w.-]{1,60}\s)?[A-Za-z][\w.-]{0,60}\[\d{1,8}\]:\s|(?:(?:\[[^\]|│]{0,60}\p{L}[^\]|│]{0,60}\]|\([^)|│]{0,60}\p{L}[^)|│]{0,60}\)|[A-Za-z][\w.:/]{0,60}(?::|\s-(?=\s)))(?::|\s[-|:>])?\s{1,20}){1,5})/u;
/** rich: the place in the program behind the row. */
const place = /\s{2,}[\w./-]{1,60}\.(?:py|rs|cc|cpp|go):\d+\s*$/;
/** A row within what a logger wrote: `{"msg": "step  loss"}`, `level=INFO msg="step  loss"`. */
const within = /(?:"(?:message|msg|log|text|event)"\s*:\s*|\bmsg=)"((?:[^"\\]|\\.){3,1000})"/;

/** A line of a table without what stands about it, and what stood before it. */
export function untagged(text: string): { readonly rest: string; readonly tag: string } {
  const [, message] = (text.includes('":') || text.includes('msg="') ? within.exec(text) : null) ?? [];
  if (message !== undefined) return { rest: message.replace(/\\t/g, '  '), tag: '' };
  const whole = isDigit(text.charCodeAt(text.trimEnd().length - 1)) ? text.replace(place, '') : text;
  const [tag = ''] = tags.exec(whole) ?? [];
  return { rest: whole.slice(tag.length), tag };
}

/** The columns that a line names; undefined: it names none. */
export function headerOf(line: string): Header | undefined {
  const own = columnsIn(line.replace(/^\s*#\s+/, ''), false);
  if (own) return own;
  const { rest } = untagged(line);
  return rest.length < line.length ? columnsIn(rest, true) : undefined;
}

function columnsIn(text: string, tagged: boolean): Header | undefined {
  if (/[=:{}]|\d{3}/.test(text)) return undefined;
  const split = bars.test(text)
    ? cellsBy.bars
    : text.includes(',')
      ? cellsBy.commas
      : text.includes(';')
        ? cellsBy.semicolons
        : /\S\s{2,}\S/.test(text)
          ? cellsBy.gaps
          : cellsBy.blanks;
  const names = split(text);
  if (names.length < (split === cellsBy.blanks ? 3 : 2) || names.length > 60) return undefined;
  const inBars = split === cellsBy.bars;
  if (!names.every((name) => isName(name) && (inBars || !name.endsWith('.')))) return undefined;
  const columns = names.map((name) => ({ name, meaning: meaningOf(counted(name)) }));
  const of = namedBy(names);
  if (of) return { split: inBars ? split : cellsBy.blanks, columns, of, tagged };
  const known = columns.filter(({ meaning }) => meaning && meaning.as !== 'nothing');
  const hasEpoch = known.some(({ meaning }) => meaning?.as === 'epoch');
  const counts = columns.some(
    ({ name, meaning }, i) =>
      /^(?:step|epoch|stepInEpoch)$/.test(meaning?.as ?? '') && (hasEpoch || i === 0 || !/^batch(?:es)?$/i.test(name)),
  );
  const told = known.some(({ meaning }) => !/^(?:step|epoch|totalSteps|stepInEpoch)$/.test(meaning?.as ?? ''));
  // Columns of names that nobody knows: never so in a sentence.
  const plainly = names.length > 2 && split !== cellsBy.blanks && names.every((name) => /^[\w/.@%()-]+$/.test(name));
  const isProse = (split === cellsBy.commas || split === cellsBy.semicolons) && columns.some(isPhrase);
  if (!counts || isProse || (!plainly && (known.length < 2 || !told))) return undefined;
  if (split === cellsBy.blanks && known.length < names.length) return undefined;
  if (split !== cellsBy.gaps) return { split, columns, of: undefined, tagged };
  // Columns of numbers have no blanks in them: rows may be set closer than the header.
  return { split: cellsBy.blanks, titles: spansOf(text), columns, of: undefined, tagged };
}

/** Words of a sentence with commas in it. */
const isPhrase = ({ name, meaning }: Column) => !meaning && name.split(' ').length > 2;

const isName = (name: string) =>
  name.length <= 40 && /^[\p{L}#_|%∇][^"]*$/u.test(name) && !/[!?]$/.test(name) && name.split(' ').length <= 4;

/** `iter/total`, over `100/2000`. */
const counted = (name: string) => name.replace(/(?<=\w)\s?\/\s?(?:total|max\w*|all|of|n)$/i, '');

/** A header over a ruler: its columns are where the ruler's are. `E` and `#` are epoch and step in spaCy's. */
export function ruledHeader(names: string, ruler: string): Header | undefined {
  if (names.length > 400 || names.trim() === '') return undefined;
  const starts = [...ruler.matchAll(/-+/g)].map(({ index }) => index);
  const columns = starts.map((start, i) => {
    const name = names.slice(start, starts[i + 1]).trim();
    return { name, meaning: meaningOf(name) };
  });
  if (columns.some(({ name }) => name === '' || !/^[\p{L}#_%]/u.test(name))) return undefined;
  const has = (as: string) => columns.some(({ meaning }) => meaning?.as === as);
  const told = columns.map((column) => {
    if (/^e$/i.test(column.name) && !has('epoch')) return { ...column, meaning: meaningOf('epoch') };
    if (column.name === '#' && !has('step') && (has('epoch') || /^e$/i.test(columns[0]?.name ?? '')))
      return { ...column, meaning: meaningOf('step') };
    return column;
  });
  if (!told.some(({ meaning }) => meaning && /^(?:step|epoch|stepInEpoch)$/.test(meaning.as))) return undefined;
  return { split: cellsBy.blanks, starts, columns: told, of: undefined, tagged: false };
}

/** The row's cells, where it is sure which column each is of. */
export function rowOf({ split, starts, titles, columns }: Header, text: string): Row | undefined {
  if (split !== cellsBy.blanks) return rowBy(split, columns, text);
  const row =
    rowBy(cellsBy.gaps, columns, text) ??
    (titles && placed(titles, columns, text)) ??
    (isLoose(text) ? undefined : rowBy(split, columns, text));
  if (row) return row;
  return starts ? cutAt(starts, columns, text) : rowBy(cellsBy.pairs, columns, text);
}

/** Blanks stand within cells: in `2026-01-01 10:20`, `59.5 GiB`. */
const isLoose = (text: string) =>
  /\d[-/]\d\d? \d\d:\d\d/.test(text) ||
  Array.from(text.matchAll(/\d ([\p{L}%/]+)(?=\s|$)/gu)).some(([, word = '']) => unitOf(word) !== undefined);

function rowBy(split: Split, columns: readonly Column[], text: string): Row | undefined {
  const cells = split(text.replace(/(?<=\d)\s+[*✓✔★!←]{1,3}\s*$/, ''));
  if (cells.length === columns.length) return { columns, cells };
  // `*` behind the best so far.
  if (cells.length === columns.length + 1 && /^[^\p{L}\d]*$/u.test(cells.at(-1) ?? ''))
    return { columns, cells: cells.slice(0, -1) };
  // The date and the time that begin the row were read as a logger's.
  const times = columns.length - cells.length;
  const isLogged = (times === 1 || times === 2) && columns.slice(0, times).every(({ name }) => isTime(name));
  return isLogged && !/[-:]/.test(cells[0] ?? '') ? { columns: columns.slice(times), cells } : undefined;
}

function cutAt(starts: readonly number[], columns: readonly Column[], text: string): Row | undefined {
  const cells = starts.map((start, i) => text.slice(start, starts[i + 1]).trim());
  const isWhole = starts.every((start) => start === 0 || start > text.length || text.charCodeAt(start - 1) === 32);
  return isWhole && !cells.some((cell) => /\s/.test(cell)) ? { columns, cells } : undefined;
}

/** Cells that are left blank: each other one begins or ends where its title does. */
function placed(titles: readonly Span[], columns: readonly Column[], text: string): Row | undefined {
  const spans = spansOf(text);
  if (spans.length < 2 || spans.length >= titles.length) return undefined;
  const cells = titles.map(() => '');
  for (const { from, to } of spans) {
    const at = titles.findIndex((title) => title.from === from || title.to === to);
    if (at < 0 || cells[at] !== '') return undefined;
    cells[at] = text.slice(from, to);
    // Two cells with one blank between them.
    if (/\s[-+.\d]/.test(cells[at] ?? '')) return undefined;
  }
  return { columns, cells };
}

const spansOf = (text: string): readonly Span[] =>
  Array.from(text.matchAll(/\S+(?:\s\S+)*/g), ({ 0: cell, index }) => ({ from: index, to: index + cell.length }));

/** A column of times of day. */
export const isTime = (name: string): boolean =>
  /^(?:time|date|ts|datetime|time ?stamp|date[_ ]time|time_utc)$/i.test(name);

/** The one time of a stage: `time_ms`, `ms`, `duration (s)`. */
export const oneTime: RegExp = /^(?:time|dur(?:ation)?)[\s_]?[([]?(?:ms|us|s|sec)[)\]]?$|^(?:ms|sec|seconds)$/i;

/** `stage  avg  max  n`, `queue | depth | cap`. */
function namedBy([first = '', ...others]: readonly string[]): Header['of'] {
  const says = (pattern: RegExp) => others.some((name) => pattern.test(name));
  if (
    /^(?:stages?|phases?|sections?|timers?|ops?|regions?|spans?|scope)$/i.test(first) ||
    (/^name$/i.test(first) && says(/ms\b|\bsec|\(s\)/i))
  )
    return says(/^(?:avg|mean|average)/i) || (!/^name$/i.test(first) && says(oneTime)) ? 'stage' : undefined;
  if (
    /^(?:queues?|buffers?|name)$/i.test(first) &&
    says(/^(?:depth|size|len|length|cur|current|fill)$/i) &&
    (says(/^cap/i) || /^q|^b/i.test(first))
  )
    return 'queue';
  return undefined;
}

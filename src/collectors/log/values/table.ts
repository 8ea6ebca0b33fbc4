import type { Draft } from '../draft.ts';
import { meaningOf, type KeyUnit, type Meaning } from './names.ts';
import { blankReading, scanValue, type Reading } from './scan-value.ts';
import { secondsOf, take, takeStage, type Place } from './take.ts';

/** Tables whose columns are named once, above: text columns, CSV, Markdown, boxes. One reads one log. */
export interface TableReader {
  /** A line that says nothing itself, which may name columns. */
  header(text: string): void;
  /** Whether lines below a header are looked for. */
  readonly open: boolean;
  /** Reads a row of the table; false: the line is none. */
  row(text: string, draft: Draft): boolean;
}

interface Column {
  readonly name: string;
  readonly meaning: Meaning | undefined;
}

interface Header {
  readonly split: Split;
  /** Where each column begins, of one whose ruler tells it. */
  readonly starts?: readonly number[];
  readonly columns: readonly Column[];
  /** Rows are told by their first cell: stages or queues. */
  readonly of: 'stage' | 'queue' | undefined;
}

/** Lines of other things, after which a header is forgotten. */
const longestGap = 500;
/** `---  ------`: a line of dashes a column. */
const ruler = /^\s*-+(?:\s{1,10}-+){1,60}\s*$/;
const rule = /^[\s|+\-=:_*─━┄═┼╪╋┿┬┴├┤┌┐└┘╭╮╰╯┏┓┗┛┡┩┢╇┃│]*$/;
const bars = /[|│┃║]/;

const byBars = (text: string) =>
  text
    .replace(/^\s*[|│┃║]|[|│┃║]\s*$/g, '')
    .split(bars)
    .map(trim);
/** A quoted cell may have a comma in it. */
const byCommas = (text: string) =>
  (text.includes('"')
    ? Array.from(text.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g), ([, cell = '']) => cell)
    : text.split(',')
  ).map(trim);
const bySemicolons = (text: string) => text.split(';').map(trim);
const byGaps = (text: string) =>
  text
    .trim()
    .split(/\s{2,}/)
    .map(trim);
const byBlanks = (text: string) => text.trim().split(/\s+/);
/** Tabs, as cleaned text has them: a cell may be empty. */
const byPairs = (text: string) => text.split('  ').map(trim);

type Split = (text: string) => readonly string[];

/** A reader at the beginning of a log. */
export function createTableReader(): TableReader {
  let held: Header | undefined;
  /** Of the table that a table of stages or queues stands in the middle of. */
  let outer: Header | undefined;
  let gap = 0;
  let before = '';
  const reading = blankReading();
  return {
    get open() {
      return held !== undefined;
    },
    header(text) {
      if (text.length > 400) return;
      const isRuler = text.charCodeAt(text.length - 1) === 45 && ruler.test(text);
      const found = isRuler ? ruledHeader(before, text) : rule.test(text) ? undefined : headerOf(text);
      before = text;
      if (found) {
        outer = !found.of ? undefined : held && !held.of ? held : outer;
        held = found;
        gap = 0;
      } else if (held && ++gap > longestGap) held = outer = undefined;
    },
    row(text, draft) {
      if (!held || text.length > 1000 || rule.test(text)) return false;
      if (takeBelow(held, text, draft)) gap = 0;
      else if (outer && takeBelow(outer, text, draft)) {
        held = outer;
        outer = undefined;
        gap = 0;
      } else return false;
      return true;
    },
  };

  function takeBelow(header: Header, text: string, draft: Draft): boolean {
    if (!header.of && !beginsRow(text)) return false;
    const row = rowOf(header, text);
    if (!row) return false;
    return header.of ? takeNamed(header, row.cells, reading, draft) : takeRow(row, reading, draft);
  }
}

function headerOf(line: string): Header | undefined {
  // `# epoch step loss`, as numpy and gnuplot have it.
  const text = line.replace(/^\s*#\s+/, '');
  if (/[=:{}]|\d{3}/.test(text)) return undefined;
  const split = bars.test(text)
    ? byBars
    : text.includes(',')
      ? byCommas
      : text.includes(';')
        ? bySemicolons
        : /\S\s{2,}\S/.test(text.trim())
          ? byGaps
          : byBlanks;
  const names = split(text);
  if (names.length < (split === byBlanks ? 3 : 2) || names.length > 60) return undefined;
  if (
    !names.every(
      (name) =>
        name.length <= 40 && /^[\p{L}#_|%∇][^"]*$/u.test(name) && !/[.!?]$/.test(name) && name.split(' ').length <= 4,
    )
  )
    return undefined;
  const columns = names.map((name) => ({ name, meaning: meaningOf(name) }));
  const of = namedBy(names);
  if (of) return { split: split === byBars ? split : byBlanks, columns, of };
  const known = columns.filter(({ meaning }) => meaning && meaning.as !== 'nothing');
  const counts = known.some(({ meaning }) => /^(?:step|epoch|stepInEpoch)$/.test(meaning?.as ?? ''));
  const told = known.some(({ meaning }) => !/^(?:step|epoch|totalSteps|stepInEpoch)$/.test(meaning?.as ?? ''));
  // Columns of names that nobody knows: never so in a sentence.
  const plainly = names.length > 2 && split !== byBlanks && names.every((name) => /^[\w/.@%()-]+$/.test(name));
  if (!counts || (!plainly && (known.length < 2 || !told))) return undefined;
  if (split === byBlanks && known.length < names.length) return undefined;
  // Columns of numbers have no blanks in them: rows may be set closer than the header.
  return { split: split === byGaps ? byBlanks : split, columns, of: undefined };
}

interface Row {
  readonly columns: readonly Column[];
  readonly cells: readonly string[];
}

/** The row's cells, where they are as many as the columns. */
function rowOf({ split, starts, columns }: Header, text: string): Row | undefined {
  const cells = split(text);
  if (cells.length === columns.length) return { columns, cells };
  const [first] = columns;
  // The time that begins the row was read as a logger's.
  if (first && isTime(first.name) && cells.length === columns.length - 1) return { columns: columns.slice(1), cells };
  if (starts) {
    const cut = starts.map((start, i) => text.slice(start, starts[i + 1]).trim());
    return cut.some((cell) => /\s/.test(cell)) ? undefined : { columns, cells: cut };
  }
  if (split !== byBlanks) return undefined;
  const pairs = byPairs(text);
  if (pairs.length === columns.length) return { columns, cells: pairs };
  return first && isTime(first.name) && pairs.length === columns.length - 1
    ? { columns: columns.slice(1), cells: pairs }
    : undefined;
}

const isTime = (name: string) => /^(?:time|date|ts|datetime|time ?stamp|date[_ ]time|time_utc)$/i.test(name);

/** A header over a ruler: its columns are where the ruler's are. `E` and `#` are epoch and step in spaCy's. */
function ruledHeader(names: string, text: string): Header | undefined {
  if (names.length > 400 || names.trim() === '') return undefined;
  const starts = [...text.matchAll(/-+/g)].map(({ index }) => index);
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
  return { split: byBlanks, starts, columns: told, of: undefined };
}

/** A digit, a sign, a bar: most lines begin otherwise. */
function beginsRow(text: string): boolean {
  const code = text.trimStart().charCodeAt(0);
  return (code >= 43 && code <= 57) || code === 124 || code === 34 || (code >= 0x2500 && code <= 0x257f);
}

/** `stage  avg  max  n`, `queue | depth | cap`. */
function namedBy([first = '', ...others]: readonly string[]): Header['of'] {
  const says = (pattern: RegExp) => others.some((name) => pattern.test(name));
  if (
    /^(?:stages?|phases?|sections?|timers?|ops?|regions?|spans?|scope)$/i.test(first) ||
    (/^name$/i.test(first) && says(/ms\b|\bsec|\(s\)/i))
  )
    return says(/^(?:avg|mean|average)/i) ? 'stage' : undefined;
  if (
    /^(?:queues?|buffers?|name)$/i.test(first) &&
    says(/^(?:depth|size|len|length|cur|current|fill)$/i) &&
    (says(/^cap/i) || /^q|^b/i.test(first))
  )
    return 'queue';
  return undefined;
}

function takeRow({ columns, cells }: Row, reading: Reading, draft: Draft): boolean {
  let numbers = 0;
  let words = 0;
  for (const [i, cell] of cells.entries()) {
    if (isWhole(cell, reading)) numbers++;
    else if (!/^(?:|[-–—]+|n\/a|none|null|no log|\?+)$/i.test(cell)) {
      const { name = '', meaning } = columns[i] ?? {};
      if (meaning && meaning.as !== 'nothing' && !isTime(name)) return false;
      words++;
      if (/^(?:phase|split|mode|set|stage|subset|partition|kind)$/i.test(name) && /^(?:val|eval|test|dev)/i.test(cell))
        draft.evaluation(true);
    }
  }
  if (numbers < 2 || words > 4) return false;
  const place: Place = { draft, scope: undefined, inDict: false };
  draft.metrics();
  cells.forEach((cell, i) => {
    const column = columns[i];
    if (!column || !isWhole(cell, reading)) return;
    const { name, meaning } = column;
    if (isTime(name) && reading.kind === 'time') return;
    if (meaning && take(name, meaning, reading, place)) return;
    if (reading.kind === 'number' && meaning?.as !== 'nothing') draft.other(name, reading.first.value);
  });
  return true;
}

function takeNamed(
  { columns, of }: Header,
  [name = '', ...cells]: readonly string[],
  reading: Reading,
  draft: Draft,
): boolean {
  if (
    !/^\p{L}/u.test(name) ||
    /[:=]$/.test(name) ||
    !cells.every((cell) => isWhole(cell, reading) || /^-*$/.test(cell))
  )
    return false;
  let taken = false;
  cells.forEach((cell, i) => {
    const column = columns[i + 1]?.name ?? '';
    if (!isWhole(cell, reading)) return;
    if (of === 'queue') {
      const part = /^(?:depth|size|len|length|cur|current|fill)/i.test(column)
        ? 'depth'
        : /^cap/i.test(column)
          ? 'capacity'
          : /^(?:min|low)/i.test(column)
            ? 'low'
            : /^(?:max|high|peak)/i.test(column)
              ? 'high'
              : undefined;
      if (/^wait/i.test(column)) {
        const seconds = secondsOf(reading, unitIn(column));
        if (seconds !== undefined) draft.queue({ name, waitSeconds: seconds });
        return;
      }
      if (part) draft.queue({ name, [part]: reading.first.value });
      taken ||= part !== undefined;
      return;
    }
    const part = /^(?:avg|mean|average)/i.test(column)
      ? 'average'
      : /^max/i.test(column)
        ? 'maximum'
        : /^(?:n|count|calls?)$/i.test(column)
          ? 'count'
          : undefined;
    const unit = unitIn(column);
    if (part && takeStage(name, { part, ...(unit && { unit }) }, reading, draft)) taken = true;
  });
  return taken;
}

/** `avg_ms`, `wait (s)`. */
function unitIn(column: string): KeyUnit | undefined {
  const told = /\b(ms|us|s|sec)\b/i.exec(column.replace(/_/g, ' '))?.[1]?.toLowerCase();
  if (told === undefined) return undefined;
  return told === 'ms'
    ? { factor: 1e-3, power: -3 }
    : told === 'us'
      ? { factor: 1e-6, power: -6 }
      : { factor: 1, power: 0 };
}

/** The cell is one value. */
const isWhole = (cell: string, reading: Reading) =>
  cell !== '' && /^[-+.\d\[nNiI−]/.test(cell) && scanValue(cell, 0, 'point', reading) && reading.end === cell.length;

function trim(text: string): string {
  return text.trim().replace(/^["']|["']$/g, '');
}

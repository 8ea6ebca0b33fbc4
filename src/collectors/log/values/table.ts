import type { Draft } from '../draft.ts';
import { meaningOf, type Meaning } from './names.ts';
import { blankReading, scanValue, type Reading } from './scan-value.ts';
import { take, takeStage, type Place } from './take.ts';

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
  readonly split: (text: string) => readonly string[];
  readonly columns: readonly Column[];
  /** Rows are told by their first cell: stages or queues. */
  readonly of: 'stage' | 'queue' | undefined;
}

/** Lines of other things, after which a header is forgotten. */
const longestGap = 500;
const rule = /^[\s|+\-=:_*─━┄═┼╪╋┿┬┴├┤┌┐└┘╭╮╰╯┏┓┗┛┡┩┢╇┃│]*$/;
const bars = /[|│┃║]/;

const byBars = (text: string) =>
  text
    .replace(/^\s*[|│┃║]|[|│┃║]\s*$/g, '')
    .split(bars)
    .map(trim);
const byTabs = (text: string) => text.trim().split('\t').map(trim);
const byCommas = (text: string) => text.split(',').map(trim);
const bySemicolons = (text: string) => text.split(';').map(trim);
const byGaps = (text: string) =>
  text
    .trim()
    .split(/\s{2,}|\t/)
    .map(trim);
const byBlanks = (text: string) => text.trim().split(/\s+/);

/** A reader at the beginning of a log. */
export function createTableReader(): TableReader {
  let held: Header | undefined;
  let gap = 0;
  const reading = blankReading();
  return {
    get open() {
      return held !== undefined;
    },
    header(text) {
      if (text.length > 400 || rule.test(text)) return;
      const found = headerOf(text);
      if (found) {
        held = found;
        gap = 0;
      } else if (held && ++gap > longestGap) held = undefined;
    },
    row(text, draft) {
      if (!held || text.length > 1000 || (!held.of && !beginsRow(text)) || rule.test(text)) return false;
      const cells = held.split(text);
      if (cells.length !== held.columns.length) return false;
      if (held.of ? !takeNamed(held, cells, reading, draft) : !takeRow(held, cells, reading, draft)) return false;
      gap = 0;
      return true;
    },
  };
}

function headerOf(line: string): Header | undefined {
  // `# epoch step loss`, as numpy and gnuplot have it.
  const text = line.replace(/^\s*#\s+/, '');
  if (/[=:{}]|\d{3}/.test(text)) return undefined;
  const split = bars.test(text)
    ? byBars
    : text.includes('\t')
      ? byTabs
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
  if (of) return { split: split === byBars || split === byTabs ? split : byBlanks, columns, of };
  const known = columns.filter(({ meaning }) => meaning && meaning.as !== 'nothing');
  const counts = known.some(({ meaning }) => /^(?:step|epoch|stepInEpoch)$/.test(meaning?.as ?? ''));
  const told = known.some(({ meaning }) => !/^(?:step|epoch|totalSteps|stepInEpoch)$/.test(meaning?.as ?? ''));
  if (known.length < 2 || !counts || !told) return undefined;
  if (split === byBlanks && known.length < names.length) return undefined;
  // Columns of numbers have no blanks in them: rows may be set closer than the header.
  return { split: split === byGaps ? byBlanks : split, columns, of: undefined };
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

function takeRow({ columns }: Header, cells: readonly string[], reading: Reading, draft: Draft): boolean {
  let numbers = 0;
  for (const cell of cells) {
    if (isWhole(cell, reading)) numbers++;
    else if (!/^(?:|-+|n\/a|none|null|\?+)$/i.test(cell)) return false;
  }
  if (numbers < 2) return false;
  const place: Place = { draft, scope: undefined, inDict: false };
  draft.metrics();
  cells.forEach((cell, i) => {
    const column = columns[i];
    if (!column || !isWhole(cell, reading)) return;
    const { name, meaning } = column;
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
    if (!isWhole(cell, reading) || reading.kind !== 'number') return;
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
    const told = /\b(ms|us|s|sec)\b/i.exec(column.replace(/_/g, ' '))?.[1]?.toLowerCase();
    const unit =
      told === undefined
        ? undefined
        : told === 'ms'
          ? { factor: 1e-3, power: -3 }
          : told === 'us'
            ? { factor: 1e-6, power: -6 }
            : { factor: 1, power: 0 };
    if (part && takeStage(name, { part, ...(unit && { unit }) }, reading, draft)) taken = true;
  });
  return taken;
}

/** The cell is one value. */
const isWhole = (cell: string, reading: Reading) =>
  cell !== '' && /^[-+.\d\[nNiI−]/.test(cell) && scanValue(cell, 0, 'point', reading) && reading.end === cell.length;

function trim(text: string): string {
  return text.trim().replace(/^["']|["']$/g, '');
}

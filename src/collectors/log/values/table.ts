import type { Draft } from '../draft.ts';
import { cellsBy } from './cells.ts';
import { headerOf, isTime, oneTime, rowOf, ruledHeader, untagged, type Header, type Row } from './columns.ts';
import type { KeyUnit } from './names.ts';
import { marksOf } from './marks.ts';
import type { Marks } from './scan-number.ts';
import { blankReading, scanValue, type Reading } from './scan-value.ts';
import { secondsOf } from './amounts.ts';
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

/** Reads cells, as the table writes its numbers. */
interface Scan {
  readonly reading: Reading;
  marks: Marks;
}

/** Lines of other things, after which a header is forgotten. */
const longestGap = 500;
/** `---  ------`: a line of dashes a column. */
const ruler = /^\s*-+(?:\s{1,10}-+){1,60}\s*$/;
const rule = /^[\s|+\-=:_*─━┄═┼╪╋┿┬┴├┤┌┐└┘╭╮╰╯┏┓┗┛┡┩┢╇┃│]*$/;
/** Nothing was told in this cell: `-`, `...`, `n/a`. */
const absent = /^(?:[^\p{L}\d]*|n\/?a|none|null|nil|no log|skip(?:ped)?)$/iu;

/** A column of words that say whose numbers the row has. */
const ofSplit = /^(?:phase|split|mode|set|stage|subset|partition|kind)$/i;
/** `[eval] `, `validation: ` before a row. */
const ofEvaluation = /(?:^|[\s[(])(?:val(?:id(?:ation)?)?|eval(?:uation)?|test|dev)[\])]?:?\s/i;

/** A reader at the beginning of a log. */
export function createTableReader(): TableReader {
  let held: Header | undefined;
  /** Of the table that a table of stages or queues stands in the middle of. */
  let outer: Header | undefined;
  let gap = 0;
  let before = '';
  const scan: Scan = { reading: blankReading(), marks: 'point' };
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
    const isBare = !header.tagged && (header.of !== undefined || beginsRow(text));
    const { rest: line, tag } = isBare ? { rest: text, tag: '' } : untagged(text);
    if (!header.of && !beginsRow(line) && !ofSplit.test(header.columns[0]?.name ?? '')) return false;
    const row = rowOf(header, line);
    if (!row) return false;
    scan.marks = header.split === cellsBy.commas ? 'point' : marksOf(line, scan.marks);
    if (ofEvaluation.test(tag)) draft.evaluation(true);
    const taken = header.of ? takeNamed(header, row.cells, scan, draft) : takeRow(row, scan, draft);
    if (!taken) draft.evaluation(false);
    return taken;
  }
}

/** A digit, a sign, a bar: most lines begin otherwise. */
function beginsRow(text: string): boolean {
  const code = text.trimStart().charCodeAt(0);
  return (code >= 43 && code <= 57) || code === 124 || code === 34 || code === 91 || (code >= 0x2500 && code <= 0x257f);
}

function takeRow({ columns, cells }: Row, scan: Scan, draft: Draft): boolean {
  const { reading } = scan;
  let numbers = 0;
  let words = 0;
  for (const [i, cell] of cells.entries()) {
    if (isWhole(cell, scan)) numbers++;
    else if (!absent.test(cell)) {
      const { name = '', meaning } = columns[i] ?? {};
      if (meaning && meaning.as !== 'nothing' && !isTime(name)) return false;
      words++;
      if (ofSplit.test(name) && /^(?:val|eval|test|dev)/i.test(cell)) draft.evaluation(true);
    }
  }
  if (numbers < 2 || words > 4) return false;
  const place: Place = { draft, scope: undefined, inDict: false };
  draft.metrics();
  const isTrained = cells.some(
    (cell, i) => columns[i]?.meaning?.as === 'loss' && isWhole(cell, scan) && isFinite(reading.first.value),
  );
  cells.forEach((cell, i) => {
    const column = columns[i];
    if (!column || !isWhole(cell, scan)) return;
    const { name, meaning } = column;
    // What was not evaluated here, as pandas prints it.
    if (meaning?.as === 'validationLoss' && reading.kind === 'number' && isNaN(reading.first.value) && isTrained)
      return;
    if (isTime(name) && reading.kind === 'time') return;
    if (meaning && take(name, meaning, reading, place)) return;
    if (reading.kind === 'number' && meaning?.as !== 'nothing') draft.other(name, reading.first.value);
  });
  return true;
}

function takeNamed(
  { columns, of }: Header,
  [name = '', ...cells]: readonly string[],
  scan: Scan,
  draft: Draft,
): boolean {
  const { reading } = scan;
  if (!/^\p{L}/u.test(name) || /[:=]$/.test(name) || !cells.every((cell) => isWhole(cell, scan) || /^-*$/.test(cell)))
    return false;
  let taken = false;
  cells.forEach((cell, i) => {
    const column = columns[i + 1]?.name ?? '';
    if (!isWhole(cell, scan)) return;
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
    const part =
      /^(?:avg|mean|average)/i.test(column) || oneTime.test(column)
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
const isWhole = (cell: string, { reading, marks }: Scan) =>
  cell !== '' &&
  /^[-+.\d\[nNiI−]/.test(cell) &&
  scanValue(cell, 0, marks, reading) &&
  (reading.end === cell.length || aside.test(cell.slice(reading.end)));

/** `2.31 (2.40)`, `2.31 ± 0.02`, `2.31 ↓`, `2.31*`. */
const aside = /^\s?(?:(?:±|\+\/-)\s?[\d.e+-]+|\([-+\d.,e%]+\)|[*↓↑▼▲✓✔★])$/;

import { headerOf } from '../values/columns.ts';
import { meaningOf } from '../values/names.ts';
import { byOutline } from '../outline.ts';
import { countsSteps, isBelowTitle, isEntry, isTitle } from './titled.ts';
import type { RecordKind } from './values.ts';

/** How the lines of one record hang together. */
export type Shape =
  | 'format'
  | 'traceback'
  | 'stack'
  | 'wrapped'
  | 'block'
  | 'titled'
  | 'braces'
  | 'table'
  | 'broken'
  | 'kernel'
  | 'exception'
  | 'box';

/** A record so far: its lines, without launchers' prefixes, blank ones left out. */
export interface Lines {
  readonly texts: readonly string[];
  /** Absent: one line, which may turn out to be the first of several. */
  readonly shape?: Shape | undefined;
  /** Its first line is the one behind a traceback. */
  readonly isException: boolean;
  /** Open braces and brackets less those that are closed. */
  readonly depth: number;
}

const longestHeader = 300;
const longestEntry = 1000;

/** The shape by which a line goes on the record before it; undefined: it is a record of its own. */
export function shapeWith(lines: Lines, text: string): Shape | undefined {
  const first = lines.texts[0] ?? '';
  const { shape } = lines;
  // What one line alone may be the first of.
  const begun = shape ? 0 : beginningOf(first);
  if (shape === 'traceback' || begun & begins.traceback) {
    if (isInTraceback(text)) return 'traceback';
    if (shape) return undefined;
  }
  if (shape === 'stack' || begun & begins.stack)
    return /^\s+File "|^frame #\d|^\s*<truncated/.test(text) ? 'stack' : undefined;
  if (shape === 'kernel' || begun & begins.kernel)
    return text.includes('NVRM:') && !text.includes('NVRM: Xid') && lines.texts.length < 4 ? 'kernel' : undefined;
  if (shape === 'table' || begun & begins.table) {
    // The ruler below one table and the one above the next.
    if (shape && isRule(text) && isRule(lines.texts.at(-1) ?? '')) return undefined;
    return isTableRow(text) && (shape || !isColumns(text)) ? 'table' : undefined;
  }
  if (shape === 'box' || begun & begins.box) return /^\s*[│┃║├╰└╚]/.test(text) ? 'box' : undefined;
  if ((shape === 'braces' || begun & begins.braces) && lines.depth > 0)
    return /^(?:\s+\S|['"\]})])/.test(text) ? 'braces' : undefined;
  if ((!shape || shape === 'broken') && isBroken(lines.texts.at(-1) ?? '', text)) return 'broken';
  const indent = indentOf(text);
  // The ruler below a title, with no joints of a table's columns.
  if (begun & begins.titled && /^\s*([-=─━═])\1{4,}\s*$/.test(text)) return 'titled';
  if (shape === 'titled' || begun & begins.titled)
    return isBelowTitle(lines.texts, text) && !namesColumns(text) ? 'titled' : undefined;
  if (shape === 'block')
    return isBlockLine(first, lines.texts[1] ?? '', text) && !namesColumns(text) ? 'block' : undefined;
  if (lines.isException) return indent > 0 ? 'exception' : undefined;
  if (!shape && indent === 1 && evaluation.test(first) && isEntry(text)) return 'block';
  if (indent < 2) return undefined;
  if (!shape || shape === 'wrapped') {
    const column = messageColumn(first);
    if (column !== undefined && indent >= column) return 'wrapped';
  }
  return !shape && isHeader(first) && isEntry(text) && isBelow(first, text) && !namesColumns(text)
    ? 'block'
    : undefined;
}

const begins = { traceback: 1, stack: 2, kernel: 4, table: 8, box: 16, braces: 32, titled: 64 } as const;

/** Records of several lines that this one may begin, a bit each. */
const beginningOf = byOutline(
  (text) =>
    (text.includes('Traceback (most recent call last)') ? begins.traceback : 0) |
    (text.includes('(most recent call first)') ? begins.stack : 0) |
    (text.includes('NVRM: The NVIDIA GPU') ? begins.kernel : 0) |
    (isRule(text) ? begins.table : 0) |
    (/^\s*[╭┌╔]/.test(text) ? begins.box : 0) |
    (/[{[(,]\s*$/.test(text) ? begins.braces : 0) |
    (isTitle(text) ? begins.titled : 0),
);

/** It begins one. */
export const isTraceback = (text: string): boolean => (beginningOf(text) & begins.traceback) !== 0;

/** It belongs to a traceback that began before. Frames, their sources and marks; rich draws a box, loguru lines to its values. */
export function isInTraceback(text: string): boolean {
  return /^(?:\s{2,}|\t|[│╰┌└├|])/.test(text) || /^\s*\[Previous line repeated/.test(text) || text.startsWith('> File');
}

/** A line of dashes or of a box: tables of baselines, Stable-Baselines3, RLlib. */
const isRule = (text: string) => /^\s*[-+=|\u2500-\u257f]{5,}\s*$/.test(text);

/** Rows of a table follow, each a record of its own. */
const namesColumns = (text: string) => text.length <= longestHeader && headerOf(text) !== undefined;

/** A row of two cells, a name and its number, or of a section's name alone. */
function isTableRow(text: string): boolean {
  if (text.length > longestEntry) return false;
  return isRule(text) || /^\s*[|│┃║]\s*[^|│┃║]*[A-Za-z][^|│┃║]*[|│┃║][^|│┃║]*[|│┃║]\s*$/.test(text);
}

/** `| step | loss |`: names of columns. */
function isColumns(text: string): boolean {
  if (/\d/.test(text)) return false;
  const [, first = '', second = ''] = text.split(/[|│┃║]/).map((cell) => cell.trim());
  if (/^(?:stage|phase|section|timer|op|queue|buffer)s?$/i.test(first)) return true;
  return meaningOf(first) !== undefined && meaningOf(second) !== undefined;
}

/**
 * Ray breaks a long line anywhere: `... - response_length/cl` goes on with `ip_ratio:0.005 - timing_s/gen:74.0 - ...`.
 */
function isBroken(before: string, text: string): boolean {
  if (hasDash(before) === 0 || !text.includes(':') || text.startsWith('step:')) return false;
  // A key that comes again begins another record.
  const [, key = ''] = /^([\w/.@()%-]{1,100}):/.exec(text) ?? [];
  if (key !== '' && (before.startsWith(`${key}:`) || before.includes(` ${key}:`))) return false;
  if (!/^(?:\S+:\S+ - )?\S*?:?\S* - \S+:\S+ - \S+:/.test(before.slice(0, 300))) return false;
  return /^(?:[\w/.@()%-]*:)?[-+\d.e]*(?: - \S+:[-+\w.]+)+\s*$/.test(text) || /^[\w/.@()%-]*:[-+\d.e]+$/.test(text);
}

const hasDash = byOutline((text) => (text.includes(' - ') ? 1 : 0));

/** rich's logging handler: the message's column, where the lines that are wrapped go on. */
function messageColumn(first: string): number | undefined {
  const match = /^(?:\[[^\]]{4,30}\]|\s{4,30})\s(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\s+(?=\S)/.exec(first);
  return match?.[0].length;
}

/** Above settings, which are no readings. */
const settings =
  /\b(?:config(?:uration)?|hyper-?param(?:eter)?s?|arg(?:ument)?s|settings|options|parameters|flags|environment)\b[^=]*:?\s*$/i;
const subject = /\b(?:metrics?|results?|summary|statistics|stats|report|evaluation|validation|timings?|losses)\b/i;

/** `Test Error:`, above what must not be taken for the training's. */
const evaluation = /\b(?:test|eval\w*|val\w*)\b[^=\d]{0,60}:\s*$/i;

/** A line that names what the lines below it tell of. */
function isHeader(text: string): boolean {
  if (text.length > longestHeader) return false;
  return (
    countsSteps.test(text) ||
    evaluation.test(text) ||
    settings.test(text) ||
    /^\s*\*{3,}.*\*{3,}\s*$/.test(text) ||
    (subject.test(text) && !/[=:]\s*[-+]?\d/.test(text))
  );
}

/** What a record is about, by its shape and header. */
export function kindOf([first = '', second]: readonly string[], shape: Shape | undefined): RecordKind {
  if (shape === 'table') return 'table';
  return shape === 'block' && second !== undefined && evaluation.test(first) ? 'evaluation' : 'plain';
}

/** Its lines tell how the run was set up. */
export const isOfSettings = ([first = '', second]: readonly string[]): boolean =>
  second !== undefined && first.length <= longestHeader && settings.test(first) && !countsSteps.test(first);

/** Deeper than the header; as deep where that is a title in the middle of its line. */
const isBelow = (first: string, text: string) =>
  indentOf(text) > indentOf(first) || (!/[:=|]/.test(first) && !countsSteps.test(text));

function isBlockLine(first: string, second: string, text: string): boolean {
  const indent = indentOf(text);
  if (isRule(text)) return true;
  if (indent > indentOf(first)) return indent >= 2;
  return isEntry(text) && !countsSteps.test(text) && indent >= Math.min(2, indentOf(second));
}

/** A tab is as deep as eight spaces. */
function indentOf(text: string): number {
  let at = 0;
  let indent = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) indent++;
    else if (code === 9) indent += 8;
    else break;
  }
  return indent;
}

/** What a line adds to the depth of a dictionary that is printed over several lines; `first`: only where one may begin in it. */
export function depthOf(text: string, first?: 'first'): number {
  if (first && (beginningOf(text) & begins.braces) === 0) return 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
  }
  return depth;
}

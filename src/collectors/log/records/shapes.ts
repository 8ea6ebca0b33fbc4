import { meaningOf } from '../values/names.ts';
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
  if (shape === 'traceback' || (!shape && isTraceback(first))) {
    if (isInTraceback(text)) return 'traceback';
    if (shape) return undefined;
  }
  if (shape === 'stack' || (!shape && first.includes('(most recent call first)')))
    return /^\s+File "|^frame #\d|^\s*<truncated/.test(text) ? 'stack' : undefined;
  if (shape === 'kernel' || (!shape && first.includes('NVRM: The NVIDIA GPU')))
    return text.includes('NVRM:') && !text.includes('NVRM: Xid') && lines.texts.length < 4 ? 'kernel' : undefined;
  if (shape === 'table' || (!shape && isRule(first))) {
    // The ruler below one table and the one above the next.
    if (shape && isRule(text) && isRule(lines.texts.at(-1) ?? '')) return undefined;
    return isTableRow(text) && (shape || !isColumns(text)) ? 'table' : undefined;
  }
  if (shape === 'box' || (!shape && /^\s*[╭┌╔]/.test(first))) return /^\s*[│┃║├╰└╚]/.test(text) ? 'box' : undefined;
  if (lines.depth > 0 && (shape === 'braces' || (!shape && /[{[(,]\s*$/.test(first))))
    return /^(?:\s+\S|['"\]})])/.test(text) ? 'braces' : undefined;
  if ((!shape || shape === 'broken') && isBroken(lines.texts.at(-1) ?? '', text)) return 'broken';
  const indent = indentOf(text);
  if (shape === 'titled' || (!shape && isTitle(first)))
    return isBelowTitle(lines.texts, text, indent) ? 'titled' : undefined;
  if (shape === 'block') return isBlockLine(first, lines.texts[1] ?? '', text) ? 'block' : undefined;
  if (lines.isException) return indent > 0 ? 'exception' : undefined;
  if (!shape && indent === 1 && evaluation.test(first) && isEntry(text)) return 'block';
  if (indent < 2) return undefined;
  if (!shape || shape === 'wrapped') {
    const column = messageColumn(first);
    if (column !== undefined && indent >= column) return 'wrapped';
  }
  return !shape && isHeader(first) && isEntry(text) && isBelow(first, text) ? 'block' : undefined;
}

/** It begins one. */
export const isTraceback = (text: string) => text.includes('Traceback (most recent call last)');

/** It belongs to a traceback that began before. Frames, their sources and marks; rich draws a box, loguru lines to its values. */
export function isInTraceback(text: string): boolean {
  return /^(?:\s{2,}|\t|[│╰┌└├|])/.test(text) || /^\s*\[Previous line repeated/.test(text) || text.startsWith('> File');
}

/** A line of dashes or of a box: tables of baselines, Stable-Baselines3, RLlib. */
const isRule = (text: string) => /^\s*[-+=|─━┌┬┐├┼┤└┴┘═╔╦╗╠╬╣╚╩╝╒╤╕│]{5,}\s*$/.test(text);

/** A row of two cells, a name and its number, or of a section's name alone. */
function isTableRow(text: string): boolean {
  if (text.length > longestEntry) return false;
  return isRule(text) || /^\s*[|│]\s*[^|│]*[A-Za-z][^|│]*[|│][^|│]*[|│]\s*$/.test(text);
}

/** `| step | loss |`: names of columns. */
function isColumns(text: string): boolean {
  if (/\d/.test(text)) return false;
  const [, first, second] = text.split(/[|│]/);
  return meaningOf(first?.trim() ?? '') !== undefined && meaningOf(second?.trim() ?? '') !== undefined;
}

/**
 * Ray breaks a long line anywhere: `... - response_length/cl` goes on with `ip_ratio:0.005 - timing_s/gen:74.0 - ...`.
 */
function isBroken(before: string, text: string): boolean {
  if (!text.includes(':') || text.startsWith('step:') || !before.includes(' - ')) return false;
  const begin = before.slice(0, 300);
  // A key that comes again begins another record.
  const [, key = ''] = /^([\w/.@()%-]{1,100}):/.exec(text) ?? [];
  if (key !== '' && (before.startsWith(`${key}:`) || before.includes(` ${key}:`))) return false;
  if (!/^(?:\S+:\S+ - )?\S*?:?\S* - \S+:\S+ - \S+:/.test(begin)) return false;
  return /^(?:[\w/.@()%-]*:)?[-+\d.e]*(?: - \S+:[-+\w.]+)+\s*$/.test(text) || /^[\w/.@()%-]*:[-+\d.e]+$/.test(text);
}

/** rich's logging handler: the message's column, where the lines that are wrapped go on. */
function messageColumn(first: string): number | undefined {
  const match = /^(?:\[[^\]]{4,30}\]|\s{4,30})\s(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\s+(?=\S)/.exec(first);
  return match?.[0].length;
}

const step = /\b(?:global[ _]?step|step|iter(?:ation)?|epoch|batch|update|episode)s?\b[\s:=#[(]*\d/i;
/** `== step 1200/20000 (6%) ====`, `--- Step 1250 ---`: a title between signs. */
function isTitle(text: string): boolean {
  if (text.length > longestHeader || !(signs.includes(text.charAt(0)) || signs.includes(text.charAt(text.length - 1))))
    return false;
  return step.test(text) && /^\s*[=\-*#~─━═]{2,}\s|\s[=\-*#~─━═]{3,}\s*$/.test(text) && !/loss/i.test(text);
}
const signs = '=-*#~─━═ ';

/** Fields that are not told again, and no step of their own. */
function isBelowTitle(texts: readonly string[], text: string, indent: number): boolean {
  if (texts.length > 60 || step.test(text)) return false;
  if (!isFields(text) && !(indent > 1 ? isEntry(text) : entryOfNumber.test(text))) return false;
  const [key = ''] = /^[^\d:=]{0,80}/.exec(text.trimStart()) ?? [];
  return !texts.some((before, i) => i > 0 && before.trimStart().startsWith(key));
}
const entryOfNumber = /^\s?["']?[\p{L}_][\p{L}\d_."' /%()@-]{0,60}(?:(?<!\d)[=:]\s*|[=:]\s+)[-+]?(?:\d|nan\b|inf\b)/iu;

const field =
  /^(?:[\p{L}_@][\p{L}\d_./%@ -]{0,40}?\s?[:=\s]\s?)?[-+]?(?:\d[\w.,:+-]*|nan|inf)(?:\s?(?:%|[\p{L}µ/]{1,16}))?$/iu;
/** Parted fields, each a name and a number or a number and its unit: `loss 0.08 | lr 1e-4 | 3.28 s/it`; one alone where its name is known. */
function isFields(text: string): boolean {
  if (text.length > longestEntry) return false;
  const parts = text.replace(/^[\s|│•*>-]+|[\s|│]+$/g, '').split(/\s*[|│;·•]\s*|,?\s{2,}|,\s+/);
  if (!parts.every((part) => part === '' || field.test(part))) return false;
  return parts.length > 1 || meaningOf(/^[^\d:=]*/.exec(parts[0] ?? '')?.[0].trim() ?? '') !== undefined;
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
    step.test(text) ||
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
  second !== undefined && first.length <= longestHeader && settings.test(first) && !step.test(first);

const isEntry = (text: string) =>
  text.length <= longestEntry && /^\s+(?:[|│]\s*)?[*•·>●▸→-]?\s*[\p{L}_"'][^=:]{0,80}(?:[=:]|\s{2,})\s*\S/u.test(text);

/** Deeper than the header; as deep where that is a title in the middle of its line. */
const isBelow = (first: string, text: string) =>
  indentOf(text) > indentOf(first) || (!/[:=|]/.test(first) && !step.test(text));

function isBlockLine(first: string, second: string, text: string): boolean {
  const indent = indentOf(text);
  if (isRule(text)) return true;
  if (indent > indentOf(first)) return indent >= 2;
  return isEntry(text) && !step.test(text) && indent >= Math.min(2, indentOf(second));
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

/** What a line adds to the depth of a dictionary that is printed over several lines. */
export function depthOf(text: string): number {
  if (!text.includes('{') && !text.includes('}') && !text.includes('[') && !text.includes(']')) return 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
  }
  return depth;
}

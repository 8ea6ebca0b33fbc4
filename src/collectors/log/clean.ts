import { safeText } from '../../model/text.ts';

/** A line that docker wrote down: `{"log":"...","stream":"stdout","time":"..."}`; any other as it is. */
function unwrapped(raw: string): string {
  if (!raw.startsWith('{"log":"') || !raw.includes('"stream":"std')) return raw;
  try {
    const { log } = JSON.parse(raw) as { readonly log?: unknown };
    return typeof log === 'string' ? log.replace(/\r?\n$/, '').replaceAll('\n', ' ') : raw;
  } catch {
    return raw;
  }
}

/** What is read of a line: its values lie near its beginning; verl prints 10 kB of them. */
const longestRead = 16_000;

/**
 * A piece of a log as its terminal would show it, on one line: without escape sequences and NULs, of what was drawn over the newest only
 * (backspaces, carriage returns that a log daemon wrote as `#015`). Bounded.
 */
export function cleanText(written: string): string {
  const raw = unwrapped(written);
  const bounded = raw.length > longestRead ? cut(raw) : raw;
  if (isPlain.test(bounded)) return bounded.includes('#0') || bounded.includes('^[') ? clean(bounded) : bounded;
  return clean(bounded);
}

/** Nothing in it has to go: printable ASCII, and letters beyond it that neither control nor reorder. */
const isPlain = /^[\x20-\x7e\u00a0-\u200a\u2010-\u2027\u2030-\u205f\u2070-\ufefe\uff00-\uffff]*$/;

/** Of a line that was drawn over again and again the end counts, of any other the beginning. */
function cut(raw: string): string {
  const end = raw.slice(-longestRead);
  return /[\b]{3}|#015|#010#010/.test(end) ? end : raw.slice(0, longestRead);
}

function clean(text: string): string {
  let told = text;
  // Log daemons write control characters as octal numbers (rsyslog: #033[), terminals' recorders with a caret.
  if (told.includes('#0'))
    told = told.replace(/(?<![A-Za-z] )#0(10|11|12|15|33(?=\[|\])|00)/g, (_, octal: string) => told0[octal] ?? '');
  if (told.includes('^[')) told = told.replace(/\^\[(?=\[[\d;?]*[A-Za-z])/g, '\x1b');
  if (told.includes('\x1b')) told = steer(told);
  // Two, so that columns stay apart whose names have a blank of their own.
  if (told.includes('\t')) told = told.replaceAll('\t', '  ');
  if (told.includes('\0')) told = told.replaceAll('\0', '');
  if (told.includes('\b')) told = drawOver(told);
  if (told.includes('\r')) told = newest(told);
  return safeText(told).replace(invisible, '');
}

const told0: Readonly<Record<string, string>> = {
  '10': '\b',
  '11': '\t',
  '12': ' ',
  '15': '\r',
  '33': '\x1b',
  '00': '',
};
/** Zero-width characters and byte order marks: they part words that look whole. */
const invisible = /[\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** Escape sequences that move within the line: to its first column is a carriage return, to the right are spaces. */
function steer(text: string): string {
  return text.replace(/\x1b\[(?:0|1)?G/g, '\r').replace(/\x1b\[\d{0,3}C/g, ' ');
}

/** Backspaces move left, and what follows is written over what stood there. */
function drawOver(text: string): string {
  const bare = text.includes('\x1b') ? safeKeepingBackspace(text) : text;
  const shown: string[] = [];
  let at = 0;
  for (const character of bare) {
    if (character === '\b') at = Math.max(0, at - 1);
    else if (character === '\r') at = 0;
    else shown[at++] = character;
  }
  return shown.join('');
}

const safeKeepingBackspace = (text: string) => text.split('\b').map(safeText).join('\b');

/** A launcher's mark alone: what it stands before is drawn over, not the mark. */
const mark = /^(?:\[[^\]]{1,60}\](?:<std(?:out|err)>)?:?|\([^)]{1,80}\)|\s{0,3}\d{1,5}:)\s*$/;

/** The last of several frames that shows something. */
function newest(text: string): string {
  const frames = text.split('\r');
  const [first = ''] = frames;
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i] ?? '';
    if (safeText(frame).trim() !== '') return i > 0 && mark.test(first) ? first + frame : frame;
  }
  return '';
}

import { byOutline } from '../outline.ts';
import { isDigit } from '../values/chars.ts';
import { apart } from '../values/remember.ts';

/**
 * Where the words begin that a logger's own head stands before: times, levels, names of loggers, places in programs. None of it is a
 * metric. logging, loguru, structlog, glog, klog, tracing, rich, absl; 0 where there is none.
 */
export function headEnd(text: string): number {
  const first = text.charCodeAt(0);
  // A small letter: no time, level or bracket begins so.
  if (first >= 97 && first <= 122) return 0;
  if (text === newest.text) return newest.end;
  newest = { text, end: beginsLong(text) ? findAlike(text) : findEnd(text) };
  return newest.end;
}

/** A line is asked about several times. */
let newest = { text: '', end: 0 };

/** With a bracket or a time: what may have several parts. */
const beginsLong = (text: string) =>
  text.charCodeAt(0) === 91 || (isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(1)));

function findAlike(text: string): number {
  const head = headOf(text);
  if (head.end > 0 && isAlike(text, head.sample)) return head.end;
  const end = findEnd(text);
  if (end > 0) {
    head.end = end;
    head.sample = apart(text.slice(0, end + seenBehind));
  }
  return end;
}

/** Of lines that are alike but for their digits the newest head, and what it was found by. */
const headOf = byOutline((): Head => ({ end: 0, sample: '' }));

interface Head {
  end: number;
  sample: string;
}

/** How many digits there are in a row counts in times, which are no longer. */
const seenBehind = 32;

/** It begins with the same, but for what digits they are. */
function isAlike(text: string, sample: string): boolean {
  for (let at = 0; at < sample.length; at++) {
    const code = text.charCodeAt(at);
    const before = sample.charCodeAt(at);
    if (code !== before && !(isDigit(code) && isDigit(before))) return false;
  }
  return true;
}

function findEnd(text: string): number {
  let end = 0;
  let levels = 0;
  for (let taken = 0; taken < 10; taken++) {
    const next = takePart(text, end, levels > 0 || taken > 0);
    if (next === undefined) break;
    if (next.level) levels++;
    end = next.end;
  }
  return end;
}

interface Part {
  readonly end: number;
  readonly level?: true;
}

const gap = String.raw`(?:\s*(?:[-|:>»·]|\|\|)\s+|\s+|$)`;
const level = String.raw`(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL|SUCCESS)`;
const anyLevel = String.raw`(?:${level}|trace|debug|info|warn(?:ing)?|error|critical)`;
/** Words that say what a line is about, where names of loggers stand. */
const subject = String.raw`(?!(?:[Qq]ueues?|[Ss]tages?|[Tt]imers?|[Tt]imings?|[Pp]hases?|[Bb]uffers|[Pp]ools)\b(?!\.)|[Ss]tep|[Ii]ter|[Ee]p(?:och)?|[Bb]atch|[Vv]al|[Ee]val|[Tt]est|[Tt]rain|[Ll]oss)`;
const time = String.raw`\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?:\s?[AaPp][Mm])?(?:\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?`;
const date = String.raw`(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4}|\d\d[-/]\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2})`;
const sticky = (source: string) => new RegExp(source, 'y');

/** Times: bare, in brackets, with the logger's name in the same brackets (detectron2). */
const stamp = sticky(
  String.raw`\s{0,2}(?:\[\s?(?:${date}(?:[T ,]+${time})?|${time})(?:\s[\w.]+)?\]|${date}[T ,]+${time}|${time}(?=\s*[-|\[\s]|:\s)|${date}(?=\s*[-|]))(?::(?=\s))?${gap}`,
);
/** glog: `I0219 19:34:48.976376 136489015797568 utils.py:255] `. */
const glog = sticky(String.raw`\[?[IWEFD]\d{3,4}\s\d\d:\d\d:\d\d[.\d]*\s+(?:\d+\s+)?[\w.\-/]+:\d+\]\s*`);
const levelWord = sticky(
  String.raw`\s*(?:\[\s*${anyLevel}\s*\]|<${anyLevel}>|\(${anyLevel}\)|${level}(?=\s*[-|:\]\s]))(?::(?=\S))?${gap}`,
);
/** Between separators behind a time or level: the name of a logger, a process, a thread, a place in a program. */
const name = sticky(
  String.raw`(?:\[(?:[\w.\-/]+:\d+(?::[\w.<>-]+)?|PID:\d+|RANK:\d+|[Rr]ank[ :=]?\d+|[\w.]+\.py|${subject}[A-Za-z][\w.]*(?::\d+)?)(?:,\s*rank[ =]\d+)?\](?:\s|$)|[\w.]+:[\w.<>-]+:\d+\s+-\s+|[\w./-]+\.(?:py|cc|cpp|go|rs):\d+\]?(?::[\w<>]+)?(?:\s*[-:|]\s+|\s+)|${subject}[A-Za-z_][\w.]{0,60}\s+[-|]\s+(?=[^\s\d]))\s*`,
);
/** nanotron: `[INFO|DP=0|PP=0|TP=0|node-0]:`; tracing: `train{epoch=1}: my_crate::train: `. */
const placed = sticky(
  String.raw`(?:\[${level}(?:\|[^\]|]{1,60})+\]:?\s*|(?:\w+(?:\{[^{}]{0,200}\})?:)*\w+(?:\{[^{}]{0,200}\}:|::\w+:)\s+(?:\w+(?:::\w+)*:\s+)?)`,
);
/** Python's logging as it is without a word of its user: `INFO:root:`. */
const basic = sticky(String.raw`\s*(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):${subject}[A-Za-z_][\w.]{0,80}:\s*`);
const tag = sticky(String.raw`\[(?!step|iter|epoch|batch|ep\b)[A-Za-z][\w.-]{0,40}\]\s+(?=[\[\d])`);

/** Host, rank and size: `[node07:0/64 t=+00:10:23] `. */
const host = sticky(String.raw`\[${subject}[A-Za-z][\w.-]{0,60}:\d{1,5}\/\d{1,5}(?:[\s|,][^\]]{0,60})?\]:?\s+`);

function takePart(text: string, at: number, within: boolean): Part | undefined {
  const code = text.charCodeAt(at);
  const first = code === 32 ? text.trimStart().charCodeAt(0) : code;
  const isDigit = first >= 48 && first <= 57;
  const isBracket = first === 91;
  const isLetter = (first >= 65 && first <= 90) || (first >= 97 && first <= 122);
  if (!isDigit && !isBracket && !isLetter && first !== 60 && first !== 40) return undefined;
  if (isDigit || isBracket || isLetter) {
    const end = match(stamp, text, at);
    if (end !== undefined) return { end };
  }
  if (isLetter || isBracket) {
    const end = match(glog, text, at) ?? match(basic, text, at);
    if (end !== undefined) return { end, level: true };
  }
  const end = match(levelWord, text, at) ?? (within || isBracket ? match(placed, text, at) : undefined);
  if (end !== undefined) return { end, level: true };
  if (!within) {
    const tagged = isBracket ? (match(tag, text, at) ?? match(host, text, at)) : undefined;
    return tagged === undefined ? undefined : { end: tagged };
  }
  const named = match(name, text, at);
  return named === undefined ? undefined : { end: named };
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) && pattern.lastIndex > at ? pattern.lastIndex : undefined;
}

import { numberPattern } from '../numbers.ts';
import { readNotes } from './drawn-bar.ts';
import { byOutline } from '../outline.ts';
import { isDigit } from '../values/chars.ts';

/** A bar's parts as they are written. */
export interface BarParts {
  readonly format: 'tqdm' | 'rich' | 'keras' | 'alive_progress' | 'indicatif' | 'progressbar' | 'bar';
  readonly description: string;
  readonly done: string;
  readonly total?: string | undefined;
  readonly rate?: string | undefined;
  readonly elapsed?: string | undefined;
  readonly eta?: string | undefined;
  readonly postfix?: string | undefined;
  readonly rest?: string | undefined;
}

/** The bar at the beginning of a line, by the first library that draws so. Cheap for a line that has none. */
export function readFamily(text: string): BarParts | undefined {
  const signs = text.length > 4000 ? 0 : signsOf(text);
  if (signs === 0) return undefined;
  return (
    (signs & hasDash ? readKeras(text) : undefined) ??
    (signs & (hasLess | hasIn | hasElapsed | hasPair | hasAmount) ? readBracketed(text, signs) : undefined) ??
    (signs & hasLine ? readRich(text) : undefined)
  );
}

/** What the bars of a family have in them. */
const hasDash = 1;
const hasLess = 2;
const hasPercent = 4;
const hasIn = 8;
const hasElapsed = 16;
const hasPair = 32;
const hasAmount = 64;
const hasLine = 128;

const signsOf = byOutline((text) => {
  if (!text.includes('/')) return 0;
  let signs = (/^\s*\d.* - /.test(text) ? hasDash : 0) | (/[━╸╺]/.test(text) ? hasLine : 0);
  if (!text.includes('[') || !text.includes(']')) return signs;
  if (text.includes('<')) signs |= hasLess | (text.includes('%') ? hasPercent : 0);
  if (text.includes('] in ') && text.includes('%]')) signs |= hasIn;
  if (text.includes('/s, elapsed: ')) signs |= hasElapsed;
  if (text.includes('] [')) signs |= hasPair;
  return hasCount(text) ? signs | hasAmount : signs;
});

function readKeras(text: string): BarParts | undefined {
  const found = keras.exec(text);
  if (!found) return undefined;
  const [, done = '', total, eta, elapsed, rate, postfix] = found;
  return { format: 'keras', description: '', done, ...(total !== 'Unknown' && { total }), eta, elapsed, rate, postfix };
}

const amount = numberPattern;
const count = String.raw`${amount}(?:[A-Za-z]{0,6})?`;
/** Descriptions are bounded: a line of `1%1%1%` would be read to its end from each of them. */
const tqdm = new RegExp(
  String.raw`^(.{0,300}?)(?<![\d.])\d{1,3}%(?:\|[^|]{0,300}\||\s)\s*(${count})\/(${count}) \[([^<\]]{0,40})<([^,\]]{0,40}),\s*([^,\]]{0,40})(?:,\s?([^\]]*))?\]`,
);
/** Without a total: `12it [00:03, 3.90it/s, loss=2.1]`. */
const tqdmOpen = new RegExp(
  String.raw`^(?:(.{0,200}?):\s*)?(${amount})\s?([A-Za-z]{1,12}) \[(\d[\d:]*),\s*([^,\]]{0,40})(?:,\s?([^\]]*))?\]`,
);
/** transformers in a notebook: `[ 22/290 02:50 < 38:04, 0.13 it/s, Epoch 0.37/5]`. */
const notebook = new RegExp(
  String.raw`^\s*\[\s*(\d+)/(\d+)\s+([\d:]+)\s*<\s*([^,\]]{1,30}),\s*([^,\]]{1,30})(?:,\s?([^\]]*))?\]`,
);
const keras = new RegExp(
  String.raw`^\s*(\d+)/(\d+|Unknown) (?:\[[=>.]*\]\s)?-\s(?:ETA: (\S+(?: \S+:\S+)?)|(\S+)(?:\s(${amount}[mµu]?s/(?:step|epoch|sample|batch)))?)(?:\s-\s(.*))?$`,
);
const alive = new RegExp(
  String.raw`^(.{0,200}?)\|[^|]{1,200}\|\s(?:\(!\)\s)?(${amount})/(${amount}) \[\d{1,3}%\] in (\S+)(?: \(([^()]{0,60})\))?(.*)$`,
);
const indicatif = new RegExp(
  String.raw`^(.{0,200}?)\[([\d:]{7,9})\] \[[#=>█▉▊▋▌▍▎▏░▒▓\s.-]{1,200}\] (\d+)/(\d+)(?: \(([^()]{1,40})\))?(.*)$`,
);
/** mmcv: `[>>>>>      ] 10/100, 2.3 task/s, elapsed: 4s, ETA: 40s`. */
const progressbar = new RegExp(
  String.raw`^(.{0,200}?)\[[>=#\s.]{3,200}\] (\d+)/(\d+), (${amount} \w+/s), elapsed: (\S+), ETA:\s+(\S+)(.*)$`,
);

function readBracketed(text: string, signs: number): BarParts | undefined {
  if (signs & hasLess) {
    const bar = signs & hasPercent ? tqdm.exec(text) : null;
    if (bar) {
      const [whole, description = '', done = '', total, elapsed, eta, rate, postfix] = bar;
      return {
        format: 'tqdm',
        description,
        done: bare(done),
        total: bare(total),
        elapsed,
        eta,
        rate,
        postfix,
        rest: text.slice(whole.length),
      };
    }
    const table = notebook.exec(text);
    if (table) {
      const [whole, done = '', total, elapsed, eta, rate, postfix] = table;
      return {
        format: 'tqdm',
        description: '',
        done,
        total,
        elapsed,
        eta,
        rate,
        postfix,
        rest: text.slice(whole.length),
      };
    }
  }
  if (signs & hasIn) {
    const [whole, description = '', done = '', total, elapsed, notes = '', postfix] = alive.exec(text) ?? [];
    if (whole !== undefined) {
      // `(~2:42, 1.9/s)` before version 3, `(1.9/s, eta: 2:42)` since.
      const { rate, eta } = readNotes(notes.replace('~', 'eta '));
      return { format: 'alive_progress', description, done, total, elapsed, eta, rate, postfix };
    }
  }
  if (signs & hasElapsed) {
    const [whole, description = '', done = '', total, rate, elapsed, eta, rest] = progressbar.exec(text) ?? [];
    if (whole !== undefined) return { format: 'progressbar', description, done, total, rate, elapsed, eta, rest };
  }
  if (signs & hasPair) {
    const [whole, description = '', elapsed, done = '', total, eta, postfix] = indicatif.exec(text) ?? [];
    if (whole !== undefined)
      return {
        format: 'indicatif',
        description: description.replace(/[\u2800-\u28ff]/g, ''),
        done,
        total,
        elapsed,
        ...notesOf(eta),
        postfix,
      };
  }
  if (!(signs & hasAmount)) return undefined;
  const open = tqdmOpen.exec(text);
  if (!open) return undefined;
  const [whole, description = '', done = '', , elapsed, rate, postfix] = open;
  return { format: 'tqdm', description, done, elapsed, rate, postfix, rest: text.slice(whole.length) };
}

/** `(2h 42m)`, `(1.93 it/s, eta 2h 42m)`. */
function notesOf(text: string | undefined): Pick<BarParts, 'rate' | 'eta'> {
  if (text === undefined || !/[,/]|eta/.test(text)) return { eta: text };
  const { rate, eta } = readNotes(text);
  return { rate, eta };
}

/** Whether something like `12it [0` stands in it. */
function hasCount(text: string): boolean {
  for (let at = text.indexOf(' ['); at > 0; at = text.indexOf(' [', at + 1)) {
    const before = text.charCodeAt(at - 1) | 32;
    const after = text.charCodeAt(at + 2);
    if (before >= 97 && before <= 122 && after >= 48 && after <= 57) return true;
  }
  return false;
}

/** `307kB` without the letters that are no power of a thousand. */
const bare = (text = '') =>
  isDigit(text.charCodeAt(text.length - 1)) ? text : text.replace(/(\d\s?[kKMGBT]?)(?:[A-Za-z]*)$/, '$1');

const glyphs = /[━╸╺─]{2,}[━╸╺─\s]*/;
const counted = new RegExp(String.raw`(?<![\w.])(${amount})/(${amount}|[-?])(?![\w/])`);
const clock = String.raw`(-?[\d-]+:[\d-]{2}(?::[\d-]{2})?|\d+(?:\.\d+)?s)`;
const clockPair = new RegExp(String.raw`(?<![\w.])${clock}\s*(?:•|<|\/)\s*${clock}`);
const ratio = new RegExp(String.raw`(${amount}\s?[A-Za-z]*/(?:s|it|step|batch))(?![\w/])`);

/**
 * Bars of thick lines, whose columns stand in an order of the user's: rich, tqdm.rich, Keras 3, Lightning's RichProgressBar
 * (`Epoch 0/9 ━━━━ 120/1000 0:00:12 • 0:01:20 9.85it/s loss: 2.3`).
 */
function readRich(text: string): BarParts | undefined {
  const drawn = glyphs.exec(text);
  if (!drawn) return undefined;
  const before = text.slice(0, drawn.index);
  const after = text.slice(drawn.index + drawn[0].length);
  const own = /^\s*(\d+)\/(\d+)\s*$/.exec(before);
  if (own) {
    // Keras 3: what is left during the epoch, what it took at its end.
    const [, done = '', total] = own;
    const [, time, rate, postfix] = /^\s*(\S+)\s+(\S+\/(?:step|epoch|sample|batch))(?:\s-\s(.*))?$/.exec(after) ?? [];
    if (time === undefined) return undefined;
    return {
      format: 'keras',
      description: '',
      done,
      total,
      rate,
      postfix,
      ...(done === total ? { elapsed: time } : { eta: time }),
    };
  }
  const parts = counted.exec(after);
  if (!parts) return undefined;
  const [whole, done = '', total] = parts;
  const tail = after.slice(parts.index + whole.length);
  const [times, elapsed, eta] = clockPair.exec(tail) ?? [];
  const [rateText] = ratio.exec(tail) ?? [];
  let postfix = tail;
  for (const said of [times, rateText]) if (said !== undefined) postfix = postfix.replace(said, ' ');
  const description = before.replace(/\s\d{1,3}%\s*$/, '');
  postfix = postfix.replace(/^[\s[\],<•?]*(?:\?\s?it\/s)?[\s[\],•]*|[\s\]]+$/g, '').replace(/^\d{1,3}%\s*/, '');
  return {
    format: 'rich',
    description,
    done,
    ...(total !== '-' && total !== '?' && { total }),
    elapsed,
    eta,
    rate: rateText,
    postfix,
  };
}

import { numberPattern, readDuration, readNumber } from '../numbers.ts';
import { byOutline } from '../outline.ts';
import type { BarParts } from './bar-shapes.ts';

const blocks = '█▉▊▋▌▍▎▏░▒▓■□▰▱●○⣿⣶⣤⣀⠿';
const line = `━╸╺─`;
/** In brackets, or of characters that nothing else is drawn with. */
const drawn = new RegExp(
  String.raw`\[(?=[^\]]{0,200}[=#>*.${blocks}${line}-]{3})[=#>*.~o\s${blocks}${line}·-]{5,200}\]|[|▕](?=[^|▏]{0,200}[${blocks}#=>]{3})[=#>.\s${blocks}-]{5,200}[|▏]|[${blocks}]{4,200}`,
);

const end = String.raw`(?![a-zµ/])\s?`;
const span = String.raw`\d{1,4}(?::\d\d){1,2}|(?=\d+(?:\.\d+)?\s?[dhms])(?:\d+\s?d(?:ays?)?,?${end})?(?:\d+\s?h(?:(?:ou)?rs?)?${end})?(?:\d+\s?m(?:in(?:ute)?s?)?${end})?(?:\d+(?:\.\d+)?\s?s(?:ec(?:ond)?s?)?(?![a-zµ/]))?`;
const counted = new RegExp(String.raw`(?<![\w./])(${numberPattern})\s?/\s?(${numberPattern})(?![\w./:])`);
const left = new RegExp(
  String.raw`(?:\b(?:eta|remaining|left|rem)|剩余|残り|남은)\s?[:=]?\s?(${span})|(?<![\w.:])(${span})\s?(?:left|remaining|to go)\b`,
  'i',
);
const passed = new RegExp(String.raw`(?:\b(?:elapsed|in|after)|已用|経過)\s?[:=]?\s?(${span})|\[(${span})\]`, 'i');
const pair = new RegExp(String.raw`(?<![\w.:])(${span})\s?<\s?(${span})`);
/** `loss=2.3 tok/s=1200`: no rate of 2.3. */
const ratio = new RegExp(
  String.raw`(?<![\w.]|[=:]\s?)(${numberPattern}\s?[A-Za-zµ]*/(?:s|sec|it|iter|step|batch))(?![\w/]|\s?[=:]|\s+\d)`,
);

/** What stands about a bar, in any order, and what is left of the text then. */
export function readNotes(
  text: string,
  withoutRate?: 'withoutRate',
): Pick<BarParts, 'rate' | 'elapsed' | 'eta'> & { readonly left: string } {
  let rest = text;
  const take = (pattern: RegExp) => {
    const match = pattern.exec(rest);
    if (match) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    return match;
  };
  const rate = (withoutRate ? undefined : take(ratio))?.[1]?.replace(/\/(?:sec)$/, '/s').replace(/\/iter$/, '/it');
  const both = take(pair);
  const ahead = both ?? take(left);
  const behind = both ?? take(passed);
  const eta = both ? both[2] : (ahead?.[1] ?? ahead?.[2]);
  const elapsed = both ? both[1] : (behind?.[1] ?? behind?.[2]);
  return { rate, elapsed, eta, left: rest };
}

/** A bar that no library of those known draws: a drawing, a count of a total, and what stands about them. */
export function readDrawn(text: string): BarParts | undefined {
  if (text.length > 1000 || mayBeDrawn(text) === 0) return undefined;
  const found = drawn.exec(text);
  if (!found) return undefined;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  const counts = counted.exec(after) ?? counted.exec(before);
  if (!counts) return undefined;
  const [whole, done = '', total = ''] = counts;
  const read = (part: string) => {
    const all = readNotes(part.replace(whole, ' '));
    return isOfBar(all, readNumber(done), readNumber(total)) ? all : readNotes(part.replace(whole, ' '), 'withoutRate');
  };
  const front = read(before);
  const notes = read(after);
  const clean = (part: string) =>
    part
      .replace(/[\u2800-\u28ff]|(?<![\w.])\d{1,3}(?:\.\d+)?\s?%|[([]\s*[,|•·-]?\s*[)\]]/g, ' ')
      .replace(/^[\s,|•·:()-]+|[\s,|•·:()-]+$/g, '');
  return {
    format: 'bar',
    description: clean(front.left),
    done,
    total,
    rate: notes.rate ?? front.rate,
    elapsed: notes.elapsed ?? front.elapsed,
    eta: notes.eta ?? front.eta,
    postfix: clean(notes.left),
  };
}

/** `417/1251 ... 2891.4 img/s  eta 0:04:55`: at that rate it would be over at once, for the bar counts steps. */
function isOfBar({ rate, eta }: Pick<BarParts, 'rate' | 'eta'>, done: number, total: number): boolean {
  const [, amount, thing = ''] = /^([\d.,]+(?:e[-+]?\d+)?\s?[kKMG]?)\s?([A-Za-z]+)\/s/.exec(rate ?? '') ?? [];
  if (amount === undefined || /^(?:it|iter|step|batch)/i.test(thing)) return true;
  const seconds = readNumber(amount.replace(/\s/, ''));
  const left = eta === undefined ? undefined : readDuration(eta.trim());
  return total / seconds > 2 && (left === undefined || Math.abs((total - done) / seconds - left) <= 0.3 * left + 2);
}

/** Four of one sign in a row, as every bar has them. */
const run = new RegExp(`([=#>*.~${blocks}-])\\1{3}`);
const mayBeDrawn = byOutline((text) => (text.includes('/') && run.test(text) ? 1 : 0));

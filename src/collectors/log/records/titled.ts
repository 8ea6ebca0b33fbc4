import { meaningOf } from '../values/names.ts';

const longestTitle = 300;
const longestEntry = 1000;
const mostEntries = 60;

/** A count of steps or epochs. */
export const countsSteps = /\b(?:global[ _]?step|step|iter(?:ation)?|epoch|batch|update|episode)s?\b[\s:=#[(]*\d/i;
/** Nothing but counts, with one of steps: `Step 1200 / 20000 | Epoch 3`. */
const bare =
  /^\W{0,10}(?=(?:epoch\W*\d[\d,]*\W{0,5}){0,2}(?:global[ _]?)?(?:step|iter(?:ation)?|update|episode)s?\b)(?:(?:global[ _]?step|step|iter(?:ation)?|epoch|update|episode)s?\b\W{0,5}\d[\d,]*(?:\s?(?:\/|of)\s?\d[\d,]*)?[^\p{L}\d]{0,80}){1,3}(?:\d{1,3}\s?%\W{0,10})?$/iu;
const signs = '=-*#~─━═ ';

/** What lines below it may tell of: `== step 1200/20000 (6%) ====`, `--- Step 1250 ---`, `step: 1300` with nothing else. */
export function isTitle(text: string): boolean {
  if (text.length > longestTitle || !countsSteps.test(text)) return false;
  if (bare.test(text)) return true;
  if (!signs.includes(text.charAt(0)) && !signs.includes(text.charAt(text.length - 1))) return false;
  return /^\s*[=\-*#~─━═]{2,}\s|\s[=\-*#~─━═]{3,}\s*$/.test(text) && !/loss/i.test(text);
}

/** Fields that are not told again, with no step of their own; below a title without signs such as only a trainer tells. */
export function isBelowTitle(texts: readonly string[], text: string): boolean {
  if (texts.length > mostEntries || text.length > longestEntry || countsSteps.test(text)) return false;
  if (ruler.test(text)) return row.test(texts.at(-1) ?? '');
  const key = keyOf(text);
  if (texts.some((before, i) => i > 0 && keyOf(before) === key)) return false;
  if (row.test(text)) return !/^\W*(?:step|iter\w*|epoch)s?\W*$/i.test(key);
  if (/^(?:\s\s|\t)/.test(text)) return isFields(text) || isEntry(text);
  if (!isFields(text) && !entryOfNumber.test(text)) return false;
  const isBare = texts.length === 1 && bare.test(texts[0] ?? '');
  return !isBare || meaningOf(key) !== undefined || telling.test(text);
}
const telling = /^[^\d:=]{0,60}=|^[^\d:=]{0,60}(?:loss|acc|reward|return|score|ppl|kl\b|entropy)/i;
const ruler = /^\s*[-+=|\u2500-\u257f]{5,}\s*$/;
/** `| name | 21.5 |`. */
const row = /^\s*[|│┃║]\s*[^|│┃║]*[A-Za-z][^|│┃║]*[|│┃║]\s*[-+]?(?:\d|nan|inf)[^|│┃║]*[|│┃║]\s*$/i;

const keyOf = (text: string) => (/^[^\d:=]{0,80}/.exec(text.trimStart())?.[0] ?? '').trimEnd();

/** `  loss: 2.31`, `  • lr   1e-4`, `  loss ..... 2.31`; no sentence with a number that is padded. */
export const isEntry = (text: string): boolean =>
  text.length <= longestEntry &&
  /^\s+(?:[|│]\s*)?[*•·>●▸→-]?\s*[\p{L}_"'](?:[^=:]{0,80}(?:[=:]|\s?\.{3,60}\s)|[^\s=:]{0,40}(?:\s[^\s=:]{1,40}){0,3}\s{2,})\s*\S/u.test(
    text,
  );
const entryOfNumber =
  /^\s?["']?[\p{L}_][\p{L}\d_."' /%()@-]{0,60}(?:(?<!\d)[=:]\s*|[=:]\s+|\s?\.{3,60}\s)[-+]?(?:\d|nan\b|inf\b)/iu;

const field =
  /^(?:[\p{L}_@][\p{L}\d_./%@ -]{0,40}?\s?[:=\s]\s?)?[-+]?(?:\d[\w.,:+-]*|nan|inf)(?:\s?(?:%|[\p{L}µ/]{1,16}))?$/iu;

/** Parted fields, each a name and a number or a number and its unit: `loss 0.08 | lr 1e-4 | 3.28 s/it`; one alone where its name is known. */
function isFields(text: string): boolean {
  if (text.length > longestEntry) return false;
  const parts = text.replace(/^[\s|│•*>-]+|[\s|│]+$/g, '').split(/\s*[|│;·•]\s*|,?\s{2,}|,\s+/);
  if (!parts.every((part) => part === '' || field.test(part))) return false;
  return parts.length > 1 || meaningOf(/^[^\d:=]*/.exec(parts[0] ?? '')?.[0].trim() ?? '') !== undefined;
}

const counts =
  /\b(?:global[ _]?step|step|iter(?:ation)?|epoch|batch|update|episode)s?\b[\s:=#[(]*\d[\d,]*(?:\s?(?:\/|of)\s?\d[\d,]*)?/gi;

/** A title's counts, and behind them what else stands in it. */
export function titleOf(text: string): readonly string[] {
  return [
    (text.match(counts) ?? []).map((count) => count.replace(/[\s:=#[(]+/, ' ')).join(' | '),
    text.replace(counts, ' ').trim(),
  ];
}

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

/** Fields that are not told again, with no step of their own. */
export function isBelowTitle(texts: readonly string[], text: string): boolean {
  if (texts.length > mostEntries || countsSteps.test(text)) return false;
  if (!isFields(text) && !(/^(?:\s\s|\t)/.test(text) ? isEntry(text) : entryOfNumber.test(text))) return false;
  const key = keyOf(text);
  return !texts.some((before, i) => i > 0 && keyOf(before) === key);
}

const keyOf = (text: string) => (/^[^\d:=]{0,80}/.exec(text.trimStart())?.[0] ?? '').trimEnd();

/** `  loss: 2.31`, `  • lr   1e-4`, `  loss ..... 2.31`. */
export const isEntry = (text: string): boolean =>
  text.length <= longestEntry &&
  /^\s+(?:[|│]\s*)?[*•·>●▸→-]?\s*[\p{L}_"'][^=:]{0,80}(?:[=:]|\s{2,}|\s?\.{3,60}\s)\s*\S/u.test(text);
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

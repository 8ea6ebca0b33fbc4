import { isDigit, isWordly } from './chars.ts';
import type { Reading } from './scan-value.ts';

/**
 * Reads a time that has more than one part: `1:02:03`, `49:12`, `1 day, 2:03:04`, `2h 3m`, `18m 26s`, `3小时20分`. False: none stands
 * there. Whether it is a time of day is for its key to say.
 */
export function scanTime(text: string, at: number, out: Reading): boolean {
  let i = at;
  while (isDigit(text.charCodeAt(i))) i++;
  if (i === at || i - at > 5) return false;
  const code = text.charCodeAt(i);
  if (code === 58) {
    if (!isDigit(text.charCodeAt(i + 1)) || !isDigit(text.charCodeAt(i + 2))) return false;
    return finish(clock, text, at, out);
  }
  // Most numbers end here: a point, a blank, a comma.
  if (code === 46 || code === 44 || code === 47 || code === 37 || code !== code) return false;
  if (code === 32 && !isUnitLetter(text.charCodeAt(i + 1))) return false;
  if (code !== 32 && !isUnitLetter(code)) return false;
  return (code | 32) === 104 && hours(text, at, out) ? true : finish(words, text, at, out);
}

/** The first letters of days, hours, minutes in the languages that are known. */
function isUnitLetter(code: number): boolean {
  const low = code | 32;
  return low === 100 || low === 104 || low === 109 || low === 116 || low === 106 || low === 115 || code > 0x3ff;
}

const hm = /(\d{1,4})h(\d{2})(?![\dhms])/y;
const clock = /(?:(\d{1,3})[:])?(\d{1,5}):(\d{2}(?:[.,]\d+)?)(?![\d:])/y;
const day = String.raw`(?:days?|d|tage?|jours?|días?|天|日|일|дн(?:ей|я)?)`;
const hour = String.raw`(?:hours?|hrs?|h|std\.?|stunden?|heures?|horas?|小时|小時|時間|时|시간|час(?:ов|а)?|ч)`;
const minute = String.raw`(?:minutes?|mins?|minuten?|minutos?|m|分钟|分鐘|分|분|минут[аы]?|мин)`;
const second = String.raw`(?:seconds?|secs?|sekunden?|sek|secondes?|segundos?|s|秒|초|секунд[аы]?|сек|с)`;
const words = new RegExp(
  String.raw`(?:(\d+)\s?${day}[,\s]*)?(?:(?:(\d+):(\d\d):(\d\d(?:\.\d+)?))|(?:(\d+)\s?${hour}[,\s]*)?(?:(\d+)\s?${minute}[,\s]*)?(?:(\d+(?:[.,]\d+)?)\s?${second})?)`,
  'iy',
);

/** `1h37`. */
function hours(text: string, at: number, out: Reading): boolean {
  hm.lastIndex = at;
  const match = hm.exec(text);
  if (!match || isWordly(text.charCodeAt(at + match[0].length))) return false;
  out.kind = 'time';
  out.seconds = Number(match[1]) * 3600 + Number(match[2]) * 60;
  out.end = at + match[0].length;
  return true;
}

function finish(form: RegExp, text: string, at: number, out: Reading): boolean {
  form.lastIndex = at;
  const match = form.exec(text);
  if (!match || match[0] === '') return false;
  const [whole, ...parts] = match;
  let end = at + whole.length;
  while (/[\s,]/.test(text.charAt(end - 1))) end--;
  const last = text.charCodeAt(end);
  if (isWordly(last) && last < 0x2e80) return false;
  const number = (i: number) => Number((parts[i] ?? '0').replace(',', '.'));
  let seconds: number;
  if (form === clock) seconds = number(0) * 3600 + number(1) * 60 + number(2);
  else {
    // One part alone is a number with a unit.
    if (parts.filter((part) => part !== undefined).length < 2) return false;
    seconds =
      number(0) * 86_400 + (number(1) + number(4)) * 3600 + (number(2) + number(5)) * 60 + number(3) + number(6);
  }
  out.kind = 'time';
  out.seconds = Number(seconds.toFixed(6));
  out.end = end;
  return true;
}

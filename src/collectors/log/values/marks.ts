import type { Marks } from './scan-number.ts';

/** `0,0003`, `2,31`, `12,3456`: no thousands. */
const decimalComma = /(?<![\d,.:'\w])(?:0,\d{3,}|\d{1,3}(?:\.\d{3})*,(?:\d{1,2}|\d{4,}))(?![\d:])(?!,\s?\d)/;
/** A point with decimals: no thousands either. */
const decimalPoint = /(?<![\d,.:\w])\d+\.(?:\d{1,2}|\d{4,})(?![\d.:])|(?<![\d.])0\.\d|\d\.\d+[eE]/;

/** Words of languages that write decimals behind a comma. */
const commaTongues =
  /(?:^|[^\p{L}])(?:verlust|lernrate|schritt|perte|étape|pérdida|paso|perdita|passo|perda|потер[иья]|лосс|шаг|strata|krok|kayıp|adım)(?![\p{L}])/iu;

/** How a line writes its numbers: by a comma that can only be a decimal one; where nothing is certain, as those before it. */
export function marksOf(text: string, previous: Marks): Marks {
  const at = text.indexOf(',');
  if (at < 0) return 'point';
  for (let i = at; i >= 0; i = text.indexOf(',', i + 1)) {
    const before = text.charCodeAt(i - 1);
    const after = text.charCodeAt(i + 1);
    if (before >= 48 && before <= 57 && after >= 48 && after <= 57) {
      if (decimalPoint.test(text)) return 'point';
      if (decimalComma.test(text)) return 'comma';
      return (previous === 'comma' || commaTongues.test(text)) && !/\d\.\d/.test(text) ? 'comma' : 'point';
    }
  }
  return 'point';
}

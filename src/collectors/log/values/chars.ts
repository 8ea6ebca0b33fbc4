/** Kinds of characters, as bits. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const letter = 1;
const digit = 2;
const space = 4;
/** Ends a field: `,` `;` `|`, an end of a line, and their full-width and box-drawing kin. */
const fence = 8;
/** May follow a number. */
const close = 16;

const kinds = new Uint8Array(65_536);
for (let code = 0; code < kinds.length; code++) kinds[code] = kindOf(code);

/** A letter of any script, or `_`. */
export const isLetter = (code: number): boolean => ((kinds[code | 0] ?? 0) & letter) !== 0;
/** A letter or a digit. */
export const isWordly = (code: number): boolean => ((kinds[code | 0] ?? 0) & (letter | digit)) !== 0;
/** Blanks within a line: also the no-break and the ideographic one. */
export const isSpace = (code: number): boolean => ((kinds[code | 0] ?? 0) & space) !== 0;
/** Parts fields. */
export const isFence = (code: number): boolean => ((kinds[code | 0] ?? 0) & fence) !== 0;
/** What may stand behind a number; NaN: the end of the text. */
export const endsNumber = (code: number): boolean => code !== code || ((kinds[code | 0] ?? 0) & close) !== 0;
/** Chinese, Japanese, Korean: written without blanks. */
export const isIdeograph = (code: number): boolean =>
  (code >= 0x2e80 && code <= 0x9fff && code > 0x303f) || (code >= 0xac00 && code <= 0xd7a3) || code === 0x3005;

function kindOf(code: number): number {
  const text = String.fromCharCode(code);
  if (code >= 48 && code <= 57) return digit;
  if (code === 95 || /\p{L}|\p{M}/u.test(text)) return letter | (code >= 0x2e80 ? close : 0);
  if (/[ \t\u00a0\u2000-\u200a\u202f\u3000]/.test(text)) return space | close;
  if (/[,;|\n\r，、；。｜·•‖\u2500-\u257f]/.test(text)) return fence | close;
  return /[)\]}"'<>(:*!?±）】」：（【「·•→]/.test(text) ? close : 0;
}

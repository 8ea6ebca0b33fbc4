import { displayWidth } from './width.ts';

/**
 * The text in ASCII, cell for cell: frames as + - |, blocks and braille by how much of the cell they fill, arrows and marks by
 * their nearest sign; what has no sign becomes `?`.
 */
export function toAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  let ascii = '';
  for (const { segment } of segmenter.segment(text)) ascii += /^[\x20-\x7e]$/.test(segment) ? segment : sign(segment);
  return ascii;
}

const segmenter = new Intl.Segmenter();

const signs: Readonly<Record<string, string>> = {
  '─': '-',
  '━': '=',
  '│': '|',
  '┃': '|',
  '…': '~',
  '·': '.',
  '•': '*',
  '×': 'x',
  '–': '-',
  '—': '-',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '▲': '^',
  '▼': 'v',
  '▸': '>',
  '▾': 'v',
  '◂': '<',
  '●': '*',
  '○': 'o',
  '■': '#',
  '°': "'",
  µ: 'u',
  '±': '~',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '░': '.',
  '▒': ':',
  '▓': '%',
};

/** From an empty to a full cell. */
const fills = ' .:-=+*#';

function sign(character: string): string {
  const known = signs[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x2500 && code <= 0x257f) return '+';
  if (code >= 0x2581 && code <= 0x2588) return fill((code - 0x2580) / 8);
  if (code >= 0x2589 && code <= 0x258f) return fill((0x2590 - code) / 8);
  if (code >= 0x2580 && code <= 0x259f) return fill(0.5);
  if (code >= 0x2800 && code <= 0x28ff) return fill(dots(code - 0x2800) / 8);
  const digit = superscripts.indexOf(character);
  if (digit >= 0) return String(digit);
  const base = character.normalize('NFD')[0] ?? '?';
  return /^[\x20-\x7e]$/.test(base) ? base : '?'.repeat(displayWidth(character));
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function fill(share: number): string {
  return fills[Math.ceil(share * (fills.length - 1))] ?? '#';
}

function dots(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

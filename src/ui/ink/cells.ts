import stringWidth from 'string-width';

/**
 * Cells that a row takes, its SGR codes not counted. Rows of traintop are ASCII, frames, blocks and braille: counted here in one
 * pass. Anything else is left to string-width, which takes 50 times as long.
 */
export function cellsOf(row: string): number {
  let cells = 0;
  for (let i = 0; i < row.length; i++) {
    const code = row.charCodeAt(i);
    if (code === 0x1b) {
      const end = sgrEnd(row, i);
      if (end < 0) return stringWidth(row);
      i = end;
    } else if (isSingle(code)) cells++;
    else return stringWidth(row);
  }
  return cells;
}

/** Whether every escape sequence of the row is SGR: it changes colours, and moves nothing. */
export function hasOnlySgr(row: string): boolean {
  for (let i = row.indexOf('\x1b'); i >= 0; i = row.indexOf('\x1b', i)) {
    i = sgrEnd(row, i);
    if (i < 0) return false;
  }
  return true;
}

/** The index of the `m` of `CSI digits m` that starts at `from`; -1 when it is another sequence. */
function sgrEnd(row: string, from: number): number {
  if (row.charCodeAt(from + 1) !== 0x5b) return -1;
  for (let i = from + 2; i < row.length; i++) {
    const code = row.charCodeAt(i);
    if (code === 0x6d) return i;
    if ((code < 0x30 || code > 0x39) && code !== 0x3b) return -1;
  }
  return -1;
}

/** One cell in every terminal; a part of the class in parts/width.ts, which says why these. */
function isSingle(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  if (code < 0x300) return code >= 0xa1 && code !== 0xad;
  return (code >= 0x2500 && code <= 0x259f) || (code >= 0x2800 && code <= 0x28ff) || others.has(code);
}

const others = new Set([...'‐–—‘’“”•…⁰¹²³⁴⁵⁶⁷⁸⁹←↑→↓■▲▸▼◂○●'].map((character) => character.charCodeAt(0)));

const reset = '\x1b[39m';

/**
 * The same row with fewer bytes and no blanks at its end: a foreground colour is set only where the next visible character needs another one. Panels close
 * the colour of every segment; from one segment to the next of the same tone that is 24 bytes for nothing.
 */
export function tidyColours(row: string): string {
  let out = '';
  let set = reset;
  let wanted = reset;
  // Inverse, underline and a background show on blanks too; the screen uses one of them at a time.
  let blanksShow = false;
  for (let at = 0; at < row.length;) {
    const escape = row.indexOf('\x1b[', at);
    const text = escape < 0 ? row.slice(at) : row.slice(at, escape);
    if (text !== '') {
      if (wanted !== set && (blanksShow || !isBlank(text))) {
        out += wanted;
        set = wanted;
      }
      out += text;
    }
    if (escape < 0) break;
    const end = row.indexOf('m', escape) + 1;
    const sequence = row.slice(escape, end);
    if (isForeground(sequence)) wanted = sequence;
    else {
      out += sequence;
      blanksShow = showsOnBlanks(sequence, blanksShow);
    }
    at = end;
  }
  const shown = out.trimEnd();
  return set === reset ? shown : shown + reset;
}

function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== 0x20) return false;
  return true;
}

/** `CSI 30-37 m`, `CSI 90-97 m`, `CSI 38;... m` and their end, `CSI 39 m`. */
function isForeground(sequence: string): boolean {
  const first = sequence[2];
  return sequence.length > 4 && (first === '3' || (first === '9' && sequence.length === 5));
}

function showsOnBlanks(sequence: string, before: boolean): boolean {
  const code = sequence.slice(2, -1);
  if (code === '27' || code === '24' || code === '49') return false;
  return before || !['1', '2', '3', '22', '23'].includes(code);
}

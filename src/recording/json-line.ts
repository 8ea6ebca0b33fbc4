import { limits } from './limits.ts';
import { Misfit, objectOf } from './shape.ts';

/** A line without its end. Numbers that JSON does not have are written as texts; shape.ts reads them back. */
export function writeLine(value: object): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'number' || (Number.isFinite(each) && !Object.is(each, -0))) return each;
    return Object.is(each, -0) ? '-0' : String(each);
  });
}

/** What a line says: an object of a bearable size. Throws a Misfit, or JSON.parse's error. */
export function readLine(line: string): Readonly<Record<string, unknown>> {
  if (line.length > limits.line.value) throw new Misfit('a line is too long');
  checkDepth(line);
  return objectOf(JSON.parse(line));
}

/** A few bytes for each level and each empty object would fill the memory before anything else looks at them. */
function checkDepth(line: string) {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 34) at = endOfText(line, at);
    else if (code === 91 || code === 123) {
      if (++depth > limits.lineDepth.value) throw new Misfit('a line is nested too deeply');
      if (++parts > limits.lineParts.value) throw new Misfit('a line has too many parts');
    } else if (code === 93 || code === 125) depth--;
  }
}

/** Of the text that begins at this quote. */
function endOfText(line: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = line.indexOf('"', at);
    if (at === -1) return line.length;
    let backslashes = 0;
    while (line.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}

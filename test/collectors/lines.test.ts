import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../src/collectors/lines.ts';

/** The bytes in chunks of these sizes (the last takes the rest), as texts, bytes, and what is left. */
function split(bytes: Buffer, cuts: readonly number[], carriageReturns = false) {
  const splitter = createLineSplitter(carriageReturns);
  const borders = [0, ...cuts, bytes.length];
  const lines = borders.slice(1).flatMap((end, at) => splitter.push(bytes.subarray(borders[at], end)));
  return { lines, rest: splitter.rest() };
}

const texts = (text: string, carriageReturns = false) =>
  split(Buffer.from(text), [], carriageReturns).lines.map((line) => line.text);

describe('bytes to lines', () => {
  const odd = 'α step 1\r\n\n 漢字 █▉\r 33%\rdone\n🚀 end\r\r\n\x1b[31mred\x1b[0m\nhalf ▏';

  for (const carriageReturns of [false, true]) {
    it(`gives the same lines however the bytes are cut${carriageReturns ? ', at carriage returns too' : ''}`, () => {
      const bytes = Buffer.from(odd);
      const whole = split(bytes, [], carriageReturns);
      expect(whole.rest).toBe('half ▏');
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect(split(bytes, [cut], carriageReturns)).toEqual(whole);
        expect(split(bytes, [cut, Math.min(cut + 1, bytes.length)], carriageReturns)).toEqual(whole);
      }
      const every = Array.from(bytes, (_, at) => at);
      expect(split(bytes, every, carriageReturns)).toEqual(whole);
      const counted = whole.lines.reduce((sum, line) => sum + line.bytes, 0);
      expect(counted + Buffer.byteLength(whole.rest)).toBe(bytes.length);
    });
  }

  it('ends lines at LF, and leaves the CR of a CRLF out', () => {
    expect(texts('a\r\nb\n\nc\rd\ne')).toEqual(['a', 'b', '', 'c\rd']);
  });

  it('takes each redraw of a progress bar for a line', () => {
    expect(texts('\r 0%\r 50%\rdone\nnext\n', true)).toEqual(['', ' 0%', ' 50%', 'done', 'next']);
  });

  it('puts one sign for bytes that are no UTF-8, and goes on', () => {
    const bytes = Buffer.concat([Buffer.from('a'), Buffer.from([0xe2, 0x96]), Buffer.from('\nb\n')]);
    expect(split(bytes, []).lines.map((line) => line.text)).toEqual(['a\ufffd', 'b']);
  });

  it('gives a line that does not end in parts of 64 KiB, the same however it is cut', () => {
    const bytes = Buffer.from('é'.repeat(70_000) + '\nnext\n');
    const whole = split(bytes, []);
    expect(whole.lines.map((line) => line.bytes)).toEqual([65536, 65536, 140_001 - 131_072, 5]);
    expect(whole.lines.map((line) => line.text).join('')).toBe('é'.repeat(70_000) + 'next');
    for (const cut of [1, 65_535, 65_536, 65_537, 131_071, 131_072, 140_000])
      expect(split(bytes, [cut])).toEqual(whole);
  });
});

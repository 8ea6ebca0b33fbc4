import { Terminal } from '@xterm/headless';
import { expect, test } from 'vitest';
import { screenToSvg } from '../../scripts/lib/svg.ts';

function draw(text: string): Promise<string> {
  const terminal = new Terminal({ cols: 20, rows: 2, allowProposedApi: true });
  return new Promise((done) => terminal.write(text, () => done(screenToSvg(terminal))));
}

test('text keeps its column, its cells and its style', async () => {
  const svg = await draw('a  \x1b[1;38;2;1;2;3mb<c\x1b[0m');
  expect(svg).toContain(
    '<text x="0" y="13.5" textLength="8.43" lengthAdjust="spacingAndGlyphs" fill="#d4d7dd">a</text>',
  );
  expect(svg).toMatch(/<text x="25.29" .*textLength="25.29".*fill="#010203" font-weight="bold">b&lt;c<\/text>/);
});

test('colours come from the palette, inverse swaps them, dim blends them', async () => {
  const svg = await draw('\x1b[38;5;196mr\x1b[48;5;244;7mi\x1b[0;2md\x1b[0;41m ');
  expect(svg).toContain('fill="#ff0000">r<');
  expect(svg).toMatch(/<rect [^>]*fill="#ff0000"\/>[^]*fill="#808080">i</);
  expect(svg).toContain('fill="#878a90">d<');
  expect(svg).toContain('fill="#e0626c"/>');
});

test('boxes, blocks and braille are shapes, one a cell', async () => {
  const svg = await draw('╭─┃█▂⣿');
  expect(svg.match(/<path class="(light|heavy)"/g)).toHaveLength(3);
  expect(/<path class="dots" d="([^"]*)"/.exec(svg)?.[1]?.match(/h0/g)).toHaveLength(8);
  expect(svg).not.toContain('<text');
});

test('a wide character takes two cells and the next one stays in its place', async () => {
  const svg = await draw('学x');
  expect(svg).toContain('textLength="16.86" lengthAdjust="spacingAndGlyphs" fill="#d4d7dd">学<');
  expect(svg).toMatch(/x="16.86" [^>]*>x</);
});

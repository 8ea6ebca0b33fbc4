/** The grid, in SVG units: DejaVu Sans Mono at 14 advances 8.43. */
export const CELL = { width: 8.43, height: 18, baseline: 13.5, font: 14, margin: 10 } as const;

/** How the shapes are drawn; stands once in a picture. */
export const SHAPE_STYLE = [
  'path{fill:none;stroke:currentColor;stroke-linecap:square}',
  '.light{stroke-width:1.2}.heavy{stroke-width:2.4}.dashed{stroke-linecap:butt}',
  '.dots{stroke-width:2.7;stroke-linecap:round}',
].join('');

/** Draws one character into the cell whose top left corner is at x, y. */
export type Shape = (x: number, y: number) => string;

const { width: W, height: H } = CELL;

/** The shape of a box, block or braille character; undefined for what a font has to draw. */
export function shapeOf(char: string): Shape | undefined {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x2800 && code <= 0x28ff) return (x, y) => braille(code - 0x2800, x, y);
  const block = BLOCKS[char];
  if (block !== undefined) return (x, y) => block.map((part) => rect(part, x, y)).join('');
  const arms = ARMS[char];
  return arms === undefined ? undefined : (x, y) => box(arms, x, y);
}

/** A rectangle in shares of the cell, and its opacity. */
type Part = readonly [left: number, top: number, width: number, height: number, opacity?: number];

const QUADRANTS = {
  a: [0, 0, 0.5, 0.5],
  b: [0.5, 0, 0.5, 0.5],
  c: [0, 0.5, 0.5, 0.5],
  d: [0.5, 0.5, 0.5, 0.5],
} as const;

const BLOCKS: Readonly<Record<string, readonly Part[]>> = {
  ...Object.fromEntries([...'▁▂▃▄▅▆▇█'].map((char, index) => [char, [[0, (7 - index) / 8, 1, (index + 1) / 8]]])),
  ...Object.fromEntries([...'▏▎▍▌▋▊▉'].map((char, index) => [char, [[0, 0, (index + 1) / 8, 1]]])),
  '▀': [[0, 0, 1, 0.5]],
  '▔': [[0, 0, 1, 0.125]],
  '▐': [[0.5, 0, 0.5, 1]],
  '▕': [[0.875, 0, 0.125, 1]],
  '░': [[0, 0, 1, 1, 0.25]],
  '▒': [[0, 0, 1, 1, 0.5]],
  '▓': [[0, 0, 1, 1, 0.75]],
  '■': [[0.08, 0.32, 0.84, 0.4]],
  ...quadrants({
    '▖': 'c',
    '▗': 'd',
    '▘': 'a',
    '▙': 'acd',
    '▚': 'ad',
    '▛': 'abc',
    '▜': 'abd',
    '▝': 'b',
    '▞': 'bc',
    '▟': 'bcd',
  }),
};

function quadrants(names: Readonly<Record<string, string>>): Record<string, Part[]> {
  const parts = ([char, letters]: [string, string]) => [char, [...letters].map((letter) => QUADRANTS[letter as 'a'])];
  return Object.fromEntries(Object.entries(names).map(parts)) as Record<string, Part[]>;
}

function rect([left, top, width, height, opacity]: Part, x: number, y: number): string {
  const at = `x="${round(x + left * W)}" y="${round(y + top * H)}"`;
  const size = `width="${round(width * W + 0.1)}" height="${round(height * H + 0.1)}"`;
  return `<rect ${at} ${size}${opacity === undefined ? '' : ` fill-opacity="${opacity}"`}/>`;
}

// Bit 0 to 7 of a braille character: column and row of its dot in a grid of 2x4.
const DOTS = [0, 1, 2, 4, 5, 6, 3, 7].map((cell) => [Math.floor(cell / 4), cell % 4] as const);

function braille(bits: number, x: number, y: number): string {
  const dots = DOTS.filter((_, bit) => (bits & (1 << bit)) !== 0);
  const at = ([column, row]: readonly [number, number]) =>
    `M${round(x + (0.27 + column * 0.46) * W)} ${round(y + (row + 0.5) * (H / 4))}h0`;
  // A line of no length with round ends is a dot, in a quarter of a circle's bytes.
  return dots.length === 0 ? '' : `<path class="dots" d="${dots.map(at).join('')}"/>`;
}

/** Arms of a box character: up, down, left, right; 1 light, 2 heavy; `round` a curved corner, `dash` a broken line. */
interface Arms {
  readonly up: number;
  readonly down: number;
  readonly left: number;
  readonly right: number;
  readonly round: boolean;
  readonly dash: number;
}

const ARMS: Readonly<Record<string, Arms>> = Object.fromEntries([
  ...armsOf('─│┌┐└┘├┤┬┴┼╴╵╶╷', 1),
  ...armsOf('━┃┏┓┗┛┣┫┳┻╋╸╹╺╻', 2),
  ...[...'╭╮╰╯'].map((char, index) => [char, arms(['dr', 'dl', 'ur', 'ul'][index] ?? '', { round: true })]),
  ...[...'╌╎┄┆┈┊'].map((char, index) => [
    char,
    arms(index % 2 === 0 ? 'lr' : 'ud', { dash: 2 + Math.floor(index / 2) }),
  ]),
]) as Record<string, Arms>;

function armsOf(chars: string, weight: number): [string, Arms][] {
  const names = ['lr', 'ud', 'dr', 'dl', 'ur', 'ul', 'udr', 'udl', 'dlr', 'ulr', 'udlr', 'l', 'u', 'r', 'd'];
  return [...chars].map((char, index) => [char, arms(names[index] ?? '', { weight })]);
}

function arms(names: string, { weight = 1, round = false, dash = 1 }): Arms {
  const arm = (name: string) => (names.includes(name) ? weight : 0);
  return { up: arm('u'), down: arm('d'), left: arm('l'), right: arm('r'), round, dash };
}

function box({ up, down, left, right, round: curved, dash }: Arms, x: number, y: number): string {
  const weight = Math.max(up, down, left, right);
  const [middleX, middleY] = [x + W / 2, y + H / 2];
  const kind = [weight === 2 ? 'heavy' : 'light', ...(dash === 1 ? [] : ['dashed'])].join(' ');
  const ends = [up && [middleX, y], down && [middleX, y + H], left && [x, middleY], right && [x + W, middleY]];
  const points = ends.filter((end): end is number[] => end !== 0).map((end) => end.map(round).join(' '));
  const centre = `${round(middleX)} ${round(middleY)}`;
  const path = curved ? `M${points[0]}Q${centre} ${points[1]}` : points.map((point) => `M${centre}L${point}`).join('');
  const broken = dash === 1 ? '' : ` stroke-dasharray="${round(W / dash / 2)}"`;
  return `<path class="${kind}" d="${path}"${broken}/>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

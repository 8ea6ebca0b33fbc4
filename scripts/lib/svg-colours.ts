/** The picture's own two colours. */
export const THEME = { text: '#d4d7dd', background: '#14171c' } as const;

const SIXTEEN = [
  ...['#2b303b', '#e0626c', '#8fc379', '#e3b661', '#62a8ee', '#c37adb', '#57b9c4', '#c3c8d1'],
  ...['#6a7280', '#ff7a85', '#a9dd8f', '#ffd27a', '#82c1ff', '#dd98f4', '#73d8e3', '#ffffff'],
];

/** The colour of an entry of the terminal's palette of 256: 16 named ones, a cube of 6x6x6, 24 greys. */
export function paletteColour(index: number): string {
  const named = SIXTEEN[index];
  if (named !== undefined) return named;
  if (index >= 232) return hex([0, 0, 0].map(() => 8 + (index - 232) * 10));
  const cube = index - 16;
  const levels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return hex(levels.map((level) => (level === 0 ? 0 : 55 + level * 40)));
}

/** `color` with `share` (0 to 1) of `other` in it. Both are #rrggbb. */
export function blend(color: string, other: string, share: number): string {
  const [from, to] = [channels(color), channels(other)];
  return hex(from.map((value, index) => Math.round(value * (1 - share) + (to[index] ?? 0) * share)));
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hex(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

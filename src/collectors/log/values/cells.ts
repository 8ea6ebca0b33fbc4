/** Takes a line of a table apart. */
export type Split = (text: string) => readonly string[];

/** Cells of a line, by what parts them. */
export const cellsBy = {
  bars: (text) =>
    text
      .replace(/^\s*[|│┃║]|[|│┃║]\s*$/g, '')
      .split(/[|│┃║]/)
      .map(trim),
  /** A quoted cell may have a comma in it. */
  commas: (text) =>
    (text.includes('"')
      ? Array.from(text.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g), ([, cell = '']) => cell)
      : text.split(',')
    ).map(trim),
  semicolons: (text) => text.split(';').map(trim),
  gaps: (text) =>
    text
      .trim()
      .split(/\s{2,}/)
      .map(trim),
  blanks: (text) => text.trim().split(/\s+/),
  /** Tabs, as cleaned text has them: a cell may be empty. */
  pairs: (text) => text.split('  ').map(trim),
} satisfies Record<string, Split>;

function trim(text: string): string {
  return text.trim().replace(/^["']|["']$/g, '');
}

/** Text as inline code, also in a table: with more backticks around it than it has in a row, `|` told from a border. */
export function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|');
  if (line.trim() === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Lines as a block of code that nothing in them ends. */
export function codeBlock(lines: readonly string[]): string {
  const text = lines.map(oneLine).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** Names may have line ends in them, and any length: functions that were generated, commands of `python -c`. */
function oneLine(text: string): string {
  const line = text.slice(0, 10 * longest).replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

const longest = 1000;

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}

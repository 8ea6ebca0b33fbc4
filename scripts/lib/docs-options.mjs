import { execFileSync } from 'node:child_process';

/**
 * The options of the program as a Markdown table, from what `--help` prints: that is what a user has, and it needs no second list.
 *
 * @returns {string}
 */
export function optionsTable() {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  const help = execFileSync(process.execPath, ['bin/traintop.js', 'watch', '--help'], { encoding: 'utf8', env })
    // Texts too long for 80 columns go on in the next line, far to the right.
    .replace(/\n {6,}(?=\S)/g, ' ');
  const rows = [...help.matchAll(/^ {2}(-\S.*?) {2,}(\S.*)$/gm)].map(([, option, text]) => ({ option, text }));
  if (rows.length === 0) throw new Error('traintop watch --help lists no options');
  const lines = rows.map(({ option, text }) => `| \`${option}\` | ${String(text).replaceAll('|', '\\|')} |`);
  return ['| Option | What it does |', '| --- | --- |', ...lines].join('\n');
}

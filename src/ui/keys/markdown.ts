import { keyLabel, keymap } from '../keymap.ts';

/** The key map as Markdown, a table a group: for the docs, so that they cannot say anything else than the program does. */
export function keysMarkdown(): string {
  const groups = [...new Set(keymap.map(({ group }) => group))];
  return groups.map((group) => `### ${group}\n\n| Key | What it does |\n| --- | --- |\n${rowsOf(group)}\n`).join('\n');
}

function rowsOf(wanted: string): string {
  const entries = keymap.filter(({ group, keys }) => group === wanted && !keys.includes('text'));
  return entries
    .map(({ keys, text, dangerous }) => {
      const names = keys.map((key) => `\`${keyLabel(key)}\``).join(' ');
      return `| ${names} | ${text}${dangerous ? ' (works on the host)' : ''} |`;
    })
    .join('\n');
}

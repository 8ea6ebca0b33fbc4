import { keyLabel, keymap } from '../keymap.ts';
import { legendGroups } from '../legend.ts';

/** The key map as Markdown, a table a group: for the docs, so that they cannot say anything else than the program does. */
export function keysMarkdown(): string {
  const groups = [...new Set(keymap.map(({ group }) => group))];
  return groups.map((group) => `### ${group}\n\n| Key | What it does |\n| --- | --- |\n${rowsOf(group)}\n`).join('\n');
}

/** What the figures say as Markdown, a table a panel. */
export function legendMarkdown(): string {
  return legendGroups()
    .map(({ title, entries }) => {
      const rows = entries.map(({ term, text }) => `| \`${term}\` | ${text} |`).join('\n');
      return `### ${title}\n\n| On the screen | What it says |\n| --- | --- |\n${rows}\n`;
    })
    .join('\n');
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

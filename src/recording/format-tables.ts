import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { limits } from './limits.ts';
import type { Field } from './shape.ts';

/** The kinds of Samples as a Markdown table, for docs/recording.md: what is written is what the table of the program says. */
export function kindsMarkdown(): string {
  const rows = [...kinds].map(([name, kind]) => `| \`${name}\` | ${namesOf(kind.columns)} | ${namesOf(kind.fields)} |`);
  return [`| Kind | Columns | Other fields |`, '| --- | --- | --- |', ...rows].join('\n');
}

/** What a reader takes at most. */
export function limitsMarkdown(): string {
  const rows = Object.values(limits).map(({ value, of }) => `| ${value.toLocaleString('en')} | ${of} |`);
  return ['| At most | of |', '| ---: | --- |', ...rows].join('\n');
}

function namesOf(fields: Kind['fields']): string {
  const names = Object.entries<Field>(fields).map(
    ([name, field]) => `\`${name}${typeof field === 'function' ? '' : '?'}\``,
  );
  return names.join(' ');
}

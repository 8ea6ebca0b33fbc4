import { readFileSync } from 'node:fs';
import { scoreFolder, type ExpectedLog } from './log-scores.ts';

const folder = 'test/fixtures/log-unseen';

/** How the logs that no reader was changed for are read, with what is missed, for docs/formats.md. */
export async function scoresMarkdown(): Promise<string> {
  const scores = await scoreFolder(folder);
  const sum = (of: (score: (typeof scores)[number]) => number) => scores.reduce((all, score) => all + of(score), 0);
  const [found, expected] = [sum((score) => score.found), sum((score) => score.expected)];
  const rows = scores.map(
    ({ name, expected: all, found: read, missing, wrong }) =>
      `| \`${name}\` | ${aboutOf(name)} | ${read} of ${all} | ${wrong.length} | ${missed(missing)} |`,
  );
  return [
    `**${((100 * found) / expected).toFixed(1)} %**: ${found} of ${expected} values, and ${sum(({ wrong }) => wrong.length)} that the tables do not have.`,
    '',
    '| log | what it is | read | false | missed |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function aboutOf(name: string): string {
  const { about = '' } = JSON.parse(readFileSync(`${folder}/${name}.expected.json`, 'utf8')) as ExpectedLog & {
    readonly about?: string;
  };
  return about.replaceAll('|', '\\|').replace(/[.\s]+$/, '');
}

/** `3: loss = 1.9`, `10: loss = 1.8`: the fields, each once. */
function missed(missing: readonly string[]): string {
  const fields = missing.map((text) => text.replace(/^\d+: /, '').replace(/ = .*$/, ''));
  return [...new Set(fields)].map((field) => `\`${field}\``).join(', ');
}

// `npm run docs` writes what is generated in the docs: docs/keys.md from the key map, docs/pictures/*.svg from a fixed replay, the options
// in README.md from --help, the figures in README.md and docs/benchmarks.md from bench/results.json, the tables in docs/recording.md,
// docs/scenarios.md from src/demo/scenarios, docs/alarms.md from the catalogue in src/model/alarms, docs/diagnosis.md from rules and signals in src/model/diagnosis, formats and events in docs/formats.md from src/collectors/log, its scores from test/fixtures/log-unseen. `npm run docs -- --check` writes
// nothing, and fails when a file is not what it would be.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundle } from './lib/bundle.mjs';
import { measuredFigures } from './lib/docs-figures.mjs';
import { optionsTable } from './lib/docs-options.mjs';
import { importTypeScript } from './lib/run-typescript.mjs';

const check = process.argv.includes('--check');
await bundle();
const { pictures } = await importTypeScript('scripts/lib/docs-pictures.ts');
const { results, table } = measuredFigures();
const { kindsMarkdown, limitsMarkdown } = await importTypeScript('src/recording/format-tables.ts');
const { scenariosMarkdown } = await importTypeScript('scripts/lib/docs-scenarios.ts');
const { formatsMarkdown, logEventsMarkdown } = await importTypeScript('scripts/lib/docs-formats.ts');
const { rulesMarkdown, signalsMarkdown, sourcesMarkdown, thresholdsMarkdown } = await importTypeScript(
  'scripts/lib/docs-diagnosis.ts',
);
const { alarmsMarkdown, alarmsTable } = await importTypeScript('scripts/lib/docs-alarms.ts');
const { scoresMarkdown } = await importTypeScript('scripts/lib/docs-scores.ts');
const { keysMarkdown, legendMarkdown } = await importTypeScript('src/ui/keys/markdown.ts');

/** @type {Record<string, string>} */
const files = {
  'docs/keys.md': `# Keys and figures\n\nMade by \`npm run docs\` from \`src/ui/keymap.ts\` and \`src/ui/legend.ts\`. On the screen, \`?\` shows the same.\n\n## Keys\n\n${keysMarkdown().trim()}\n\n## What the figures say\n\n${legendMarkdown().trim()}\n`,
  'README.md': between({
    text: between({ text: readFileSync('README.md', 'utf8'), name: 'options', made: optionsTable() }),
    name: 'figures',
    made: table,
  }),
  'docs/scenarios.md': scenariosMarkdown(),
  'docs/alarms.md': [
    { name: 'alarms-table', made: alarmsTable() },
    { name: 'alarms', made: alarmsMarkdown() },
  ].reduce((text, part) => between({ text, ...part }), readFileSync('docs/alarms.md', 'utf8')),
  'docs/formats.md': [
    { name: 'log-events', made: logEventsMarkdown() },
    { name: 'log-scores', made: await scoresMarkdown() },
    { name: 'formats', made: formatsMarkdown() },
  ].reduce((text, part) => between({ text, ...part }), readFileSync('docs/formats.md', 'utf8')),
  'docs/diagnosis.md': [
    { name: 'sources', made: sourcesMarkdown() },
    { name: 'rules', made: rulesMarkdown() },
    { name: 'thresholds', made: thresholdsMarkdown() },
    { name: 'signals', made: signalsMarkdown() },
  ].reduce((text, part) => between({ text, ...part }), readFileSync('docs/diagnosis.md', 'utf8')),
  'docs/benchmarks.md': between({ text: readFileSync('docs/benchmarks.md', 'utf8'), name: 'results', made: results }),
  'docs/recording.md': between({
    text: between({ text: readFileSync('docs/recording.md', 'utf8'), name: 'kinds', made: kindsMarkdown() }),
    name: 'limits',
    made: limitsMarkdown(),
  }),
};
for (const [name, svg] of Object.entries(await pictures())) files[`docs/pictures/${name}`] = svg;

const stale = Object.entries(files).filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
for (const [path, text] of stale) {
  console.log(check ? `${path} is not what npm run docs makes of the program.` : `${path} is written.`);
  if (check) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
if (stale.length === 0) console.log(`${Object.keys(files).length} files are as they should be.`);
process.exitCode = check && stale.length > 0 ? 1 : 0;

/**
 * The text with what stands between its two marks replaced.
 *
 * @param {{ text: string, name: string, made: string }} options
 */
function between({ text, name, made }) {
  const [begin, end] = [`<!-- ${name}: made by npm run docs -->`, `<!-- end of ${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`a text has no marks ${begin} and ${end}`);
  return `${before}${begin}\n\n${made}\n\n${end}${after}`;
}

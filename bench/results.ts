import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Figures } from './figures.ts';

const file = 'bench/results.json';

/** What a part said and measured, where and when. */
interface Result {
  readonly date: string;
  readonly machine: string;
  readonly text: readonly string[];
  readonly figures: Figures;
}

/** Puts a part's result into bench/results.json; scripts/lib/docs-figures.mjs makes the docs of it. */
export function saveResult(part: string, result: Result): void {
  const all = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Result>) : {};
  writeFileSync(file, `${JSON.stringify({ ...all, [part]: result }, null, 2)}\n`);
  console.log(`${file} has it; npm run docs puts it into the docs.`);
}

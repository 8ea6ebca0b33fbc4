import type { Draft } from '../draft.ts';
import { readEntries, type EntryRules } from './entries.ts';

/** An entry of a Python dict or a JSON object on one line; a dict with `nan` is neither JSON nor a literal. */
const entry = /['"]([^'"]{1,120})['"]\s*:\s*(?:['"](?=[^'"]*['"]))?([^,'"{}[\]]+|\[[^\]{}]*\])/g;

/** Reads the entries of a dict of numbers. */
export function readDict(text: string, rules: EntryRules, draft: Draft): void {
  draft.metrics();
  readEntries(text, entry, rules, draft);
}

import { expect, test } from 'vitest';
import { keymap } from '../../src/ui/keymap.ts';
import { keysMarkdown, legendMarkdown } from '../../src/ui/keys/markdown.ts';
import { legendGroups } from '../../src/ui/legend.ts';

test('every key of the table is in the docs, with its text', () => {
  const text = keysMarkdown();
  for (const { keys, text: what } of keymap) if (!keys.includes('text')) expect(text).toContain(what);
  expect(text).toMatch(/^### General\n\n\| Key \| What it does \|\n\| --- \| --- \|\n\| `q` `\^C` \| quit/);
  expect(text).toContain('1 GPUs  2 Throughput  3 Queues  4 Threads  5 Log  6 Host; again: ');
  expect(text).toMatch(/\| `\/` \| .* plain text, not a pattern; !text = without it;/);
  expect(text).toMatch(/\| `d` \| py-spy dump .* \(works on the host\) \|/);
});

test('every panel has a legend, and the docs have all of it', () => {
  expect(legendGroups().map(({ title }) => title)).toEqual([
    ...['1 GPUs', '2 Throughput', '3 Queues', '4 Threads', '5 Log', '6 Host'],
    'Headline',
    'Alarms',
    'All panels',
    'Recording',
  ]);
  const text = legendMarkdown();
  for (const { entries } of legendGroups())
    for (const { term, text: what } of entries) {
      expect(text).toContain(`| \`${term}\` | ${what} |`);
      expect(`${term}${what}`).not.toMatch(/[|`]/);
      // The help has 15 cells for a term.
      expect(term.length).toBeLessThan(15);
    }
});

import type { ReactElement } from 'react';
import { isOff, keyLabel, keymap } from '../keymap.ts';
import type { Controls } from '../controls.ts';
import type { Group, KeyEntry } from '../keys/context.ts';
import { legendGroups } from '../legend.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { fitText, wrapText } from '../parts/width.ts';
import { namingRows } from './naming-rows.ts';

interface HelpProps {
  readonly top: number;
  readonly controls: HelpControls;
  readonly width: number;
  readonly height: number;
}

/** All keys by group, below them what the figures of the panels say: in two columns where they fit. */
export function Help({ top, controls, width, height }: HelpProps): ReactElement {
  const inner = innerSize({ width, height });
  const lines = helpLines(inner.width, controls);
  // The cursor is past the end when the terminal has grown.
  const first = Math.max(0, Math.min(top, lines.length - inner.height));
  const more = lines.length - inner.height - first;
  const note = more > 0 ? `${more} more ${more === 1 ? 'row' : 'rows'} below` : 'Esc goes back';
  return <Frame title="Keys and figures" note={note} width={width} height={height} focused rows={lines.slice(first)} />;
}

/** What the help depends on beside the key map. */
export type HelpControls = Pick<Controls, 'readOnly' | 'naming'>;

const columnGap = 3;

/** The rows of the help, `width` cells wide. */
function helpLines(width: number, { readOnly = false, naming }: HelpControls): readonly Line[] {
  const twoColumns = width >= 110;
  const column = twoColumns ? Math.floor((width - columnGap) / 2) : width;
  const keys = grouped(readOnly).map(([group, entries]) => groupLines(group, entries.map(keyRow), column));
  const names = namingRows(naming);
  if (names.length > 0) keys.push(groupLines('Names and roles', names, column));
  const figures = legendGroups().map(({ title, entries }) =>
    groupLines(
      title,
      entries.map(({ term, text }) => [term, text] as const),
      column,
    ),
  );
  return [
    ...inColumns(keys, column, twoColumns),
    [{ text: fitText('What the figures say', width), tone: 'title' }],
    [],
    ...inColumns(figures, column, twoColumns),
  ];
}

function inColumns(groups: readonly (readonly Line[])[], column: number, two: boolean): readonly Line[] {
  if (!two) return groups.flat();
  const [left, right] = balanced(groups);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => [
    ...(left[i] ?? [{ text: ' '.repeat(column) }]),
    { text: ' '.repeat(columnGap) },
    ...(right[i] ?? []),
  ]);
}

function grouped(readOnly: boolean): readonly (readonly [Group, readonly KeyEntry[]])[] {
  const groups = new Map<Group, KeyEntry[]>();
  // Keys of a line editor and of lists are what everybody expects there: the help is about the screen and the stacks.
  for (const entry of keymap.filter(({ modes, group }) => modes.includes('main') || group === 'Stacks view')) {
    if (isOff(entry, { readOnly })) continue;
    const entries = groups.get(entry.group);
    if (entries) entries.push(entry);
    else groups.set(entry.group, [entry]);
  }
  return [...groups];
}

/** How many of its rows can be at its top: the last one shows the end. */
export function helpStarts(size: { readonly width: number; readonly height: number }, controls: HelpControls): number {
  const inner = innerSize(size);
  return Math.max(1, helpLines(inner.width, controls).length - inner.height + 1);
}

/** A key or a figure, and what it does or says. */
type HelpRow = readonly [term: string, text: string];

const termWidth = 17;

function groupLines(title: string, entries: readonly HelpRow[], width: number): readonly Line[] {
  return [
    [{ text: fitText(title, width), tone: 'title' }],
    ...entries.flatMap((entry) => entryLines(entry, width)),
    [{ text: ' '.repeat(width) }],
  ];
}

function entryLines([term, text]: HelpRow, width: number): readonly Line[] {
  return wrapText(text, width - termWidth).map((row, i) => [
    { text: `${fitText(i === 0 ? `  ${term}` : '', termWidth - 1)} `, tone: 'focus' },
    { text: fitText(row, width - termWidth) },
  ]);
}

function keyRow(entry: KeyEntry): HelpRow {
  return [shownKeys(entry), entry.text];
}

function shownKeys({ keys }: KeyEntry): string {
  const digits = keys.length > 2 && keys.every((key) => /^\d$/.test(key));
  return digits ? `${keys[0] ?? ''}-${keys.at(-1) ?? ''}` : keys.map(keyLabel).join(' ');
}

/** Whole groups in two columns, so that the longer one is as short as it can be. */
function balanced(groups: readonly (readonly Line[])[]): readonly [readonly Line[], readonly Line[]] {
  const splits = groups.map((_, i) => [groups.slice(0, i + 1).flat(), groups.slice(i + 1).flat()] as const);
  const height = ([left, right]: readonly [readonly Line[], readonly Line[]]) => Math.max(left.length, right.length);
  return splits.reduce((best, split) => (height(split) < height(best) ? split : best), [groups.flat(), []] as const);
}

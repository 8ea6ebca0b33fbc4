import { rankText } from '../../model/ranges.ts';
import type { ShareChange } from '../../model/stacks/diff.ts';
import type { RankComparison, RankGroup } from '../../model/stacks/odd-ranks.ts';
import type { FoldedStack } from '../../model/stacks/fold.ts';
import type { MergedStack, StackGroup } from '../../model/stacks/group.ts';
import type { StackFrame } from '../../model/stacks.ts';
import { formatPercent } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { cutText, fitText, plainText, wrapText } from '../parts/width.ts';
import type { Reading } from '../reading-state.ts';
import { classBar, classSegment, classTone } from './classes.ts';
import { frameLines, shortPlace } from './frames.ts';
import type { ReadingRow } from './rows.ts';
import { seenText } from './words.ts';

/** What stands beside the rows: of the row under the cursor. `head` stays, `body` is scrolled. */
export interface Detail {
  readonly head: readonly Line[];
  readonly body: readonly Line[];
}

interface Input {
  readonly row: ReadingRow;
  readonly reading: Pick<Reading, 'order' | 'search'>;
  readonly width: number;
}

/** What there is to say of a row. */
export function detailOf(input: Input): Detail {
  const { row } = input;
  switch (row.kind) {
    case 'odd':
      return { head: [], body: oddLines(row.comparison, input) };
    case 'group':
      return groupDetail(row.group, input);
    case 'stack':
      return stackDetail(row.group, row.stack, input);
    case 'role':
      return { head: [[{ text: plainText(row.diff.role), tone: 'strong' }], ...roleLines(row, input)], body: [] };
    case 'class':
      return { head: [[classSegment(row.change.class), changeSegment(row.change)]], body: [] };
    case 'change':
      return framesDetail(row.change.of, input, [[classSegment(row.change.class), changeSegment(row.change)]]);
  }
}

/** How often it was seen in each of two captures. */
function roleLines({ diff, same }: Extract<ReadingRow, { kind: 'role' }>, { width }: Input): readonly Line[] {
  const times = (count: number | undefined) => (count === undefined ? 'not seen' : seenText(count));
  const said = `before ${times(diff.beforeCount)}, after ${times(diff.afterCount)}`;
  const texts = [said, ...(same ? ['No class or stack of it differs by half a point or more.'] : [])];
  return texts.flatMap((text) => wrapText(text, width)).map((text): Line => [{ text, tone: 'dim' }]);
}

/** A share is absent where the role was not in that capture. */
function changeSegment({ before, after }: ShareChange<unknown>): Segment {
  const share = (of: number | undefined) => formatPercent(of === undefined ? undefined : of * 100);
  return { text: `  ${share(before)} before, ${share(after)} after`, tone: 'dim' };
}

/** So many rows can be scrolled over. */
export function bodyLength(row: ReadingRow): number {
  if (row.kind === 'stack') return row.stack.frames.length;
  if (row.kind === 'change') return row.change.of.length;
  return row.kind === 'group' ? row.group.threads : 40;
}

function stackDetail({ title }: StackGroup, stack: MergedStack, input: Input): Detail {
  const { width } = input;
  const { class: of, count, share, active, gil, ranks } = stack;
  const told = stack.of[0]?.told;
  const seen = [
    ...(share < 1 ? [`${formatPercent(share * 100)} of ${title}`] : []),
    seenText(count),
    ...(active ? [active === count ? 'active' : `active in ${active}`] : []),
    ...(gil ? [gil === count ? 'held the GIL' : `held the GIL in ${gil}`] : []),
    ...(ranks.length > 0 ? [rankText(ranks)] : []),
  ].join(' · ');
  const head: Line[] = [
    [
      { text: of, tone: classTone(of) },
      ...(told
        ? [{ text: `  ${cutText(told.because, Math.max(0, width - of.length - 2))}`, tone: 'dim' as const }]
        : []),
    ],
    ...wrapText(seen, width)
      .slice(0, 2)
      .map((text): Line => [{ text }]),
    ...ownerLines(stack.of, width, 2),
  ];
  return framesDetail(stack.frames, input, head, told?.frame);
}

function framesDetail(frames: readonly StackFrame[], input: Input, head: readonly Line[], teller?: number): Detail {
  const { reading, width } = input;
  if (frames.length === 0) return { head: [...head, [], [{ text: 'no Python frames', tone: 'dim' }]], body: [] };
  const count = `${frames.length} ${frames.length === 1 ? 'frame' : 'frames'}, ${reading.order} first`;
  return {
    head: [...head, [{ text: cutText(count, width), tone: 'dim' }]],
    body: frameLines({ frames, order: reading.order, search: reading.search, width, teller }),
  };
}

function groupDetail({ title, threads, share, count, classes, stacks, ranks }: StackGroup, input: Input): Detail {
  const { width } = input;
  const said = [
    `${formatPercent(share * 100)} of all`,
    seenText(count),
    `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    ...(ranks.length > 0 ? [rankText(ranks)] : []),
  ].join(' · ');
  const rows = classes.map(({ class: of, share: part }): Line => [
    { text: formatPercent(part * 100).padStart(5) },
    { text: ' ' },
    { text: fitText(of, 14), tone: classTone(of) },
    { text: ' ' },
    ...classBar([{ class: of, count: 0, share: 1 }], Math.max(1, Math.round(part * Math.max(0, width - 22)))),
  ]);
  const owners = ownerLines(
    stacks.flatMap(({ of }) => of),
    width,
    6,
  );
  return {
    head: [[{ text: plainText(title), tone: 'strong' }], [{ text: cutText(said, width) }], []],
    body: [...rows, [], ...owners],
  };
}

/** Why ranks stand out, and what each part of them does. */
function oddLines({ role, odd, because, groups }: RankComparison, { width, reading }: Input): readonly Line[] {
  const why = because === 'collective' ? 'the others are in a collective, and wait for it' : 'the others are alike';
  const lines: Line[] = wrapText(`${rankText(odd)} in ${role}: ${why}.`, width).map((text) => [{ text, tone: 'bad' }]);
  for (const group of groups)
    lines.push([], ...groupOfRanks(group, { width, reading, isOdd: odd.includes(group.ranks[0] ?? -1) }));
  return lines;
}

/** Frames of a group of ranks that are shown: where they part is near the innermost. */
const mostFrames = 12;

function groupOfRanks(
  { ranks, stacks, moving, parting }: RankGroup,
  { width, reading, isOdd }: { readonly width: number; readonly reading: Input['reading']; readonly isOdd: boolean },
): readonly Line[] {
  const [first] = stacks;
  const title: Line = [
    { text: `${rankText(ranks)}  `, tone: isOdd ? 'bad' : 'strong' },
    ...(first
      ? [classSegment(first.class), { text: `  ${formatPercent(first.share * 100)}`, tone: 'dim' as const }]
      : []),
    ...(moving ? [{ text: '  seen in many places', tone: 'dim' as const }] : []),
  ];
  if (!first) return [title, [{ text: '  has no such thread', tone: 'dim' }]];
  const parts = parting?.after
    ? wrapText(`parts after ${parting.after.function} (${shortPlace(parting.after)})`, width - 2).map((text): Line => [
        { text: `  ${text}`, tone: 'warn' },
      ])
    : [];
  const frames = frameLines({ frames: first.frames.slice(0, mostFrames), ...reading, width });
  return [title, ...parts, ...frames];
}

/** Whose stacks they are, as many as so many rows hold: `loader-0 (4711), loader-1 (4712) and 6 more`. */
function ownerLines(of: readonly FoldedStack[], width: number, rows: number): readonly Line[] {
  const names = new Map(
    of.map(({ pid, tid, thread }) => [`${pid}:${tid ?? thread}`, tid === undefined ? thread : `${thread} (${tid})`]),
  );
  const all = [...names.values()].map(plainText);
  for (let shown = Math.min(all.length, 5 * rows); shown > 0; shown--) {
    const more = all.length - shown;
    const lines = wrapText(`${all.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`, width);
    if (lines.length <= rows || shown === 1) return lines.slice(0, rows).map((text): Line => [{ text, tone: 'dim' }]);
  }
  return [];
}

import type { ReactElement } from 'react';
import type { FlameCell, FlameLayout } from '../../model/stacks/flame-layout.ts';
import { nodeInLayout, pathOf } from '../../model/stacks/flame-walk.ts';
import type { FlameNode } from '../../model/stacks/flame.ts';
import type { State } from '../../model/store.ts';
import { classTone } from '../captures/classes.ts';
import { shortPlace } from '../captures/frames.ts';
import { flameOf } from '../captures/flame.ts';
import { readCapture } from '../captures/select.ts';
import { readingNote, readingTitle, seenText } from '../captures/words.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line, Segment } from '../parts/line.ts';
import { cutText, displayWidth, fitText, plainText } from '../parts/width.ts';
import { visibleRows } from '../panels/scroll.ts';
import type { Reading } from '../reading-state.ts';

interface FlameProps {
  readonly state: State;
  readonly reading: Reading;
  readonly width: number;
  readonly height: number;
}

/** A capture as a flame that hangs down: as wide as the time that went through a function; arrows move, Enter zooms. */
export function FlameView({ state, reading, width, height }: FlameProps): ReactElement {
  const inner = innerSize({ width, height });
  const read = readCapture(state, reading.capture, reading.saved);
  const frame = { width, height, focused: true };
  if (!read || read.folded.count === 0) {
    return <Frame {...frame} title="Flame" rows={[[{ text: 'There is no stack to draw.', tone: 'dim' }]]} />;
  }
  const layout = flameOf(read, reading, inner.width);
  const at = nodeInLayout(layout, reading.flame.at ?? layout.zoom);
  const said = nodeLines(at, layout, inner.width);
  const room = inner.height - said.length - 1;
  const rowOfNode = layout.rows.findIndex((row) => row.some(({ node }) => node === at));
  const shown = visibleRows({ count: layout.rows.length, height: room, cursor: Math.max(0, rowOfNode) });
  const rows: Line[] = shown.map((i) => flameRow(layout.rows[i] ?? [], at, inner.width));
  const filled = Array.from({ length: room }, (_, i) => rows[i] ?? []);
  const lines: readonly Line[] = [...filled, [{ text: '─'.repeat(inner.width), tone: 'dim' }], ...said];
  return (
    <Frame
      {...frame}
      title={readingTitle(state, read, reading)}
      note={readingNote(state, read, reading)}
      rows={lines}
    />
  );
}

/** A row of the flame: each node a block in the colour of its class, with as much of its name as fits. */
function flameRow(cells: readonly FlameCell[], at: FlameNode, width: number): Line {
  const line: Segment[] = [];
  let x = 0;
  for (const cell of cells) {
    if (cell.x > x) line.push({ text: ' '.repeat(cell.x - x) });
    line.push(...block(cell, cell.node === at));
    x = cell.x + cell.width;
  }
  if (x < width) line.push({ text: ' '.repeat(width - x) });
  return line;
}

/** Filled blocks with a cell between them; the one under the cursor is the brightest. */
function block({ node, width, merged }: FlameCell, isHere: boolean): readonly Segment[] {
  const tone = isHere ? 'strong' : classTone(node.class);
  if (width === 1) return [{ text: isHere ? '█' : '▌', tone }];
  const name = merged === undefined ? nameOf(node) : `…${merged}`;
  const text = width > 5 ? ` ${fitText(name, width - 2)}` : fitText(name, width - 1);
  return [{ text, tone, inverse: true }, { text: ' ' }];
}

function nameOf({ frame, label }: FlameNode): string {
  return plainText(frame ? frame.function : label);
}

/** Of the node under the cursor: what it is, where, how much; and who called it. */
function nodeLines(node: FlameNode, layout: FlameLayout, width: number): readonly Line[] {
  const all = layout.rows[0]?.[0]?.node.weight ?? node.weight;
  const of = (part: number, total: number) => `${((part / Math.max(1, total)) * 100).toFixed(1)} %`;
  const { frame, count, weight, selfWeight, parent } = node;
  const figures = [
    `${of(weight, all)} of all`,
    ...(parent && parent.depth > 0 ? [`${of(weight, parent.weight)} of its caller`] : []),
    ...(selfWeight > 0 ? [`${of(selfWeight, all)} in itself`] : []),
    seenText(count),
  ].join(' · ');
  const place = frame ? `  ${frame.line === undefined ? frame.file : `${frame.file}:${frame.line}`}` : '';
  const name = cutText(nameOf(node), Math.floor(width * 0.6));
  return [
    [
      { text: name, tone: 'strong' },
      { text: cutText(place, Math.max(0, width - displayWidth(name))), tone: 'dim' },
    ],
    [
      { text: node.class, tone: classTone(node.class) },
      { text: `  ${cutText(figures, Math.max(0, width - node.class.length - 2))}` },
    ],
    [{ text: trail(node, width), tone: 'dim' }],
  ];
}

/** The way from the root, its end whole. */
function trail(node: FlameNode, width: number): string {
  const names = pathOf(node).map((each) => (each.frame ? `${nameOf(each)} ${shortPlace(each.frame)}` : nameOf(each)));
  while (names.length > 2 && displayWidth(names.join(' › ')) > width) names.splice(0, names[0] === '…' ? 2 : 1, '…');
  return cutText(names.join(' › '), width);
}

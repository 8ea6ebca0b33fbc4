import { Box, Text } from 'ink';
import { memo, type ReactElement, type ReactNode } from 'react';
import { useTheme, type Theme } from '../theme.ts';
import type { Line, Segment } from './line.ts';
import { cutLine, lineWidth, renderLine } from './render-line.ts';
import { cutText, displayWidth, plainText } from './width.ts';

/** What a frame draws: `╭─ ¹GPUs ──── 8 of 8 · 1 s ─╮`, its rows, and the lower edge. Sizes are outer ones, in cells. */
export interface FrameProps {
  readonly title: string;
  /** The digit that focuses the panel. */
  readonly digit?: string;
  /** On the right of the upper edge: age, count, filter, state; the most important first, because it is cut where it must be. */
  readonly note?: string | Line | undefined;
  readonly width: number;
  readonly height: number;
  readonly focused?: boolean;
  /** All rows in the dim tone: the values are old. */
  readonly dimmed?: boolean;
  /** Rows above the others that are never dimmed: why the values are old. */
  readonly alert?: readonly Line[];
  /** The rows inside, from the top; what is too much is left out, what is missing is blank. */
  readonly rows?: readonly Line[];
  /** Instead of rows: elements in a box of `innerSize`. */
  readonly children?: ReactNode;
}

/** Cells inside a frame: one for the edge and one blank on the left and right, one row for the upper and lower edge. */
export function innerSize({ width, height }: { readonly width: number; readonly height: number }) {
  return { width: Math.max(0, width - 4), height: Math.max(0, height - 2) };
}

/** A rounded box with its title in the upper edge. */
export function Frame(props: FrameProps): ReactElement {
  const { width, height, focused = false, dimmed = false, alert = [], rows = [], children } = props;
  const theme = useTheme();
  const inner = innerSize(props);
  const edges = edgesOf(theme, focused);
  const lower = edges.bottomLeft + edges.across.repeat(Math.max(0, width - 2)) + edges.bottomRight;
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Text wrap="truncate">{renderLine({ line: upperEdge(props, edges, theme.ascii), width, theme })}</Text>
      {children === undefined ? (
        Array.from({ length: inner.height }, (_, i) => (
          <FrameRow
            key={i}
            line={alert[i] ?? rows[i - alert.length] ?? blank}
            width={width}
            focused={focused}
            dimmed={dimmed && i >= alert.length}
          />
        ))
      ) : (
        <Box height={inner.height} flexShrink={0}>
          <Side edges={edges} height={inner.height} text={`${edges.down} `} />
          <Box flexDirection="column" width={inner.width} height={inner.height} overflow="hidden">
            {children}
          </Box>
          <Side edges={edges} height={inner.height} text={` ${edges.down}`} />
        </Box>
      )}
      <Text wrap="truncate">{renderLine({ line: [{ text: lower, tone: edges.tone }], width, theme })}</Text>
    </Box>
  );
}

const blank: Line = [];

interface RowProps {
  readonly line: Line;
  readonly width: number;
  readonly focused: boolean;
  readonly dimmed: boolean;
}

// Edges and content are one string: one Text a row is the cheapest that Ink has.
const FrameRow = memo(function FrameRow({ line, width, focused, dimmed }: RowProps) {
  const theme = useTheme();
  const { down, tone } = edgesOf(theme, focused);
  const edge = (text: string) => renderLine({ line: [{ text, tone }], width: 2, theme });
  const inner = renderLine({ line, width: Math.max(0, width - 4), theme, dimmed });
  return <Text wrap="truncate">{edge(`${down} `) + inner + edge(` ${down}`)}</Text>;
});

function Side({ edges, height, text }: { readonly edges: Edges; readonly height: number; readonly text: string }) {
  const theme = useTheme();
  const row = renderLine({ line: [{ text, tone: edges.tone }], width: 2, theme });
  return (
    <Box width={2} flexShrink={0}>
      <Text>{Array.from({ length: height }, () => row).join('\n')}</Text>
    </Box>
  );
}

interface Edges {
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  readonly across: string;
  readonly down: string;
  readonly tone: 'dim' | 'focus';
}

const light = { topLeft: '╭', topRight: '╮', bottomLeft: '╰', bottomRight: '╯', across: '─', down: '│' };
const heavy = { topLeft: '┏', topRight: '┓', bottomLeft: '┗', bottomRight: '┛', across: '━', down: '┃' };

// Where there is no colour, or no round corner to put it on, the focused frame is a heavy one.
function edgesOf({ colours, ascii }: Theme, focused: boolean): Edges {
  const shape = focused && (colours === 'none' || ascii) ? heavy : light;
  return { ...shape, tone: focused ? 'focus' : 'dim' };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function upperEdge({ title, digit, note, width }: FrameProps, edges: Edges, ascii: boolean): Line {
  const { tone, across } = edges;
  const mark = digit === undefined ? '' : (superscripts[Number(digit)] ?? digit);
  const name = cutText(plainText(title), width - 7);
  const left: Segment[] = [
    { text: `${edges.topLeft}${across} `, tone },
    // In ASCII the digit is no superscript: it stands apart.
    { text: ascii && mark !== '' ? `${mark} ` : mark, tone: 'focus' },
    { text: name, tone: 'title' },
    { text: ' ', tone },
  ];
  const room = width - lineWidth(left) - displayWidth(`${across}${edges.topRight}`);
  const whole: Line = typeof note === 'string' ? [{ text: note, tone: 'dim' }] : (note ?? []);
  // A note of a few letters says nothing; three cells are the blanks around it and a piece of the edge.
  const right = room - 3 >= Math.min(6, lineWidth(whole)) ? cutLine(whole, room - 3) : [];
  const rightWidth = lineWidth(right);
  const fits = rightWidth > 0;
  const filler = across.repeat(Math.max(0, fits ? room - rightWidth - 2 : room));
  return [
    ...left,
    { text: filler, tone },
    ...(fits ? [{ text: ' ' }, ...right, { text: ' ' }] : []),
    { text: across + edges.topRight, tone },
  ];
}

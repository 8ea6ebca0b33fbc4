import { Box } from 'ink';
import { memo, type ReactElement, type ReactNode } from 'react';
import { useTheme, type Theme } from '../theme.ts';
import { FixedText } from './fixed-text.tsx';
import type { Line, Segment } from './line.ts';
import { cutLine, lineWidth, renderLine } from './render-line.ts';
import { Row } from './row.tsx';
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
  /** That of the rows which is not dimmed all the same. */
  readonly upright?: Line | undefined;
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
  const { width, height, focused = false, dimmed = false, alert = [], rows = [], upright, children } = props;
  const theme = useTheme();
  const inner = innerSize(props);
  const edges = edgesOf(theme, focused);
  // Rows fit by themselves, and Ink cuts every row anew in a box that clips.
  const clipped = children === undefined ? {} : ({ overflow: 'hidden' } as const);
  const lower = edges.bottomLeft + edges.across.repeat(Math.max(0, width - 2)) + edges.bottomRight;
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <FixedText text={renderLine({ line: upperEdge(props, edges, theme.ascii), width, theme })} width={width} />
      <Box height={inner.height} flexShrink={0}>
        <Side edges={edges} height={inner.height} />
        <Box flexDirection="column" width={width - 2} height={inner.height} paddingX={1} {...clipped}>
          {children ?? (
            <Rows
              lines={[...alert, ...rows].slice(0, inner.height)}
              alerts={alert.length}
              upright={upright}
              width={inner.width}
              dimmed={dimmed}
            />
          )}
        </Box>
        <Side edges={edges} height={inner.height} />
      </Box>
      <FixedText text={renderLine({ line: [{ text: lower, tone: edges.tone }], width, theme })} width={width} />
    </Box>
  );
}

interface RowsProps {
  readonly lines: readonly Line[];
  /** So many from the top are not dimmed. */
  readonly alerts: number;
  /** Nor is this one. */
  readonly upright: Line | undefined;
  readonly width: number;
  readonly dimmed: boolean;
}

function Rows({ lines, alerts, upright, width, dimmed }: RowsProps): ReactElement {
  return (
    <>
      {lines.map((line, i) => (
        <Row key={i} line={line} width={width} dimmed={dimmed && i >= alerts && line !== upright} />
      ))}
    </>
  );
}

/** One side of the frame, top to bottom: apart from the rows, so that a row that changes does not draw it again. */
const Side = memo(function Side({ edges, height }: { readonly edges: Edges; readonly height: number }) {
  const theme = useTheme();
  const cell = renderLine({ line: [{ text: edges.down, tone: edges.tone }], width: 1, theme });
  return <FixedText text={Array.from({ length: height }, () => cell).join('\n')} width={1} height={height} />;
});

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

const frames = {
  light: { dim: { ...light, tone: 'dim' }, focus: { ...light, tone: 'focus' } },
  heavy: { dim: { ...heavy, tone: 'dim' }, focus: { ...heavy, tone: 'focus' } },
} as const;

// Where there is no colour, or no round corner to put it on, the focused frame is a heavy one.
function edgesOf({ colours, ascii }: Theme, focused: boolean): Edges {
  return frames[focused && (colours === 'none' || ascii) ? 'heavy' : 'light'][focused ? 'focus' : 'dim'];
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

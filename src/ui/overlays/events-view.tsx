import { Text } from 'ink';
import type { ReactElement } from 'react';
import { momentOf, type TapeEvent } from '../../model/tape.ts';
import type { Controls } from '../controls.ts';
import { toAscii } from '../parts/ascii.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import { Table, type TableColumn } from '../parts/ink-table.tsx';
import { Row } from '../parts/row.tsx';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { cutText, plainText, wrapText } from '../parts/width.ts';
import { kindOf, signOf } from '../tape/event-words.ts';
import { useTheme } from '../theme.ts';
import { eventRows } from './selectors.ts';

interface EventsProps {
  readonly controls: Controls;
  readonly cursor: number;
  readonly width: number;
  readonly height: number;
}

/** Events and marks, one a row, oldest first; in a recording Enter goes there. */
export function EventsView({ controls, width, height, ...props }: EventsProps): ReactElement {
  const { ascii } = useTheme();
  const inner = innerSize({ width, height });
  const { tape, past } = controls;
  const events = eventRows(controls);
  const cursor = Math.min(props.cursor, events.length - 1);
  const frame = { title: 'Events and marks', width, height, focused: true };
  if (events.length === 0) {
    const text = tape
      ? 'Nothing happened in this recording, and nothing was marked.'
      : 'Nothing has happened yet. M marks a moment.';
    return <Frame {...frame} rows={[[{ text }]]} />;
  }
  // One row for the table's header, two for what it is about, and at least four for the whole sentence of the chosen one.
  const above = inner.height < 8 ? 1 : 3;
  const least = inner.height < 8 ? 1 : inner.height < 14 ? 2 : 4;
  const room = Math.max(1, inner.height - above - least);
  const below = inner.height - above - Math.min(room, events.length);
  const whole = wrappedWithin(events[cursor]?.text ?? '', inner.width, below < 2 ? below : below - 1);
  const first = Math.max(0, Math.min(cursor - Math.floor(room / 2), events.length - room));
  const shown = (text: string) => (ascii ? toAscii(plainText(text)) : plainText(text));
  const hasDays = new Set(events.map((event) => dayOf(momentOf(event)))).size > 1;
  const rows = events.slice(first, first + room).map((event, i) => {
    const cells = Object.entries(cellsOf(event, hasDays)).map(([key, text]) => [key, shown(text)] as const);
    return Object.fromEntries([['here', shown(first + i === cursor ? '▸' : ' ')], ...cells]) as Record<Key, string>;
  });
  const columns: readonly TableColumn<Key>[] = [
    { key: 'here', title: '', width: 1 },
    { key: 'time', title: 'TIME', width: hasDays ? 14 : 8 },
    { key: 'sign', title: '', width: 1 },
    { key: 'kind', title: 'WHAT', width: 15 },
  ];
  const used = columns.reduce((sum, { width = 0 }) => sum + width + 2, 0);
  const forText = inner.width - used;
  const all = forText < 8 ? columns : [...columns, { key: 'text', title: '', width: forText } as const];
  const what = tape
    ? 'Enter goes there, Esc leaves.'
    : `What has happened so far. ${past ? 'Enter goes there, ' : ''}Esc leaves.`;
  return (
    <Frame {...frame} note={`${cursor + 1} of ${events.length}`}>
      {above > 1 && <Text wrap="truncate">{shown(cutText(what, inner.width))}</Text>}
      {above > 1 && <Text> </Text>}
      <Table columns={all} rows={rows} />
      {below > 1 && <Text> </Text>}
      {whole.map((row, i) => (
        <Row key={i} line={[{ text: row }]} width={inner.width} />
      ))}
    </Frame>
  );
}

/** The text in at most so many rows; the last one says when that is not all. */
function wrappedWithin(text: string, width: number, rows: number): readonly string[] {
  const all = wrapText(text, width);
  if (all.length <= rows) return all;
  return [...all.slice(0, rows - 1), cutText(all.slice(rows - 1).join(' '), width)];
}

type Key = 'here' | 'time' | 'sign' | 'kind' | 'text';

function cellsOf(event: TapeEvent, hasDays: boolean): Record<Exclude<Key, 'here'>, string> {
  const { text } = event;
  const time = momentOf(event);
  return {
    time: hasDays ? `${dayOf(time).slice(5)} ${timeOfDay(time)}` : timeOfDay(time),
    sign: signOf(event).text,
    kind: kindOf(event),
    text,
  };
}

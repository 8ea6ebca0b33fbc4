import type { ReactElement } from 'react';
import type { AlarmSample } from '../../model/alarm-samples.ts';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';
import { cursorList, withBelow } from '../parts/cursor-list.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line, Tone } from '../parts/line.ts';
import type { Column } from '../parts/table.ts';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { fitText, plainText, wrapText } from '../parts/width.ts';
import { visibleRows } from '../panels/scroll.ts';
import { alarmRows, cursorAt, muteOf, ringing } from './select.ts';
import { figureText, lastedText, severitySigns, whatText } from './words.ts';

interface AlarmsProps {
  readonly state: State;
  readonly controls: Controls;
  /** The alarm under the cursor. */
  readonly at: string | undefined;
  readonly width: number;
  readonly height: number;
}

/** What rings and what rang, one a row; below it the one under the cursor, and how alarms are told. */
export function AlarmsView({ state, controls, at, width, height }: AlarmsProps): ReactElement {
  const inner = innerSize({ width, height });
  const rows = alarmRows(state);
  const frame = { title: 'Alarms', width, height, focused: true };
  if (rows.length === 0) return <Frame {...frame} rows={emptyLines(controls, inner)} />;
  const cursor = cursorAt(rows, at);
  const said = saidOf(state, rows[cursor], inner.width);
  const ways = wayLines(controls, inner.width);
  const below = [...said, ...(inner.height >= 20 ? [[], ...ways] : [])];
  const shown = below.slice(0, Math.max(1, Math.min(below.length, Math.floor(inner.height / 2))));
  const room = Math.max(1, inner.height - 2 - shown.length);
  const visible = visibleRows({ count: rows.length, height: room, cursor });
  const list = cursorList({ columns: columnsOf(state, rows), rows, visible, cursor, width: inner.width });
  const lines = withBelow(list, { rows: room + 1, width: inner.width, below: shown });
  const count = ringing(state).length;
  const muted = state.alarms.filter((alarm) => alarm.state === 'ringing').length - count;
  const rings = count === 0 ? 'none rings' : count === 1 ? '1 rings' : `${count} ring`;
  const note = `${rings}${muted === 0 ? '' : `, ${muted} muted`} · ${cursor + 1} of ${rows.length}`;
  return <Frame {...frame} note={note} rows={lines} />;
}

type Cell = Column<AlarmSample>;

function columnsOf(state: State, rows: readonly AlarmSample[]): readonly Cell[] {
  const now = state.committedAt;
  const hasDays = rows.some(({ rungAt }) => dayOf(rungAt) !== dayOf(now));
  const text = (title: string, width: number, priority: number, of: (row: AlarmSample) => string): Cell => ({
    ...{ title, width, priority },
    cell: (row, size) => ({ text: fitText(plainText(of(row)), size), tone: toneOf(state, row) }),
  });
  const right = (column: Cell, of: (row: AlarmSample) => string): Cell => ({
    ...{ ...column, align: 'right' },
    cell: (row, size) => ({ text: fitText(of(row), size, 'right'), tone: toneOf(state, row) }),
  });
  return [
    {
      ...{ title: '', width: 1, priority: 0 },
      cell: (row) => {
        const { mark, tone } = severitySigns[row.severity];
        return { text: mark, tone: isHeard(state, row) ? tone : 'dim' };
      },
    },
    text('RANG', hasDays ? 14 : 8, 0, ({ rungAt }) => momentText(rungAt, hasDays)),
    { ...text('STATE', 8, 0, (row) => stateText(state, row)) },
    text('SEVERITY', 8, 3, ({ severity }) => severity),
    { ...text('WHAT', 16, 0, whatText), maxWidth: 30 },
    right(text('FIGURE', 9, 4, figureText), figureText),
    right(
      text('FOR', 7, 2, (row) => lastedText(row, now)),
      (row) => lastedText(row, now),
    ),
    { ...text('', 24, 5, (row) => row.text), maxWidth: 200 },
  ];
}

function stateText(state: State, row: AlarmSample): string {
  if (row.state === 'resolved') return 'over';
  if (!isHeard(state, row)) return 'muted';
  return row.acknowledgedAt === undefined ? 'RINGING' : 'seen';
}

const isHeard = (state: State, row: AlarmSample) =>
  row.state === 'ringing' && !row.muted && muteOf(row, state) === undefined;

function toneOf(state: State, row: AlarmSample): Tone {
  if (!isHeard(state, row)) return 'dim';
  return row.acknowledgedAt === undefined ? severitySigns[row.severity].tone : 'plain';
}

function momentText(time: number, hasDays: boolean): string {
  return hasDays ? `${dayOf(time).slice(5)} ${timeOfDay(time)}` : timeOfDay(time);
}

/** All of the one under the cursor, in sentences. */
function saidOf(state: State, row: AlarmSample | undefined, width: number): readonly Line[] {
  if (!row) return [];
  const { since, rungAt, resolvedAt, acknowledgedAt, border, muted } = row;
  const days = dayOf(since) !== dayOf(state.committedAt);
  const at = (time: number) => momentText(time, days);
  const mute = muteOf(row, state);
  const facts = [
    `${whatText(row)}: ${row.severity}`,
    `so since ${at(since)}`,
    `rang ${at(rungAt)}`,
    ...(resolvedAt === undefined ? [] : [`over ${at(resolvedAt)}`]),
    ...(border === undefined ? [] : [`${figureText(row)}, border ${figureText({ ...row, value: border })}`]),
    ...(acknowledgedAt === undefined ? [] : [`seen ${at(acknowledgedAt)}`]),
    ...(mute === undefined ? [] : [mute.until === undefined ? 'muted until u' : `muted until ${at(mute.until)}`]),
    ...(muted && mute === undefined ? ['it was muted when it rang'] : []),
  ];
  return [...wrapped(row.text, width, 'strong'), ...wrapped(facts.join(' · '), width, 'plain')];
}

function wayLines({ alarms, tape }: Controls, width: number): readonly Line[] {
  if (!alarms || tape) return [];
  const ways = alarms.ways();
  const told = ways.length === 0 ? ['On this screen alone.'] : ways;
  return [[{ text: 'Told by', tone: 'title' }], ...told.flatMap((way) => wrapped(plainText(way), width, 'dim'))];
}

function emptyLines(controls: Controls, { width }: { readonly width: number }): readonly Line[] {
  const { alarms, tape } = controls;
  if (tape) return wrapped('Nothing had rung by this moment.', width, 'dim');
  if (!alarms) return wrapped('Nothing keeps watch here: traintop was started with --no-alarms.', width, 'dim');
  return [...wrapped('Nothing rings, and nothing has rung so far.', width, 'ok'), [], ...wayLines(controls, width)];
}

function wrapped(text: string, width: number, tone: Tone): readonly Line[] {
  return wrapText(text, width).map((row): Line => [{ text: row, tone }]);
}

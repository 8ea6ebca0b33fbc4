import { Text } from 'ink';
import type { ReactElement } from 'react';
import { rangesText } from '../../model/ranges.ts';
import type { Run } from '../../model/run.ts';
import type { State } from '../../model/store.ts';
import { toAscii } from '../parts/ascii.ts';
import { formatDuration } from '../parts/format.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import { Table, type TableColumn } from '../parts/ink-table.tsx';
import { cutText, plainText } from '../parts/width.ts';
import { leader, rankCount, shortCommand } from '../../model/run-words.ts';
import { useTheme } from '../theme.ts';
import { pickerRows } from './selectors.ts';

interface PickerProps {
  readonly state: State;
  readonly cursor: number;
  readonly width: number;
  readonly height: number;
}

/** The training runs of the host, one a row; Enter watches the one under the cursor. */
export function Picker({ state, cursor, width, height }: PickerProps): ReactElement {
  const { ascii } = useTheme();
  const inner = innerSize({ width, height });
  const runs = pickerRows(state);
  if (runs.length === 0)
    return (
      <Frame title="Training runs" width={width} height={height} focused rows={[[{ text: 'No run was found yet.' }]]} />
    );
  // One row for the table's header and two for what it is about.
  const room = Math.max(1, inner.height - 3);
  const first = Math.max(0, Math.min(cursor - room + 1, runs.length - room));
  const shown = (text: string) => (ascii ? toAscii(plainText(text)) : plainText(text));
  const rows = runs.slice(first, first + room).map((run, i) => {
    const here = first + i === cursor;
    const cells = cellsOf(run, state);
    return Object.fromEntries([
      ['mark', shown(here ? '▸' : ' ')],
      ...Object.entries(cells).map(([key, text]) => [key, shown(text)]),
    ]) as Record<Key, string>;
  });
  const used = fixed.reduce((sum, { width = 0 }) => sum + width + 2, 0);
  const columns: readonly TableColumn<Key>[] = [
    ...fixed,
    { key: 'command', title: 'COMMAND', width: Math.max(8, inner.width - used) },
  ];
  const fitting = inner.width >= 64 ? columns : columns.filter(({ key }) => !['user', 'ranks', 'gpus'].includes(key));
  const note = `${runs.length} on ${state.facts?.hostname ?? 'the host'}`;
  return (
    <Frame title="Training runs" note={shown(note)} width={width} height={height} focused>
      <Text wrap="truncate">{shown(cutText('Which one is it? Enter watches it, Esc leaves.', inner.width))}</Text>
      <Text> </Text>
      <Table columns={fitting} rows={rows} />
    </Frame>
  );
}

type Key = 'mark' | 'pid' | 'user' | 'age' | 'ranks' | 'gpus' | 'command';

const fixed: readonly TableColumn<Key>[] = [
  { key: 'mark', title: '', width: 1 },
  { key: 'pid', title: 'PID', align: 'right', width: 7 },
  { key: 'user', title: 'USER', width: 8 },
  { key: 'age', title: 'UP', align: 'right', width: 7 },
  { key: 'ranks', title: 'RANKS', align: 'right', width: 5 },
  { key: 'gpus', title: 'GPUS', width: 8 },
];

function cellsOf(run: Run, { committedAt }: State): Record<Exclude<Key, 'mark'>, string> {
  const process = leader(run);
  const start = process?.startTime;
  const gpus = [...new Set(run.processes.flatMap(({ gpuMinors }) => gpuMinors))].sort((a, b) => a - b);
  const ranks = rankCount(run);
  return {
    pid: String(run.rootPid),
    user: process?.user ?? '',
    age: start === undefined ? '' : formatDuration((committedAt - start) / 1000),
    ranks: ranks === 0 ? '' : String(ranks),
    gpus: rangesText(gpus, ','),
    command: shortCommand(process?.commandLine ?? []),
  };
}

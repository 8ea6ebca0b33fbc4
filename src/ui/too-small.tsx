import { Box } from 'ink';
import type { ReactElement } from 'react';
import { smallest } from './layout.ts';
import { Row } from './parts/row.tsx';
import { wrapText } from './parts/width.ts';

interface TooSmallProps {
  readonly columns: number;
  readonly rows: number;
}

/** What stands in a terminal that has no room for the screen. */
export function TooSmall({ columns, rows }: TooSmallProps): ReactElement {
  const text = `traintop needs ${smallest.columns}x${smallest.rows}; this is ${columns}x${rows}`;
  const lines = wrapText(text, columns).slice(0, rows);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {lines.map((line, i) => (
        <Row key={i} line={[{ text: line }]} width={columns} />
      ))}
    </Box>
  );
}

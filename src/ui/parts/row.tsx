import { Text } from 'ink';
import { memo } from 'react';
import { useTheme } from '../theme.ts';
import type { Line } from './line.ts';
import { renderLine } from './render-line.ts';

/** One row of the screen, exactly `width` cells wide. Does nothing while its line is the same object. */
export const Row = memo(function Row(props: {
  readonly line: Line;
  readonly width: number;
  readonly dimmed?: boolean;
}) {
  const theme = useTheme();
  return <Text wrap="truncate">{renderLine({ ...props, theme })}</Text>;
});

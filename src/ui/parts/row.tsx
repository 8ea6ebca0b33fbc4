import { memo } from 'react';
import { useTheme } from '../theme.ts';
import { FixedText } from './fixed-text.tsx';
import type { Line } from './line.ts';
import { renderLine } from './render-line.ts';

/** One row of the screen in a place of `width` cells. Does nothing while its line is the same object. */
export const Row = memo(function Row(props: {
  readonly line: Line;
  readonly width: number;
  readonly dimmed?: boolean;
}) {
  const theme = useTheme();
  // Ink takes rows apart cell by cell in every frame: blanks that nobody sees are left out.
  return <FixedText text={renderLine({ ...props, theme }).trimEnd()} width={props.width} />;
});

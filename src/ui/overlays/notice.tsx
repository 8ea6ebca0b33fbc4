import { useEffect, useState, type ReactElement } from 'react';
import type { Clock } from '../../clock.ts';
import { Row } from '../parts/row.tsx';
import { useTheme } from '../theme.ts';
import type { Notice } from '../ui-state.ts';

/** A notice in the footer's place. */
export function NoticeLine({
  notice,
  clock,
  width,
}: {
  readonly notice: Notice;
  readonly clock: Clock;
  readonly width: number;
}): ReactElement {
  const { ascii } = useTheme();
  const turn = useTurn(notice.busy === true, clock);
  const signs = ascii ? '|/-\\' : '⠋⠙⠹⠸⠼⠴⠦⠧';
  const sign = notice.busy ? `${signs[turn % signs.length] ?? ''} ` : '';
  return (
    <Row
      line={[
        { text: ` ${sign}`, tone: 'focus' },
        { text: notice.text, tone: notice.tone },
      ]}
      width={width}
    />
  );
}

/** Counts while something is under way. Slowly: Ink takes the whole screen apart for every turn. */
function useTurn(turning: boolean, clock: Clock): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => (turning ? clock.every(400, () => setTurn((turn) => turn + 1)) : undefined), [turning, clock]);
  return turn;
}

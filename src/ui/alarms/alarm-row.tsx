import type { ReactElement } from 'react';
import type { State } from '../../model/store.ts';
import type { Controls } from '../controls.ts';
import { composeRow } from '../parts/compose-row.ts';
import type { Line } from '../parts/line.ts';
import { Row } from '../parts/row.tsx';
import { timeOfDay } from '../parts/times.ts';
import { plainText } from '../parts/width.ts';
import { useStore } from '../use-store.ts';
import { urgent } from './select.ts';
import { severitySigns, whatText } from './words.ts';

interface AlarmRowProps {
  readonly controls: Pick<Controls, 'store'>;
  readonly width: number;
}

/** The newest critical alarm that nobody has seen yet: the row below the headline while there is one. Live also while the screen is paused. */
export function AlarmRow({ controls, width }: AlarmRowProps): ReactElement {
  const state = useStore(controls.store, (state) => state);
  return <Row line={alarmLine(state, width)} width={width} />;
}

function alarmLine(state: State, width: number): Line {
  const [first, ...others] = urgent(state);
  if (!first) return [];
  const { mark, tone } = severitySigns[first.severity];
  const more = others.length === 0 ? [] : [{ rank: 3, line: [{ text: `${others.length} more`, tone }] }];
  return composeRow({
    left: [
      {
        rank: 0,
        line: [
          { text: ` ${mark} `, tone },
          { text: `${timeOfDay(first.rungAt)} `, tone: 'dim' },
          // The first sentence says it; what else there is stands in the list.
          { text: plainText(first.text === '' ? whatText(first) : first.text), tone },
        ],
        shortest: 12,
      },
    ],
    right: [
      ...more,
      {
        rank: 2,
        line: [
          { text: 'a', tone: 'focus' },
          { text: ' alarms', tone: 'dim' },
        ],
      },
    ],
    width,
  });
}

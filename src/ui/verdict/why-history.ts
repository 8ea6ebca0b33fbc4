import type { State } from '../../model/store.ts';
import { formatDuration } from '../parts/format.ts';
import type { Line } from '../parts/line.ts';
import { cutLine, lineWidth } from '../parts/render-line.ts';
import { timeOfDay } from '../parts/times.ts';
import { drawnAt } from '../use-store.ts';
import { legendOf, timeline } from './timeline.ts';

const minute = 60_000;
const twoDays = 2880 * minute;
const windows = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440].map((minutes) => minutes * minute);

/** Which verdict stood first when, over all that is kept of it, up to two days: a rule that says what letters mean, and the row with its ends. */
export function whyHistory(state: State, width: number): readonly Line[] {
  const first = state.verdictSpans[0];
  const room = width - 18;
  if (!first || room < 10) return [];
  const now = drawnAt(state);
  const windowMs = windows.find((each) => now - first.from < each) ?? twoDays;
  const cellMs = windowMs / room;
  const to = Math.ceil(now / cellMs) * cellMs;
  const { line, letters } = timeline({ state, to, windowMs, width: room });
  const [left, right] = [to - windowMs, now].map(timeOfDay);
  const title = `── verdicts of ${formatDuration(windowMs / 1000).replace(/ 0[ms]$/, '')} ──`;
  const legend = cutLine(legendOf(letters), Math.max(0, width - title.length - 5));
  const shown: Line = legend.length === 0 ? [] : [{ text: ' ' }, ...legend, { text: ' ' }];
  return [
    [
      { text: title + '─'.repeat(Math.max(0, width - title.length - lineWidth(shown) - 2)), tone: 'dim' },
      ...shown,
      { text: '──', tone: 'dim' },
    ],
    [{ text: `${left} `, tone: 'dim' }, ...line, { text: ` ${right}`, tone: 'dim' }],
  ];
}

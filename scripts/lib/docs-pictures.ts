import { replayDemo, type ReplayOptions } from '../../bench/replay.tsx';
import { replayPicture } from './replay-picture.ts';
import { screenOf } from './screen-of.ts';

type Moment = Omit<ReplayOptions, 'onBytes' | 'onEnd'>;

/** A minute and a half, so that the graphs are full. */
const seconds = 90;

/** A dump on the way gives the threads their Python names. */
const names: Moment['keys'] = [
  [30, 'd'],
  [31, 'q'],
];

const moments: Readonly<Record<string, Moment>> = {
  'screen.svg': { columns: 120, rows: 40, seconds, keys: names },
  'screen-80x24.svg': { columns: 80, rows: 24, seconds, keys: names },
  'screen-200x60.svg': { columns: 200, rows: 60, seconds, keys: names },
  'stacks.svg': {
    columns: 120,
    rows: 40,
    seconds,
    keys: [
      [seconds - 3, 'd'],
      [seconds - 1, 'j'],
    ],
  },
};

/** The pictures of docs/pictures by file name: the real screen on the demo's host, the same on every machine. */
export async function pictures(): Promise<Readonly<Record<string, string>>> {
  const made: Record<string, string> = {};
  for (const [name, moment] of Object.entries(moments)) made[name] = await screenOf(replayDemo, moment);
  made['replay.svg'] = await replayPicture({ columns: 120, rows: 40 });
  return made;
}

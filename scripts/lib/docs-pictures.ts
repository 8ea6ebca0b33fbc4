import { replayDemo, type ReplayOptions } from '../../bench/replay.tsx';
import { screenOf } from './screen-of.ts';

type Moment = Omit<ReplayOptions, 'onBytes' | 'onEnd'>;

/** A minute and a half, so that the graphs are full. */
const seconds = 90;

const moments: Readonly<Record<string, Moment>> = {
  'screen.svg': { columns: 120, rows: 40, seconds },
  'screen-80x24.svg': { columns: 80, rows: 24, seconds },
  'screen-200x60.svg': { columns: 200, rows: 60, seconds },
  'stacks.svg': { columns: 120, rows: 40, seconds, keys: [[seconds - 2, 'd']] },
};

/** The pictures of docs/pictures by file name: the real screen on the demo's host, the same on every machine. */
export async function pictures(): Promise<Readonly<Record<string, string>>> {
  const made: Record<string, string> = {};
  for (const [name, moment] of Object.entries(moments)) made[name] = await screenOf(replayDemo, moment);
  return made;
}

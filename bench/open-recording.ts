import { readFileSync } from 'node:fs';
import { systemClock } from '../src/clock.ts';
import { createPlayer } from '../src/recording/player.ts';
import { openRecording } from '../src/recording/recording.ts';

/** What it took to open a recording, and to go to moments of it. */
export interface Opening {
  readonly hours: number;
  readonly openMs: number;
  readonly seeksMs: readonly number[];
  /** The most memory that this process had resident. */
  readonly peakBytes: number;
}

const [path = '', count = '20'] = process.argv.slice(2);
const begun = performance.now();
const recording = await openRecording(path);
const openMs = performance.now() - begun;
const { from, to } = recording;
const player = createPlayer({ recording, clock: systemClock });
const seeksMs: number[] = [];
for (let n = 0; n < Number(count); n++) {
  const start = performance.now();
  // Spread over all of it, and in no order: as the golden ratio does.
  await player.seek(from + ((n * 0.618_034 + 0.5) % 1) * (to - from));
  if (!player.store.getState().threads) throw new Error('nothing is shown there');
  seeksMs.push(performance.now() - start);
}
await player.close();
const peakBytes = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
const opening: Opening = { hours: (to - from) / 3_600_000, openMs, seeksMs, peakBytes };
console.log(JSON.stringify(opening));

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '../../src/clock.ts';
import { replayControls } from '../../src/commands/replay-controls.ts';
import { createPlayer } from '../../src/recording/player.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { demoStart, recordDemo } from '../../test/support/demo-recording.ts';
import { showOnClock } from '../../test/support/screen-on-clock.tsx';
import { screenToSvg } from './svg.ts';

/** The whole of the scenario `hang`, a mark in it, and where the tape stands: a minute after it began to hang. */
const seconds = 846;
const markedAt = 210;
const shownAt = 240;

/** A recording that is played, as a picture: seven GPUs show 100 %, one is idle, and nothing moves. */
export async function replayPicture(size: { readonly columns: number; readonly rows: number }): Promise<string> {
  // The time of day on the screen is the user's.
  process.env['TZ'] = 'UTC';
  const folder = mkdtempSync(join(tmpdir(), 'traintop-picture-'));
  try {
    const path = await recordDemo({
      scenario: 'hang',
      folder,
      seconds,
      onStep({ take, clock }, second) {
        const now = clock.now();
        const mark = { kind: 'mark', host: 'demo', source: 'user', time: now, receivedAt: now } as const;
        if (second === markedAt) take({ ...mark, text: 'no step for half a minute' });
      },
    });
    const recording = await openRecording(path);
    const clock = createManualClock(demoStart);
    const player = createPlayer({ recording, clock });
    await player.seek(recording.from + shownAt * 1000);
    const screen = showOnClock({ ...size, controls: replayControls({ player, recording, clock }) });
    await screen.rows();
    const picture = screenToSvg(screen.xterm);
    screen.close();
    await player.close();
    return picture;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

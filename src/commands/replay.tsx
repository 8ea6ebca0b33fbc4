import { existsSync } from 'node:fs';
import { systemClock } from '../clock.ts';
import { UsageFault } from '../config/check-options.ts';
import type { ReplayOptions } from '../config/replay-options.ts';
import { createPlayer, type Player } from '../recording/player.ts';
import { openRecording, type Recording } from '../recording/recording.ts';
import { momentIn } from './moment-in.ts';
import { replayControls } from './replay-controls.ts';
import { defaultRunsFolder } from './runs-folder.ts';
import { showScreen } from './show-screen.ts';

/**
 * Plays a recording on the screen, until `q` or a signal; without a path the newest that was made. Resolves with the exit code; rejects
 * with a RecordingFault or a UsageFault.
 */
export async function replay(path: string | undefined, options: ReplayOptions): Promise<number> {
  const runs = defaultRunsFolder(process.env);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageFault(
      'A replay needs a terminal; for scripts there are traintop once FILE --at TIME --json and traintop export FILE.',
    );
  }
  if (path === undefined && !existsSync(runs)) {
    throw new UsageFault(`Nothing was recorded yet: ${runs} is not there. traintop records what it watches.`);
  }
  const recording = await openRecording(path ?? runs);
  const isWritten = await recording.isWritten();
  const player = createPlayer({
    ...{ recording, clock: systemClock },
    ...(isWritten && { following: { look: recording.follow, isWritten: recording.isWritten } }),
  });
  try {
    await begin(player, recording, options);
    await showScreen({
      ...{ clock: systemClock, isDemo: recording.header.demo !== undefined },
      controls: (files) => replayControls({ player, recording, clock: systemClock, files }),
    });
    return 0;
  } finally {
    await player.close();
  }
}

async function begin(player: Player, recording: Recording, { speed, at, loop, paused }: ReplayOptions) {
  const time = at === undefined ? recording.from : momentIn(recording, at);
  player.setSpeed(speed);
  if (loop) player.setLoop('all');
  await player.seek(time);
  // At the end it would begin anew, and who named the end wants to see it.
  if (!paused && (at === undefined || loop || time < recording.to)) player.play();
}

import { systemClock } from '../clock.ts';
import { snapshot } from '../model/snapshot.ts';
import { createPlayer } from '../recording/player.ts';
import { openRecording } from '../recording/recording.ts';
import { momentIn } from './moment-in.ts';
import { version } from './version.ts';

/**
 * Prints one moment of a recording as `once` prints that of a run: ages are those of then. Without `at` the end. Resolves with the
 * exit code; rejects with a RecordingFault or a UsageFault.
 */
export async function onceRecorded(path: string, at: string | undefined): Promise<number> {
  const recording = await openRecording(path);
  const player = createPlayer({ recording, clock: systemClock });
  try {
    const { from, to, header } = recording;
    await player.seek(at === undefined ? to : momentIn(recording, at));
    const { position, hole, fault } = player.state();
    if (fault !== undefined) process.stderr.write(`traintop: ${fault}\n`);
    const state = player.store.getState();
    const object = snapshot({ state, version, target: header.target, demo: header.demo !== undefined, now: position });
    const { traintop, time, target, ...sections } = object;
    const whole = {
      ...{ traintop, time, target },
      recording: {
        path: recording.path,
        time,
        ...spanOf({ from, to }),
        recordedBy: header.traintop,
        ...(header.imported !== undefined && { imported: true }),
        // Nothing was recorded at that time: all is as of the beginning of the hole.
        ...(hole && { hole: spanOf(hole) }),
      },
      ...sections,
    };
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(whole, null, 2)}\n`, resolve));
    return 0;
  } finally {
    await player.close();
  }
}

function spanOf({ from, to }: { readonly from: number; readonly to: number }) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

import { systemClock } from '../clock.ts';
import { createPlayer } from '../recording/player.ts';
import { openRecording } from '../recording/recording.ts';
import type { Controls } from '../ui/controls.ts';
import { openScreen } from './screen.tsx';

/** Plays a recording on the screen, until `q` or a signal. Resolves with the exit code; rejects with a RecordingFault. */
export async function replay(path: string): Promise<number> {
  const recording = await openRecording(path);
  const player = createPlayer({ recording, clock: systemClock });
  const screen = openScreen();
  const { target, wrap, intervalMs, demo, imported } = recording.header;
  const controls: Controls = {
    store: player.store,
    clock: systemClock,
    target,
    demo: demo !== undefined,
    imported: imported !== undefined,
    ...(wrap !== undefined && { wrap }),
    intervalMs,
    setInterval: () => intervalMs,
    connectNow() {},
    lookForRuns() {},
    chooseRun() {},
    dumpStacks: async () => {},
    tape: player,
  };
  await player.seek(recording.from);
  player.play();
  const { left } = screen.show(controls);
  try {
    await left;
    return 0;
  } finally {
    screen.hide();
    await player.close();
    await screen.close();
  }
}

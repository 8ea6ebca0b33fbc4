import type { Clock } from '../clock.ts';
import type { Player } from '../recording/player.ts';
import type { Recording } from '../recording/recording.ts';
import type { CaptureFiles, Controls } from '../ui/controls.ts';

/** The screen's hands on a recording: none reaches a host. */
export function replayControls(init: {
  readonly player: Player;
  readonly recording: Pick<Recording, 'header'>;
  readonly clock: Clock;
  readonly files?: CaptureFiles;
}): Controls {
  const { player, clock, files } = init;
  const { header } = init.recording;
  const { target, wrap, intervalMs, demo, imported } = header;
  return {
    store: player.store,
    clock,
    target,
    demo: demo !== undefined,
    imported: imported !== undefined,
    ...(wrap !== undefined && { wrap }),
    intervalMs,
    setInterval: () => intervalMs,
    connectNow() {},
    lookForRuns() {},
    chooseRun() {},
    capture: () => ({ id: '', over: Promise.resolve() }),
    cancelCapture() {},
    tape: player,
    ...(files && { files }),
  };
}

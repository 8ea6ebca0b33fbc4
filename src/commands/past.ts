import { dirname } from 'node:path';
import { systemClock } from '../clock.ts';
import { createPast, type WithPast } from '../recording/past.ts';
import { openRecording } from '../recording/recording.ts';
import type { Session } from './session.ts';

/** The past of a session that records; undefined where it does not. */
export function pastOf({ recorder, store }: Pick<Session, 'recorder' | 'store'>): WithPast | undefined {
  if (!recorder) return undefined;
  return createPast({
    live: store,
    clock: systemClock,
    flush: recorder.flush,
    lacks: () => recorder.state().fault,
    async open() {
      const { path, fault } = recorder.state();
      if (path === undefined) throw new Error(fault ?? 'Nothing is recorded yet: the host has not answered.');
      return openRecording(dirname(path));
    },
  });
}

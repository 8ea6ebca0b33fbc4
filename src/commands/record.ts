import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { defaultStateFolder } from '../collectors/transport/audit-log.ts';
import type { Options } from '../config/options.ts';
import type { SavedState } from '../model/saved-state.ts';
import { createRecorder, type Recorder } from '../recording/recorder.ts';
import type { OpenTarget } from './open-target.ts';
import { version } from './version.ts';

interface Init {
  readonly options: Options;
  readonly target: OpenTarget;
  readonly clock: Clock;
  readonly save: () => SavedState;
}

/** The recorder that the options ask for: in a folder of its own, named by the time and the target. */
export function recorderOf({ options, target, clock, save }: Init): Recorder | undefined {
  if (options.record === false) return undefined;
  const base = options.recordFolder ?? join(defaultStateFolder(process.env), 'runs');
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replace(/:/g, '-');
  const session = randomUUID();
  return createRecorder({
    folder: join(base, `${stamp}_${target.name.replace(/[^\w.@-]+/g, '-')}`),
    clock,
    save,
    header: () => ({
      traintop: version,
      session,
      target: target.name,
      ...(options.wrap !== undefined && { wrap: options.wrap }),
      commandLine: process.argv.slice(2),
      intervalMs: options.intervalMs,
    }),
  });
}

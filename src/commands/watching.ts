import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { defaultDataFolder } from '../collectors/stacks/save.ts';
import { defaultStateFolder } from '../collectors/transport/audit-log.ts';
import type { Options } from '../config/options.ts';
import { defaultNotify } from '../model/alarms/notify-settings.ts';
import { createNotifier } from '../notify/notifier.ts';
import type { OpenTarget } from './open-target.ts';
import { recorderOf } from './record.ts';
import { createSession, type Session, type SessionMore } from './session.ts';
import { withPatterns } from './with-patterns.ts';

interface Watching extends Pick<SessionMore, 'confirmCopy' | 'see'> {
  readonly options: Options;
  readonly target: OpenTarget;
  /** The terminal of the screen. Absent: there is none. */
  readonly write?: (text: string) => void;
}

/** The session of who keeps watch, with a screen or without: it is recorded, alarms ring, evidence and names are kept. */
export function watchSession({ options, target, write, ...more }: Watching): Session {
  const clock = target.clock ?? systemClock;
  return createSession(
    withPatterns(options, target.patterns),
    target.transport,
    clock,
    (store, report) => recorderOf({ options, target, clock, store, report }),
    {
      ...more,
      namesThreads: true,
      keepsWatch: true,
      notify: (report) =>
        createNotifier({
          ...{ report, settings: options.notify ?? defaultNotify, target: target.name, demo: target.demo },
          // Who is told does not live in the demo's time.
          clock: systemClock,
          ...{ env: process.env, ...(write && { write }) },
        }),
      // What the demo plays is nobody's run.
      ...(!target.demo && {
        saveIn: defaultDataFolder(process.env),
        keepNamesIn: join(defaultStateFolder(process.env), 'names'),
      }),
    },
  );
}

/** The last of a command that recorded: where the disk does not answer it ends the process. */
export function leaveRecorder({ recorder }: Session): void {
  if (recorder?.state().isStuck) endStuck(recorder.state().path);
}

/** A thread that waits for a disk keeps Node (20.20, 22) from ending, by process.exit too: everything else is done. */
function endStuck(path = '') {
  writeSync(2, `traintop: The recording's last seconds may be missing: the disk does not answer. ${path}\n`);
  process.kill(process.pid, 'SIGKILL');
}

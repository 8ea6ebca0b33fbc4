import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { systemClock, type Clock } from '../clock.ts';
import { withoutSecrets } from '../collectors/transport/audit.ts';
import { noHome } from '../config/home.ts';
import type { Options } from '../config/options.ts';
import type { EventSample } from '../model/samples.ts';
import type { Store } from '../model/store.ts';
import { nameInFolder } from '../recording/format.ts';
import { prune } from '../recording/prune.ts';
import { createRecorder, type Recorder } from '../recording/recorder.ts';
import type { RunFolder } from '../recording/run-folder.ts';
import type { OpenTarget } from './open-target.ts';
import { defaultRunsFolder } from './runs-folder.ts';
import { version } from './version.ts';

interface Init {
  readonly options: Options;
  readonly target: OpenTarget;
  readonly clock: Clock;
  readonly store: Store;
  /** Takes what the recorder has to say in the recording. */
  readonly report: (event: EventSample) => void;
}

/** The recorder that the options ask for: in a folder of its own, named by the time and the target. */
export function recorderOf({ options, target, clock, store, report }: Init): Recorder | undefined {
  const { record, wrap } = options;
  if (!record) return undefined;
  const base = resolve(record.folder ?? defaultRunsFolder(process.env));
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replace(/:/g, '-');
  const folder = join(base, `${stamp}_${nameInFolder(target.name)}`);
  const session = randomUUID();
  return createRecorder({
    folder: base.startsWith(`${noHome}/`) ? nowhere(folder) : folder,
    clock,
    save: store.save,
    takeMinutes: store.history.takeMinutes,
    report,
    header: () => ({
      traintop: version,
      session,
      target: target.name,
      ...hostOf(store),
      ...(wrap !== undefined && { wrap: withoutSecrets(wrap) }),
      commandLine: process.argv.slice(2).map(withoutSecrets),
      intervalMs: options.intervalMs,
      ...(target.origin && { demo: target.origin }),
    }),
    onPart: (own) => prune({ base: dirname(dirname(own)), own, limits: record, now: systemClock.now() }),
  });
}

/** As far as it is known by now. */
function hostOf(store: Store) {
  const { facts } = store.getState();
  return facts && { hostname: facts.hostname, clockOffsetMs: facts.clockOffsetMs };
}

function nowhere(path: string): RunFolder {
  return {
    path: () => path,
    openPart: () => Promise.reject(Object.assign(new Error('no home'), { code: 'NOHOME' })),
    release: async () => {},
  };
}

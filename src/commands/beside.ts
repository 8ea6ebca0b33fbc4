import { systemClock } from '../clock.ts';
import type { Options } from '../config/options.ts';
import type { Session } from './session.ts';
import { identityOf, runKey } from './watch-identity.ts';
import { watchedAlready } from './watch-words.ts';

/** Finds out whether another process keeps watch over what a screen shows: it is no reason not to look, but what there is to know. */
export function lookBeside(options: Options, { store }: Pick<Session, 'store'>): () => string | undefined {
  let found: string | undefined;
  let run: string | undefined;
  // Later: the first picture waits for nothing of it.
  const heldWatch = import('../attach/held-watch.ts');
  void Promise.all([heldWatch, identityOf(options)])
    .then(([{ watchBeside }, identity]) =>
      watchBeside({ environment: process.env, identity, clock: systemClock, target: options.target }),
    )
    .then((by) => by && (found = watchedAlready(`This (${options.target})`, by)))
    .catch(() => {});

  store.subscribe(() => {
    const { run: watched, facts } = store.getState();
    const now = watched?.run;
    const key = now && runKey(now, facts);
    if (key === undefined || key === run || options.target === 'demo') return;
    run = key;
    heldWatch
      .then(({ watchOfRun }) => watchOfRun(process.env, key, systemClock.now()))
      .then(
        (by) => by && (found = watchedAlready(`The run of PID ${now?.rootPid}`, by)),
        () => {},
      );
  });
  return () => found;
}

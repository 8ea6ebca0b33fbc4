import type { Shell } from '../../collectors/open-shell.ts';
import type { Session } from '../session.ts';

/** Ends what a shell left on the host. */
export interface Leftovers {
  /** At once, or when there is a connection again: the one that the shell was on may be gone. */
  hangUp(shell: Shell): void;
  /** Resolves when all that was begun is done. */
  settled(): Promise<unknown>;
}

/** A link that is frozen does not answer. */
const timeoutMs = 1500;

/** Nothing left yet. */
export function createLeftovers({ store, runner }: Session): Leftovers {
  let running: Promise<unknown> = Promise.resolve();
  const isUp = () => store.getState().link?.state === 'up';
  const run = ({ name, body }: NonNullable<Shell['hangUp']>) => {
    running = Promise.all([running, runner.job(name, body, timeoutMs).catch(() => {})]);
  };
  return {
    hangUp({ hangUp }) {
      if (!hangUp) return;
      if (isUp()) return run(hangUp);
      const unsubscribe = store.subscribe(() => {
        if (!isUp()) return;
        unsubscribe();
        run(hangUp);
      });
    },
    settled: () => running,
  };
}

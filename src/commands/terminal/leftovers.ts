import type { Shell } from '../../collectors/open-shell.ts';
import type { Session } from '../session.ts';

/** Ends what a shell left on the host. */
export interface Leftovers {
  /** At once, or when there is a connection again: the one that the shell was on may be gone. */
  hangUp(shell: Shell): void;
  /** Begins nothing more; resolves when all that was begun is done. */
  settle(): Promise<void>;
}

/** A link that is frozen does not answer. */
const timeoutMs = 1500;
/** A link may be gone though nobody knows yet. */
const againMs = 1000;

/** Nothing left yet. */
export function createLeftovers({ store, runner, clock }: Session): Leftovers {
  const waiting = new Set<NonNullable<Shell['hangUp']>>();
  const running = new Set<Promise<void>>();
  let isSettled = false;
  let cancelAgain = () => {};

  async function run(job: NonNullable<Shell['hangUp']>) {
    waiting.delete(job);
    const done = await runner.job(job.name, job.body, timeoutMs).catch(() => undefined);
    if (done?.bodyCode !== undefined || isSettled) return;
    waiting.add(job);
    cancelAgain();
    cancelAgain = clock.after(againMs, look);
  }
  function look() {
    if (isSettled || store.getState().link?.state !== 'up') return;
    for (const job of waiting) {
      const one = run(job).finally(() => running.delete(one));
      running.add(one);
    }
  }
  store.subscribe(look);

  return {
    hangUp({ hangUp }) {
      if (hangUp) waiting.add(hangUp);
      look();
    },
    async settle() {
      isSettled = true;
      cancelAgain();
      await Promise.all(running);
    },
  };
}

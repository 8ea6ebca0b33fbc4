import type { Clock } from '../clock.ts';
import type { Machine } from './machine.ts';

/** Calls `drop` whenever the scenario breaks the link; returns its cancel. */
export function onDrops({ scenario, uptime, startUp }: Machine, clock: Clock, drop: () => void): () => void {
  const since = uptime(clock.now()) - startUp;
  const coming = (scenario.drops ?? []).filter(({ at }) => at > since);
  const cancels = coming.map(({ at }) => clock.after((at - since) * 1000, drop));
  return () => {
    for (const cancel of cancels) cancel();
  };
}

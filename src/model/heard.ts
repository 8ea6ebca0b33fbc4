import type { State } from './store.ts';

/** Until when something came from the host, while the link is not up: what was read last does not stand beyond it. */
export function heardUntil({ link, sources }: State): number | undefined {
  if (link === undefined || link.state === 'up') return undefined;
  const times = [...sources.values()].flatMap(({ lastAt }) => lastAt ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

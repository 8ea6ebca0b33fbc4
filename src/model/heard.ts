import type { State } from './store.ts';

type Heard = Pick<State, 'link' | 'sources'>;

/** Until when something came from the host, while nothing comes now: what was read last does not stand beyond it. */
export function heardUntil({ link, sources }: Heard): number | undefined {
  if (link === undefined || (link.state === 'up' && link.silentSince === undefined)) return undefined;
  return newest([...sources.values()]);
}

/** The same of the watched run, which its own source and its threads tell of: either may be off or stale on a link that is up. */
export function runHeardUntil({ link, sources, run }: Heard & Pick<State, 'run'>): number | undefined {
  const until = heardUntil({ link, sources } as Heard);
  if (until !== undefined || run === undefined) return until;
  const views = [run.source, 'threads'].flatMap((source) => sources.get(source) ?? []);
  return views.length === 0 || views.some(({ status }) => status === 'live') ? undefined : newest(views);
}

function newest(views: readonly { readonly lastAt?: number }[]): number | undefined {
  const times = views.flatMap(({ lastAt }) => lastAt ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

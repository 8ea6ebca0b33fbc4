import { silence, type Pace } from '../../model/pace.ts';
import type { State } from '../../model/store.ts';
import { formatDuration } from './format.ts';

/** How old the last of what a log says is, once it is older than usual: `12s old`. Of a source that is not live its frame tells. */
export function logAge({ sources, committedAt }: State, pace: Pace | undefined): string | undefined {
  if ((sources.get('log')?.status ?? 'live') !== 'live') return undefined;
  const quiet = silence(pace, committedAt);
  return quiet?.isLong ? `${formatDuration(quiet.ageMs / 1000)} old` : undefined;
}

import type { State } from '../model/store.ts';
import { formatDuration } from './parts/format.ts';
import type { Line, Tone } from './parts/line.ts';
import { wrapText } from './parts/width.ts';

type LinkState = Pick<State, 'link' | 'linkDownSince' | 'linkLostAt' | 'committedAt'>;

/** How the link is, in a few words; `reason`: why it is not up. */
export interface LinkWords {
  readonly text: string;
  readonly tone: Tone;
  readonly reason?: string;
}

/** A link that comes back before this moves nothing on the screen. */
const patienceMs = 5000;

/** As the header says it. `freshMs`: a round trip that is older says nothing. */
export function linkWords({ link, linkDownSince, committedAt }: LinkState, freshMs: number): LinkWords {
  if (!link) return { text: 'connecting …', tone: 'warn' };
  const { state, reason, roundTripMs, silentSince, retryAt, time } = link;
  const since = (start: number) => formatDuration(Math.max(0, committedAt - start) / 1000);
  if (state === 'up') {
    // Nobody knows yet whether it is lost.
    if (silentSince !== undefined) return { text: `link silent ${since(silentSince)}`, tone: 'warn' };
    const isFresh = roundTripMs !== undefined && committedAt - time < freshMs;
    return { text: isFresh ? `link ${ms(roundTripMs)}` : 'link up', tone: 'dim' };
  }
  // The reason of an attempt is why there has to be one.
  if (state === 'connecting' && reason === undefined) return { text: 'connecting …', tone: 'warn' };
  const next = state === 'connecting' ? ', trying now' : retryAt === undefined ? '' : tryText(retryAt - committedAt);
  const word = state === 'failed' ? 'failed' : 'lost';
  const text = `link ${word} ${since(linkDownSince ?? time)}${next}`;
  return { text, tone: 'bad', ...(reason !== undefined && { reason }) };
}

/** The link is lost, and why was said: there is something to wait for, or to do. */
export function isLinkDown({ link }: Pick<State, 'link'>): boolean {
  return link !== undefined && link.state !== 'up' && (link.state !== 'connecting' || link.reason !== undefined);
}

/** Why the link is down, whole, as rows below the header: at once when it was given up, else when it stays away. */
export function linkReason(state: LinkState, width: number): readonly Line[] {
  const { link, linkLostAt, committedAt } = state;
  if (!isLinkDown(state) || link?.reason === undefined) return [];
  if (link.state !== 'failed' && committedAt - (linkLostAt ?? link.time) < patienceMs) return [];
  return wrapText(link.reason, Math.max(1, width - 2)).map((row): Line => [{ text: ` ${row}`, tone: 'bad' }]);
}

/** The clock of this machine may have been set since. */
function tryText(inMs: number): string {
  return inMs > 0 && inMs < 60_000 ? `, next try in ${Math.ceil(inMs / 1000)}s` : '';
}

function ms(value: number): string {
  // The clock counts whole milliseconds.
  return value < 1 ? '<1 ms' : `${Math.round(value)} ms`;
}

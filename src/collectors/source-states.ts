import type { Clock } from '../clock.ts';
import type { Sample, SourceStatus } from '../model/samples.ts';

/** Keeps the state of every source and says each change as a Sample. */
export interface SourceStates {
  waiting(source: string, reason?: string): void;
  /** A Sample came; older than `staleAfterMs` it will be stale. */
  live(source: string, staleAfterMs: number | undefined, rejectedLines: number): void;
  failed(source: string, reason: string): void;
  /** Nothing comes until the link is back, or what else is lost: what is live is stale now. */
  linkLost(why?: string): void;
  off(source: string, reason: string): void;
  /** The source is no longer wanted: it is not watched for staleness. */
  rest(source: string): void;
  stop(): void;
}

interface Entry {
  status: SourceStatus;
  reason?: string | undefined;
  /** When it got this status. */
  since: number;
  rejectedLines: number;
  lastAt?: number;
  staleAfterMs?: number | undefined;
}

/** A source that has said nothing by then is told of: each GPU of a host may take seconds to answer for the first time. */
const silentMs = 20_000;

/** The states of one host's sources; staleness is looked at every second. */
export function createSourceStates(init: {
  readonly host: string;
  readonly clock: Clock;
  readonly onSample: (sample: Sample) => void;
}): SourceStates {
  const { host, clock, onSample } = init;
  const entries = new Map<string, Entry>();
  const cancel = clock.every(1000, () => {
    for (const [source, entry] of entries) {
      const { status, reason, since } = entry;
      if (status === 'waiting' && reason === undefined && Math.abs(clock.now() - since) >= silentMs)
        set(source, 'waiting', `nothing has come in ${silentMs / 1000} s: its command may hang`);
      if (entry.status !== 'live' || entry.staleAfterMs === undefined || entry.lastAt === undefined) continue;
      // The clock of this machine may have been set back.
      entry.lastAt = Math.min(entry.lastAt, clock.now());
      const ageMs = clock.now() - entry.lastAt;
      if (ageMs > entry.staleAfterMs) set(source, 'stale', `nothing new for ${Math.round(ageMs / 1000)} s`);
    }
  });

  function set(source: string, status: SourceStatus, reason?: string, more: Partial<Entry> = {}) {
    const before = entries.get(source);
    const since = before?.status === status ? before.since : clock.now();
    const entry: Entry = { rejectedLines: 0, ...before, ...more, status, reason, since };
    entries.set(source, entry);
    if (before?.status === status && before.reason === reason && before.rejectedLines === entry.rejectedLines) return;
    const time = clock.now();
    onSample({
      kind: 'source',
      host,
      source,
      time,
      receivedAt: time,
      status,
      ...(reason !== undefined && { reason }),
      ...(entry.rejectedLines > 0 && { rejectedLines: entry.rejectedLines }),
    });
  }

  return {
    waiting: (source, reason) => set(source, 'waiting', reason),
    live: (source, staleAfterMs, rejectedLines) =>
      set(source, 'live', undefined, { lastAt: clock.now(), staleAfterMs, rejectedLines }),
    failed: (source, reason) => set(source, 'failed', reason),
    linkLost(why = 'the link is lost') {
      for (const [source, { status }] of entries) if (status === 'live') set(source, 'stale', why);
    },
    off: (source, reason) => set(source, 'off', reason),
    rest: (source) => void entries.delete(source),
    stop: cancel,
  };
}

import type { Sample, SourceSample, SourceStatus } from '../model/samples.ts';

/** What tells of a source. */
export interface SourcePlan {
  readonly source: string;
  /** The file, as the user named it; absent: none was given, and `off` says which could be. */
  readonly file?: string;
  readonly off: string;
  /** Absent where nothing in the file has a time. */
  readonly from?: number;
  readonly to?: number;
}

interface Init {
  readonly host: string;
  readonly from: number;
  readonly to: number;
  readonly plans: readonly SourcePlan[];
}

/** A file that begins this much later is waited for; and this long after its last value that it ended is news. */
const graceMs = 1500;

/** The states of all sources over the whole recording, in order: live within their file, else why there is nothing. */
export function sourceSamples({ host, from, to, plans }: Init): readonly Sample[] {
  const samples = plans.flatMap(({ source, file, off, ...span }): readonly SourceSample[] => {
    const state = (time: number, status: SourceStatus, reason?: string): SourceSample => ({
      kind: 'source',
      host,
      source,
      time,
      receivedAt: time,
      status,
      ...(reason !== undefined && { reason }),
    });
    if (file === undefined) return [state(from, 'off', off)];
    const begins = span.from ?? from;
    const ends = (span.to ?? to) + graceMs;
    const isLate = begins > from + graceMs;
    return [
      ...(isLate ? [state(from, 'waiting', `${file} begins later`)] : []),
      state(isLate ? begins : from, 'live'),
      ...(ends <= to ? [state(ends, 'stale', `${file} ends here`)] : []),
    ];
  });
  return samples.sort((a, b) => a.receivedAt - b.receivedAt);
}

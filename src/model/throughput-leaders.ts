/** Who tells a value: of several ranks and logs that say the same, one counts. JSON-safe. */
export interface Leader {
  /** Of the log. */
  readonly source: string;
  readonly rank?: number;
  /** When it last told it. */
  readonly at: number;
  /** Between its readings, about. */
  readonly pauseMs?: number;
}

/** Who tells something now. */
export type Teller = Pick<Leader, 'source' | 'rank' | 'at'>;

/** Nobody is taken for silent sooner. */
const shortestMs = 30_000;

/**
 * Whether what is told counts. Standard output and standard error complete each other, for each value has its own leader; of ranks the
 * lowest that tells it leads, whose loss may be the last rank's (pipeline parallel). One that is silent for long is followed by whoever speaks.
 */
export function leads(leader: Leader | undefined, teller: Teller): boolean {
  if (!leader) return true;
  const sameLog = leader.source === teller.source;
  if (sameLog && leader.rank === teller.rank) return true;
  if (leader.rank !== undefined && teller.rank !== undefined) {
    if (teller.rank < leader.rank) return true;
    // A line without a rank is of the same program as those beside it.
  } else if (sameLog) return true;
  return teller.at - leader.at > Math.max(shortestMs, 4 * (leader.pauseMs ?? 0));
}

/** The leader after it told something; `own`: it may be changed in its place. */
export function led(leader: Leader | undefined, { source, rank, at }: Teller, own: boolean): Leader {
  const isSame = leader?.source === source;
  const gap = isSame ? at - leader.at : 0;
  const before = isSame ? leader.pauseMs : undefined;
  const pauseMs = gap > 0 ? (before === undefined ? gap : Math.round(0.8 * before + 0.2 * gap)) : before;
  if (own && isSame && leader.rank === rank) {
    const growing = leader as { -readonly [K in keyof Leader]: Leader[K] };
    growing.at = at;
    if (pauseMs !== undefined) growing.pauseMs = pauseMs;
    return growing;
  }
  return { source, ...(rank !== undefined && { rank }), at, ...(pauseMs !== undefined && { pauseMs }) };
}

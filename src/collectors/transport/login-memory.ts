import type { ParsedKey } from 'ssh2';

/**
 * What the user gave to log in, for the reconnects of this process: in memory only, never on disk. Answers of a second factor are
 * not here: they are good once.
 */
export interface LoginMemory {
  /** Opened keys by their files' paths. */
  readonly keys: Map<string, ParsedKey>;
  /** Key files whose passphrase the user did not want to give. */
  readonly skipped: Set<string>;
  /** Accepted passwords by `user@host:port`. */
  readonly passwords: Map<string, string>;
  /** What the last log-in needed of the user and is not kept: the next one will ask again. */
  readonly needs: Set<string>;
}

/** Knows nothing yet. */
export function createLoginMemory(): LoginMemory {
  return { keys: new Map(), skipped: new Set(), passwords: new Map(), needs: new Set() };
}

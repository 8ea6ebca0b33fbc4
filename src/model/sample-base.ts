/** One value a row; null where the host gave none. */
export type Column<T = number> = readonly (T | null)[];

/** The head of every Sample. */
export interface SampleBase<Kind extends string> {
  readonly kind: Kind;
  /** Which host, as the transport names it. */
  readonly host: string;
  /** Which source (see SourceSample). */
  readonly source: string;
  /** When it was so: the host's clock plus the measured offset. Lines fetched late keep their own time. */
  readonly time: number;
  /** When it reached us. */
  readonly receivedAt: number;
}

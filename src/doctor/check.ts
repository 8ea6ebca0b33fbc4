/** How a part of the monitor fares on a host. */
export type CheckStatus =
  /** Works. */
  | 'ok'
  /** Works, or is not there, and that is worth knowing. */
  | 'note'
  /** Works, but not as well as it could, or not for ever. */
  | 'warn'
  /** Is not there. */
  | 'missing'
  /** Is there and does not work. */
  | 'failed'
  /** Could not be told. */
  | 'unknown';

/** One finding. */
export interface Check {
  /** Stable: scripts may rely on it. */
  readonly id: string;
  readonly section: Section;
  /** At most 12 cells. */
  readonly title: string;
  readonly status: CheckStatus;
  /** Without it the monitor is no use here, or not what was asked for: missing or failed makes doctor exit with 1. */
  readonly needed: boolean;
  /** What is there. */
  readonly found: string;
  /** What follows from it. */
  readonly why?: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** The parts of the report, in their order. */
export const sections = [
  'Recording',
  'Log-in',
  'Shell',
  'Tools',
  'Run',
  'Threads',
  'GPUs',
  'Host',
  'Log',
  'Stacks',
  'Record',
  'Sources',
  'Events',
] as const;

/** One of them. */
export type Section = (typeof sections)[number];

/** What a section says of one thing; undefined values are left out. */
export interface Told {
  readonly status: CheckStatus;
  readonly found: string;
  readonly why?: string | undefined;
  readonly mend?: string | undefined;
  readonly needed?: boolean;
}

/** The checks of one section are made by its function: `check('id', 'title', ...)`. */
export function checksOf(section: Section) {
  return (id: string, title: string, { status, found, why, mend, needed = false }: Told): Check => ({
    id,
    section,
    title,
    status,
    needed,
    found,
    ...(why !== undefined && { why }),
    ...(mend !== undefined && { mend }),
  });
}

/** Something that is needed is not there or does not work. */
export function isBroken({ needed, status }: Check): boolean {
  return needed && (status === 'missing' || status === 'failed');
}

/**
 * What a reader takes, so that a broken or hostile file costs a sentence and no more. A writer stays far below. docs/recording.md has
 * this table.
 */
export const limits = {
  memberBytes: { value: 32 * 2 ** 20, of: 'bytes of one member in the file' },
  memberText: { value: 64 * 2 ** 20, of: 'bytes of its text' },
  memberLines: { value: 100_000, of: 'lines of one member' },
  members: { value: 1_000_000, of: 'members of one file (five weeks, three seconds each)' },
  files: { value: 500, of: 'files of one recording' },
  line: { value: 16 * 2 ** 20, of: 'characters of one line' },
  lineDepth: { value: 32, of: 'objects and lists in one another' },
  lineParts: { value: 1_000_000, of: 'objects and lists in one line' },
  rows: { value: 100_000, of: 'rows of a frame, entries of a list, names of an object' },
  text: { value: 2 ** 18, of: 'characters of one text (an argument of a command may have 131,071)' },
  chains: { value: 1000, of: 'chains that are followed at once, the newest (traintop writes some thirty)' },
  chainText: { value: 64 * 2 ** 20, of: 'characters of their lines, each chain from its last whole one' },
  plain: { value: 2 ** 30, of: 'characters of a recording that has no heads of members' },
  eventMembers: { value: 2000, of: 'members that are opened for their events when a recording is' },
  eventText: { value: 2 ** 29, of: 'characters of those members, the newest first' },
  events: { value: 100_000, of: 'events and marks that are taken in, the newest' },
  minuteValues: {
    value: 8_000_000,
    of: 'minutes and values in them (two days of 64 GPUs have five million), the newest',
  },
} as const satisfies Readonly<Record<string, { readonly value: number; readonly of: string }>>;

/** A chain is written whole at least this often: what a broken line hurts. */
export const wholeMs = 60_000;

/**
 * How a writer cuts a recording. A member is written this long after its first line: with the write itself a kill takes less than five
 * seconds, on a machine that is busy too (an hour would be a tenth smaller with 4 s); or when it has grown to so many bytes of lines.
 */
export const cuts = { memberMs: 3000, memberBytes: 256 * 1024, keyframeMs: 300_000 } as const;

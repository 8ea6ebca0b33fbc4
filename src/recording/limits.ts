/** What a reader takes, so that a broken or hostile file costs a sentence and no more. A writer stays far below. */

/** Bytes of a member in the file, and of its text. */
export const memberLimit = 32 * 2 ** 20;
export const memberTextLimit = 64 * 2 ** 20;
/** Characters of one line, and objects and lists in one, and in one another. */
export const lineLimit = 16 * 2 ** 20;
export const lineParts = 1_000_000;
export const lineDepth = 32;
/** Rows of a frame, entries of a list or names of a record. */
export const mostRows = 100_000;
/** Characters of one text. */
export const textLimit = 100_000;
/** Members of one recording: three weeks of them, four seconds each. */
export const mostMembers = 500_000;
/** Files of one recording. */
export const mostParts = 500;
/** What Date can have: 275,760 years. */
export const mostTime = 8.64e15;
/** A chain is written whole at least this often: what a broken line hurts. */
export const wholeMs = 60_000;
/** Characters of a recording that is not in members of ours: three days of a large host. */
export const plainLimit = 2 ** 30;
/** Members that are opened for their events when a recording is: a log full of errors has one in each. */
export const mostEventMembers = 2000;

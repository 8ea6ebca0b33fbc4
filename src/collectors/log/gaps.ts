import { safeText } from '../../model/text.ts';
import type { LogGap, LogLine } from '../../model/samples.ts';

/** Something about the log that is said among its lines. */
export interface Note {
  readonly text: string;
  /** Absent: nothing is missing. */
  readonly gap?: LogGap;
}

/** The next file begins, and the one before was read to its end. */
export const rotated: Note = { text: 'the log was rotated: the next file begins here' };

/** The file was cut, or written anew under the same inode. */
export function truncated(fromOffset: number): Note {
  return {
    text: `the file was truncated or written anew: reading it from its beginning; what it held after byte ${fromOffset} may be lost`,
    gap: { reason: 'truncated', fromOffset },
  };
}

/** The same, and its writer goes on at its old place: before it, the file is empty now. */
export function hollow(fromOffset: number): Note {
  return {
    text: `the file was truncated while its writer went on: what it held after byte ${fromOffset} may be lost`,
    gap: { reason: 'truncated', fromOffset },
  };
}

/** The file cannot be found, or not be read, any more. */
export function lost(fromOffset: number): Note {
  return {
    text: `the file that was read up to byte ${fromOffset} is gone: what was written to it after that is lost`,
    gap: { reason: 'lost', fromOffset },
  };
}

/** Of the files between two that are there, some are not, or they are not surely the log's. */
export function between(names: readonly string[]): Note {
  const why = names.length === 0 ? '' : ` (${names.map((name) => safeText(name)).join(', ')} may hold them)`;
  return { text: `lines between two rotations are not read${why}`, gap: { reason: 'lost' } };
}

/** Too much to fetch. */
export function skipped(fromOffset: number, bytes: number): Note {
  return {
    text: `too much was written while nothing was read: ${bytes} bytes after byte ${fromOffset} are left out`,
    gap: { reason: 'skipped', fromOffset, bytes },
  };
}

/** Nothing stands at the path any more. */
export function away(path: string, host: string): Note {
  return {
    text: `the log was removed or renamed: what is written to it is still read, another is waited for at ${path} on ${host}`,
  };
}

/** The old file goes on being written, and so does the new one. */
export function leftBehind(): Note {
  return {
    text: 'the old file is still written to, beside the new one: what comes there from now on is not read',
    gap: { reason: 'skipped' },
  };
}

/** Of the files that a pattern names another one is followed in this one's place. */
export function instead(path: string): Note {
  return { text: `${path} is newer, and is followed from here on in the place of the file before` };
}

/** The note as a line of the log. */
export function noteLine({ text, gap }: Note, time: number): LogLine {
  return { text: `-- ${text} --`, time, note: true, ...(gap && { level: 'warning', gap }) };
}

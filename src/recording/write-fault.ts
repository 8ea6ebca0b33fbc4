/** Why nothing can be written: for a notice, and in few words for the header. */
export interface WriteFault {
  readonly short: string;
  /** What was tried, what came back, what to do. */
  readonly text: string;
}

/** Says what the file system answered. `folder` is where the recording was to go; it stands last, where a narrow screen cuts. */
export function writeFault(error: unknown, folder: string): WriteFault {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  const [short, why] = known[code] ?? ['disk error', code === '' ? message : `the system says ${code}`];
  return { short, text: `Nothing is recorded: ${why}. It is tried again by itself, in ${folder}.` };
}

/** The file or its folder was removed by somebody: the data goes nowhere. */
export class RemovedFault extends Error {
  override name = 'RemovedFault';
  readonly code = 'REMOVED';
}

/** The words for what no answer comes of. */
export function slowFault(folder: string): WriteFault {
  return { short: 'disk hangs', text: `The recording waits: the disk does not answer (${folder}).` };
}

/** The words for what came faster than it could be written. */
export function behindFault(folder: string): WriteFault {
  return {
    short: 'disk too slow',
    text: `Nothing is recorded: the disk does not keep up. It goes on when it does, in ${folder}.`,
  };
}

const known: Readonly<Record<string, readonly [short: string, why: string]>> = {
  ENOSPC: ['disk full', 'the disk is full'],
  EDQUOT: ['quota used up', 'your disk quota is used up'],
  EFBIG: ['file too large', 'the file may not grow (ulimit -f)'],
  EROFS: ['read-only disk', 'the file system is read-only'],
  EACCES: ['no permission', 'you may not write there'],
  EPERM: ['no permission', 'you may not write there'],
  EIO: ['disk error', 'the disk reports an error (EIO)'],
  ENOENT: ['no folder', 'the folder is not there and cannot be made'],
  ENOTDIR: ['no folder', 'a part of that path is no folder'],
  ELOOP: ['no folder', 'a link stands in the place of the folder'],
  EEXIST: ['no folder', 'something else stands in the place of the folder'],
  ESTALE: ['disk gone', 'the network file system has forgotten the file'],
  EMFILE: ['too many files', 'too many files are open'],
  REMOVED: ['file removed', 'its file was removed'],
  NOHOME: ['no home', 'there is no home folder (HOME is not set): give --record DIR'],
};

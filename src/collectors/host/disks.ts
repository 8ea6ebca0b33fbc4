import type { DisksSample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Folder } from './folders.ts';

/** What df said of a folder. */
export interface Room {
  readonly mount?: string;
  readonly totalBytes?: number;
  readonly availableBytes?: number;
  readonly totalInodes?: number;
  readonly freeInodes?: number;
}

/** A line of `df -kP` (`k`) or `df -iP` (`i`): what is mounted may have blanks in its name, and so may the place. Undefined where it is none. */
export function readDfLine(option: string, line: string): Room | undefined {
  const [, total = '', , free = '', mount = ''] = / (\d+|-) +(\d+|-) +(-?\d+|-) +(?:\d+%|-) +(\/.*)$/.exec(line) ?? [];
  if (mount === '') return undefined;
  const [all, left] = [Number(total), Math.max(0, Number(free))];
  // btrfs and others count no files: their total is 0.
  if (option === 'i') return { mount: safeText(mount), ...(all > 0 && { totalInodes: all, freeInodes: left }) };
  // A file system without blocks (of /proc, of some FUSE) has no room that could end.
  return { mount: safeText(mount), ...(all > 0 && { totalBytes: all * 1024, availableBytes: left * 1024 }) };
}

/** A row a folder; one that is not known has no values. */
export function disksSample(
  head: Pick<DisksSample, 'host' | 'source' | 'time' | 'receivedAt'>,
  folders: readonly Folder[],
  roomOf: (path: string) => Room | undefined,
): DisksSample {
  const rooms = folders.map(({ path }) => roomOf(path) ?? {});
  return {
    kind: 'disks',
    ...head,
    path: folders.map(({ path }) => safeText(path)),
    use: folders.map(({ use }) => use),
    mount: rooms.map(({ mount }) => mount ?? null),
    totalBytes: rooms.map(({ totalBytes }) => totalBytes ?? null),
    availableBytes: rooms.map(({ availableBytes }) => availableBytes ?? null),
    totalInodes: rooms.map(({ totalInodes }) => totalInodes ?? null),
    freeInodes: rooms.map(({ freeInodes }) => freeInodes ?? null),
  };
}

import type { DisksSample } from '../../model/samples.ts';
import { formatBytesShort, formatPercent } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { fitText } from '../parts/width.ts';
import { flow } from '../parts/table.ts';

/** From here on a file system is shown beside the memory. */
const nearlyFull = 0.9;
const full = 0.97;

interface Room {
  readonly mount: string;
  readonly used: number;
  readonly totalBytes: number;
  /** It runs out of files before it runs out of bytes. */
  readonly isOfFiles: boolean;
}

/** A line with each file system that the run writes to, the fullest first; `isUrgent`: one of them is nearly full. */
export function roomLine(
  disks: DisksSample | undefined,
  width: number,
): { readonly line: Line; readonly isUrgent: boolean } | undefined {
  const rooms = disks ? roomsOf(disks) : [];
  if (rooms.length === 0) return undefined;
  const label: Segment = { text: 'ROOM'.padEnd(6), tone: 'title' };
  const parts = rooms.map(({ mount, used, totalBytes, isOfFiles }): Segment[] => [
    { text: `${fitText(mount, Math.min(24, mount.length))} `, tone: 'dim' },
    { text: formatPercent(used * 100).padStart(4), tone: used >= full ? 'bad' : used >= nearlyFull ? 'warn' : 'plain' },
    { text: isOfFiles ? ' of its files' : ` of ${formatBytesShort(totalBytes)}` },
  ]);
  const [first = [], ...others] = parts;
  return { line: flow([[label, ...first], ...others], width), isUrgent: (rooms[0]?.used ?? 0) >= nearlyFull };
}

function roomsOf({ path, mount, totalBytes, availableBytes, totalInodes, freeInodes }: DisksSample): readonly Room[] {
  const rooms = path.flatMap((_, row): readonly Room[] => {
    const [place, total, available] = [mount[row], totalBytes[row], availableBytes[row]];
    if (place == null || total == null || available == null || total <= 0) return [];
    const bytes = 1 - available / total;
    const [all, free] = [totalInodes[row], freeInodes[row]];
    const files = all == null || free == null || all <= 0 ? 0 : 1 - free / all;
    return [
      {
        mount: place,
        used: Math.max(bytes, files),
        totalBytes: total,
        isOfFiles: files > bytes && files >= nearlyFull,
      },
    ];
  });
  return rooms
    .filter(({ mount: one }, i) => rooms.findIndex((each) => each.mount === one) === i)
    .sort((a, b) => b.used - a.used);
}

import { between, hollow, lost, rotated, skipped, truncated, type Note } from './gaps.ts';
import type { FileFacts, Listing } from './listing.ts';

/** At the first look: this much of the end of the file. */
const attachBytes = 256 * 1024;
/** After a break: at most this much of what was missed. */
const resumeBytes = 4 * 1024 * 1024;
/** Bytes that are compared before the place where reading goes on. */
const compared = 64;

/** Where a reader stands in a file, and how it knows that file again. */
export interface Position {
  readonly inode: string;
  readonly offset: number;
  /** The end of the last line that can be compared, and where it ends in the file. */
  readonly seen?: { readonly text: string; readonly end: number };
  /** What stood beside the file when it was last seen at its path: all older than it, or another's. */
  readonly neighbours: readonly FileFacts[];
  /** The host's clock then. */
  readonly since: number;
}

/** One file to read to its end, or to follow. */
export interface Step {
  readonly follow: boolean;
  readonly file: FileFacts;
  readonly from: number;
  /** `from` is somewhere in a line: the first whole line begins after it. */
  readonly align: boolean;
  /** Said before its lines. */
  readonly notes: readonly Note[];
}

/** The last bytes of the line that was read last; undefined when they cannot be compared. */
export function seenBytes(position: Position | undefined): { readonly end: number; readonly hex: string } | undefined {
  const { seen } = position ?? {};
  // What is no UTF-8 was replaced when it was read.
  if (!seen || seen.text.includes('\ufffd')) return undefined;
  return { end: seen.end, hex: Buffer.from(seen.text).subarray(-compared).toString('hex') };
}

/** What to read next. Empty: there is nothing at the path. */
export function planCourse(position: Position | undefined, listing: Listing): readonly Step[] {
  const { path } = listing;
  if (!position) {
    if (!path) return [];
    const from = Math.max(0, path.size - attachBytes);
    return [{ follow: true, file: path, from, align: from > 0, notes: [] }];
  }
  const own = findOwn(position, listing);
  if (own && own.file.inode === path?.inode) return limit([{ ...own, follow: true }]);
  const { found, gap } = findSuccessors(position, own?.file, listing);
  // Nothing is written at the path yet: whoever writes still has the last file.
  const files = path && (path.size > 0 || !(own ?? found[0])) ? [...found, path] : found;
  const next = (file: FileFacts, first: boolean): Step => ({
    follow: false,
    file,
    from: 0,
    align: false,
    notes: [...(first && !own ? [lost(position.offset)] : []), ...(first && gap ? [gap] : []), rotated],
  });
  const steps = limit([...(own ? [own] : []), ...files.map((file, i) => next(file, i === 0))]);
  return steps.map((step, i) => ({ ...step, follow: i === steps.length - 1 }));
}

/** The file that was read, wherever it is now. */
function findOwn(position: Position, { open, path, files, found, text }: Listing): Step | undefined {
  const isOwn = (file: FileFacts | undefined) => file?.inode === position.inode;
  if (open && isOwn(open)) return goOn(position, isOwn(path) && path ? path : open, false);
  const file = isOwn(path) ? path : (files.find(isOwn) ?? (isOwn(found) ? found : undefined));
  if (!file) return undefined;
  const seen = seenBytes(position);
  const bytes = seen && file.size >= seen.end && text?.inode === position.inode ? text.hex : undefined;
  const differs = bytes !== undefined && bytes !== seen?.hex;
  if (differs && /^(?:00)+$/.test(bytes)) return goOn(position, file, true);
  if (file === path && differs)
    return { follow: false, file, from: 0, align: false, notes: [truncated(position.offset)] };
  if (file === path) return goOn(position, file, false);
  // An inode is used anew at once (ext4), by any file of the folder: only at its own path the log is one that was cut or written anew.
  const isLog = !differs && file.size >= position.offset && (position.offset > 0 || numbers.test(file.ref));
  return isLog ? goOn(position, file, false) : undefined;
}

function goOn({ offset }: Position, file: FileFacts, empty: boolean): Step {
  const cut = file.size < offset;
  const notes = cut ? [truncated(offset)] : empty ? [hollow(offset)] : [];
  return { follow: false, file, from: cut ? 0 : offset, align: false, notes };
}

/**
 * The files that were the log between the one that was read and the one that is: named as rotation names them, not there before, and
 * written to since, the oldest first. Where names and times disagree nothing is sure (a rank's own log is named `log.1` too).
 */
function findSuccessors(position: Position, own: FileFacts | undefined, listing: Listing) {
  const { path, files, more } = listing;
  const known = new Set(position.neighbours.flatMap((file) => identities(file)));
  const fresh = files.filter(
    (file) =>
      file.inode !== own?.inode &&
      file.inode !== path?.inode &&
      (file.changed ?? 0) >= position.since &&
      !identities(file).some((id) => known.has(id)),
  );
  const found = fresh.filter(({ ref }) => numbers.test(ref) && !archives.test(ref)).sort(oldestFirst);
  const packed = fresh.filter(({ ref }) => archives.test(ref));
  const inOrder = found.every((file, i) => i === 0 || changedAt(found[i - 1]) <= changedAt(file));
  const latest = path && path.size > 0 ? changedAt(path) : Infinity;
  const before = found.every((file) => changedAt(file) <= latest && changedAt(file) >= changedAt(own));
  const count = generation(files.find(({ inode }) => inode === own?.inode)?.ref);
  const complete = count === undefined || count - 1 === found.length;
  if (inOrder && before && complete && packed.length === 0 && !more) return { found };
  const sure = inOrder && before && !more;
  const names = [...(sure ? [] : found), ...packed].map(({ ref }) => ref.slice(ref.lastIndexOf('/') + 1));
  return { found: sure ? found : [], gap: between(names) };
}

/** `log.1`, `log-20261129`, `log.2026-11-29`, `train-2026-11-29.log`. */
const numbers = /[.-]\d[\dT_.:-]*(?:\.[A-Za-z]+)?$/;
const archives = /\.(?:gz|xz|zst|bz2|lz4)$/;

const changedAt = (file: FileFacts | undefined) => file?.changed ?? 0;

/** The 3 of `log.3`. */
function generation(ref: string | undefined): number | undefined {
  const digits = /\.(\d{1,4})$/.exec(ref ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `log.2` is older than `log.1`; dates tell it by themselves. */
function oldestFirst(a: FileFacts, b: FileFacts): number {
  const [left, right] = [generation(a.ref), generation(b.ref)];
  if (left !== undefined && right !== undefined) return right - left;
  return changedAt(a) - changedAt(b) || (a.ref < b.ref ? -1 : 1);
}

/** A rename keeps inode and time, a file that is written in place inode and name. */
function identities({ inode, ref, changed }: FileFacts): readonly string[] {
  return [`${inode} ${ref}`, ...(changed === undefined ? [] : [`${inode} at ${changed}`])];
}

/** Leaves out the oldest of what is too much. */
function limit(steps: readonly Step[]): readonly Step[] {
  let left = resumeBytes;
  const limited: Step[] = [];
  for (const step of [...steps].reverse()) {
    const wanted = Math.max(0, step.file.size - step.from);
    const cut = Math.max(0, wanted - left);
    left -= wanted - cut;
    const notes = cut > 0 ? [...step.notes, skipped(step.from, cut)] : step.notes;
    limited.unshift({ ...step, from: step.from + cut, align: step.align || cut > 0, notes });
  }
  return limited;
}

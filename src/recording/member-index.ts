import type { ByteSource } from './byte-source.ts';
import { limits } from './limits.ts';
import { headLength, memberMagic, readHead, type MemberHead } from './member.ts';

/** Where a member is. */
export interface Member extends Required<MemberHead> {
  readonly offset: number;
}

/** The members of a file, found by their heads. */
export interface MemberIndex {
  readonly members: readonly Member[];
  /** Bytes between them that are none. */
  readonly brokenBytes: number;
  /** Bytes behind the last that are no whole member: cut, or still being written. */
  readonly tornBytes: number;
  /** Where the next member will begin. */
  readonly end: number;
}

/** Heads are read in blocks: one of a night has 10,000. */
const blockLength = 1024 * 1024;

/**
 * Hops over the heads. Where there is none, the next that can be one is searched for, byte by byte; so it is behind a head that lies
 * about its length. `from`: where a member begins, or what was torn when it was looked at before. `most`: members that are taken.
 */
export async function indexMembers(
  source: ByteSource,
  { from = 0, most = limits.members.value }: { readonly from?: number; readonly most?: number } = {},
): Promise<MemberIndex | 'too many'> {
  const size = await source.size();
  const members: Member[] = [];
  let brokenBytes = 0;
  let block: Buffer = Buffer.alloc(0);
  let room: Buffer | undefined;
  let blockAt = 0;

  /** At least the bytes of a head, as far as there are. */
  async function bytesAt(offset: number): Promise<Buffer> {
    const isThere = offset >= blockAt && offset + headLength <= blockAt + block.length;
    if (!isThere) {
      const length = Math.max(0, Math.min(blockLength, size - offset));
      // A block of its own each time is more work than the reading.
      room ??= Buffer.allocUnsafe(length);
      block = await source.read(offset, length, room);
      blockAt = offset;
    }
    return block.subarray(offset - blockAt);
  }

  async function findHead(offset: number): Promise<number | undefined> {
    for (let at = offset; at + headLength <= size;) {
      const bytes = await bytesAt(at);
      const found = bytes.indexOf(memberMagic);
      // The magic may lie across the block's end.
      if (found < 0) at += Math.max(1, bytes.length - memberMagic.length + 1);
      else if (found > 0) at += found;
      else if (readHead(bytes)) return at;
      else at++;
    }
    return undefined;
  }

  let offset = from;
  let head = offset < size ? readHead(await bytesAt(offset)) : undefined;
  while (offset < size) {
    if (members.length >= most) return 'too many';
    const end = head ? offset + head.length : 0;
    const follower = head && end < size ? readHead(await bytesAt(end)) : undefined;
    if (head && (follower || end === size)) {
      members.push({ ...head, offset });
      offset = end;
      head = follower;
      continue;
    }
    const next = await findHead(offset + (head ? headLength : 1));
    // It is torn, or there never was one.
    if (next === undefined && !(head && end < size)) break;
    if (head && next !== undefined && next < end) members.push({ ...head, offset, length: next - offset });
    else if (head) {
      members.push({ ...head, offset });
      brokenBytes += (next ?? end) - end;
    } else brokenBytes += (next ?? offset) - offset;
    offset = next ?? end;
    if (next === undefined) break;
    head = readHead(await bytesAt(next));
  }
  return { members, brokenBytes, tornBytes: size - offset, end: offset };
}

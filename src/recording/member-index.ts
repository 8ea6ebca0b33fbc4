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
  /** Where a reader goes on when the file has grown. */
  readonly end: number;
}

/** Heads are read in blocks: one of a night has 10,000. */
const blockLength = 1024 * 1024;

/**
 * Hops over the heads from `start` on. Where there is none, the next that can be one is searched for, byte by byte; so it is behind a
 * head that lies about its length. `most`: members that are still taken.
 */
export async function indexMembers(
  source: ByteSource,
  start = 0,
  most: number = limits.members.value,
): Promise<MemberIndex | 'too many'> {
  const size = await source.size();
  const members: Member[] = [];
  let brokenBytes = 0;
  let block: Buffer = Buffer.alloc(0);
  let blockAt = 0;

  /** At least the bytes of a head, as far as there are. */
  async function bytesAt(offset: number): Promise<Buffer> {
    const isThere = offset >= blockAt && offset + headLength <= blockAt + block.length;
    if (!isThere) {
      block = await source.read(offset, Math.max(0, Math.min(blockLength, size - offset)));
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

  let offset = start;
  while (offset < size) {
    const head = readHead(await bytesAt(offset));
    if (members.length >= most) return 'too many';
    if (!head) {
      const next = await findHead(offset + 1);
      if (next === undefined) break;
      brokenBytes += next - offset;
      offset = next;
      continue;
    }
    const end = offset + head.length;
    if (end === size || (end < size && readHead(await bytesAt(end)))) {
      members.push({ ...head, offset });
      offset = end;
      continue;
    }
    const next = await findHead(offset + headLength);
    if (next === undefined && end > size) break;
    if (next !== undefined && next < end) members.push({ ...head, offset, length: next - offset });
    else {
      members.push({ ...head, offset });
      brokenBytes += (next ?? end) - end;
    }
    offset = next ?? end;
    if (next === undefined) break;
  }
  return { members, brokenBytes, tornBytes: size - offset, end: offset };
}

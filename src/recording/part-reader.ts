import { memorySource, type ByteSource } from './byte-source.ts';
import { limits } from './limits.ts';
import { unpackMember } from './member.ts';
import { indexMembers, type Member, type MemberIndex } from './member-index.ts';
import { RecordingFault } from './recording-fault.ts';
import { repack } from './repack.ts';

/** One file of a recording, open for reading. */
export interface PartReader {
  readonly path: string;
  /** All that were found so far. */
  readonly members: readonly Member[];
  /** There was not a byte in it when it was opened. */
  readonly isEmpty: boolean;
  /** Bytes that are no members, so far as anybody has looked. */
  brokenBytes(): number;
  /** The lines of a member; undefined when they cannot be read, which is counted. */
  lines(member: Member): Promise<readonly string[] | undefined>;
  /** Looks for members that were written since; of those that are known not a byte is read. Gives the new ones. */
  grow(): Promise<readonly Member[]>;
  close(): Promise<void>;
}

/** Finds the members of a file: none in an empty one. Rejects with a RecordingFault when it is something else, and closes it then. */
export async function openPartReader(path: string, source: ByteSource): Promise<PartReader> {
  try {
    return await readerOf(path, source);
  } catch (error) {
    await source.close();
    if (error instanceof RecordingFault) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new RecordingFault(`${path} cannot be read as a recording (${why}).`);
  }
}

async function readerOf(path: string, file: ByteSource): Promise<PartReader> {
  let source = file;
  /** What was packed anew is as it was then. */
  let grows = true;
  const isEmpty = (await source.size()) === 0;
  let { brokenBytes, tornBytes, end, members: found } = await look();
  if (found.length === 0 && tornBytes > 0) {
    const start = await source.read(0, 2);
    const isGzip = start.equals(Buffer.from([0x1f, 0x8b]));
    if (isGzip || start[0] === 0x7b) {
      const packed = memorySource(await repack({ path, source, isGzip }));
      const { close } = source;
      source = { ...packed, close };
      grows = false;
      ({ brokenBytes, tornBytes, end, members: found } = await look());
    }
  }
  const members = [...found];
  const unreadable = new Map<number, number>();

  async function look(from = 0): Promise<MemberIndex> {
    const index = await indexMembers(source, { from });
    if (index !== 'too many') return index;
    throw new RecordingFault(`${path} has more than ${limits.members.value} members: no recording of traintop does.`);
  }

  return {
    ...{ path, members, isEmpty },
    brokenBytes: () => [...unreadable.values()].reduce((sum, length) => sum + length, brokenBytes + tornBytes),
    async lines({ offset, length }) {
      try {
        return unpackMember(await source.read(offset, length));
      } catch {
        unreadable.set(offset, length);
        return undefined;
      }
    },
    async grow() {
      if (!grows || (await source.size()) <= end) return [];
      const more = await look(end);
      brokenBytes += more.brokenBytes;
      ({ tornBytes, end } = more);
      members.push(...more.members);
      return more.members;
    },
    close: () => source.close(),
  };
}

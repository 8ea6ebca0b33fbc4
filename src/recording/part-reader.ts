import type { FileHandle } from 'node:fs/promises';
import { fileSource, memorySource, type ByteSource } from './byte-source.ts';
import { openPart } from './find-parts.ts';
import { limits } from './limits.ts';
import { unpackMember } from './member.ts';
import { indexMembers, type Member, type MemberIndex } from './member-index.ts';
import { RecordingFault } from './recording-fault.ts';
import { repack } from './repack.ts';

/** One file of a recording, open for reading. */
export interface PartReader {
  readonly path: string;
  readonly members: readonly Member[];
  /** There was not a byte in it when it was opened. */
  readonly isEmpty: boolean;
  /** Bytes that are no members, so far as anybody has looked. */
  brokenBytes(): number;
  /** The lines of a member; undefined when they cannot be read, which is counted. */
  lines(member: Member): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

/** Opens a file and finds its members: none in an empty one. Rejects with a RecordingFault when it is something else. */
export async function openPartReader(path: string): Promise<PartReader> {
  const file = await openPart(path);
  try {
    return await readerOf(path, file);
  } catch (error) {
    await file.close();
    if (error instanceof RecordingFault) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new RecordingFault(`${path} cannot be read as a recording (${why}).`);
  }
}

async function readerOf(path: string, file: FileHandle): Promise<PartReader> {
  let source: ByteSource = fileSource(file);
  const isEmpty = (await source.size()) === 0;
  let index = await look();
  if (index.members.length === 0 && index.tornBytes > 0) {
    const start = await source.read(0, 2);
    const isGzip = start.equals(Buffer.from([0x1f, 0x8b]));
    if (isGzip || start[0] === 0x7b) {
      const packed = memorySource(await repack({ path, file, isGzip }));
      const { close } = source;
      source = { ...packed, close };
      index = await look();
    }
  }
  const { members, brokenBytes, tornBytes } = index;
  const unreadable = new Map<number, number>();

  async function look(): Promise<MemberIndex> {
    const found = await indexMembers(source);
    if (found !== 'too many') return found;
    throw new RecordingFault(`${path} has more than ${limits.members.value} members: no recording of traintop does.`);
  }

  return {
    path,
    members,
    isEmpty,
    brokenBytes: () => [...unreadable.values()].reduce((sum, length) => sum + length, brokenBytes + tornBytes),
    async lines({ offset, length }) {
      try {
        return unpackMember(await source.read(offset, length));
      } catch {
        unreadable.set(offset, length);
        return undefined;
      }
    },
    close: () => source.close(),
  };
}

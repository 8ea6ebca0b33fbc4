import type { FileHandle } from 'node:fs/promises';

/** Bytes that are read here and there. */
export interface ByteSource {
  /** How many there are now: a file may grow. */
  size(): Promise<number>;
  /** As many as there are, at most `length`; they may be put into `room`, if that is large enough. */
  read(offset: number, length: number, room?: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

/** The files of one recording, wherever they lie. */
export interface RecordingFiles {
  /** As sentences name it. */
  readonly path: string;
  /** Their names, in order, as sentences have them; more may come while it is written. Rejects with a RecordingFault. */
  list(): Promise<readonly string[]>;
  /** One of them. Rejects with a RecordingFault. */
  open(name: string): Promise<ByteSource>;
  /** Whether somebody writes there now. Absent: nobody can tell, and nobody is waited for. */
  readonly isWritten?: () => Promise<boolean>;
}

/** All of it, from its beginning on. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const chunk = await source.read(at, chunkLength);
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}

const chunkLength = 256 * 1024;

/** Of a file, which is closed with it. */
export function fileSource(file: FileHandle): ByteSource {
  return {
    size: async () => (await file.stat()).size,
    async read(offset, length, room) {
      const bytes = room && room.length >= length ? room : Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    },
    close: () => file.close(),
  };
}

/** Of what is in memory. */
export function memorySource(bytes: Buffer): ByteSource {
  return {
    size: async () => bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => {},
  };
}

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createLineSplitter, type Line } from '../collectors/lines.ts';
import { safeText } from '../model/text.ts';
import type { Rejected } from './files.ts';
import { ImportFault } from './fault.ts';

/** A text file that may be gzip, read line by line with little memory, as often as it is asked for. */
export interface LineFile {
  /** Some lines at a time. */
  lines(): AsyncGenerator<readonly Line[]>;
  /** Why the last reading ended before the file's end: one sentence. */
  fault(): string | undefined;
}

interface Init {
  readonly path: string;
  readonly name: string;
  /** Progress bars that redraw themselves are lines too. */
  readonly splitCarriageReturns?: boolean;
  /** Nobody wants the rest any more. */
  readonly signal?: AbortSignal | undefined;
  /** Reads its bytes: from the disk, unless a test knows better. */
  readonly read?: (path: string) => Readable;
}

/** The file at `path`; that it can be read is not known yet. */
export function openLines({
  path,
  name,
  splitCarriageReturns = false,
  signal,
  read = createReadStream,
}: Init): LineFile {
  let fault: string | undefined;
  return {
    fault: () => fault,
    async *lines() {
      fault = undefined;
      const splitter = createLineSplitter(splitCarriageReturns);
      const isGzip = await startsAsGzip(path, name);
      const file = read(path);
      // The one ends with the other, whichever fails: the loop below hears of it.
      const bytes = isGzip ? pipeline(file, createGunzip(), () => {}) : file;
      try {
        for await (const chunk of bytes) {
          signal?.throwIfAborted();
          const lines = splitter.push(chunk as Buffer);
          if (lines.length > 0) yield lines;
        }
      } catch (error) {
        if (signal?.aborted) throw error;
        const { code } = error as NodeJS.ErrnoException;
        if (!code?.startsWith('Z_')) throw new ImportFault(`${name} cannot be read (${messageOf(error)}).`);
        fault = `its gzip data is cut or broken (${messageOf(error)}): what came before that was read`;
      } finally {
        file.destroy();
        bytes.destroy();
      }
      const text = splitter.rest();
      if (text !== '') yield [{ text, bytes: Buffer.byteLength(text) }];
    },
  };
}

/** The first lines of a file, of this many characters at most, to see what it is. */
export async function readHead(file: LineFile, characters: number): Promise<string> {
  let head = '';
  for await (const lines of file.lines()) {
    for (const { text } of lines) head += `${text}\n`;
    if (head.length >= characters) break;
  }
  return head.slice(0, characters);
}

/** Takes a line that nobody could read to the account. */
export function reject(rejected: Rejected, line: number, text: string): void {
  rejected.count++;
  rejected.first ??= { line, text: safeText(text.slice(0, 80)) };
}

async function startsAsGzip(path: string, name: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ImportFault(`${name} cannot be read (${messageOf(error)}).`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

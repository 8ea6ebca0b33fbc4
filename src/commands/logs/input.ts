import { open, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { UsageFault } from '../../config/check-options.ts';
import { safeText } from '../../model/text.ts';

/** The bytes of a log. */
export interface LogInput {
  /** Throws a UsageFault where it cannot be read on. */
  readonly chunks: AsyncIterable<Buffer>;
  /** It comes as somebody writes it: a silence says that a record is whole. */
  readonly isLive: boolean;
}

/** Opens a file, also one that is packed by gzip, a pipe, or standard input. Rejects with a UsageFault. */
export async function openLog(path: string): Promise<LogInput> {
  let isLive = path === '-';
  let stream: AsyncIterable<Buffer> = process.stdin;
  const name = path === '-' ? 'standard input' : safeText(path);
  if (path !== '-') {
    const failed = (error: NodeJS.ErrnoException) => {
      throw new UsageFault(
        error.code === 'ENOENT'
          ? `There is no ${name}; give the path of a log, or - for standard input.`
          : `${name} cannot be read: ${error.message}.`,
      );
    };
    const about = await stat(path).catch(failed);
    isLive = !about.isFile();
    if (about.isDirectory()) throw new UsageFault(`${name} is a folder; give a file in it.`);
    if (about.isCharacterDevice() || about.isBlockDevice())
      throw new UsageFault(`${name} is a device; give a file, or - for standard input.`);
    stream = (await open(path).catch(failed)).createReadStream();
  }
  return { chunks: chunksOf(stream, name), isLive };
}

async function* chunksOf(stream: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  try {
    const iterator = stream[Symbol.asyncIterator]();
    const first = await iterator.next();
    if (first.done) return;
    const rest = (async function* () {
      yield first.value;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    })();
    const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
    if (!isPacked) return yield* rest;
    // Of a file that is cut, what is there.
    const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    let end = Buffer.alloc(0);
    let size = 0;
    const packed = async function* () {
      for await (const chunk of rest) {
        end = Buffer.concat([end, chunk.subarray(-4)]).subarray(-4);
        yield chunk;
      }
    };
    for await (const chunk of pipeline(Readable.from(packed()), gunzip, () => {}) as AsyncIterable<Buffer>) {
      size += chunk.length;
      yield chunk;
    }
    // It ends with the size of what was packed last: of a part or of all.
    if (end.length < 4 || (size < 2 ** 32 && end.readUInt32LE() > size)) throw new Error('it is cut short');
  } catch (error) {
    throw new UsageFault(`${name} was read to where it could not be read further: ${(error as Error).message}.`);
  }
}

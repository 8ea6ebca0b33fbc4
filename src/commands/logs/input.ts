import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
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
  const name = path === '-' ? 'standard input' : safeText(path);
  if (path !== '-') {
    const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new UsageFault(
        error.code === 'ENOENT'
          ? `There is no ${name}; give the path of a log, or - for standard input.`
          : `${name} cannot be read: ${error.message}.`,
      );
    });
    isLive = !about.isFile();
    if (about.isDirectory()) throw new UsageFault(`${name} is a folder; give a file in it.`);
    if (about.isCharacterDevice() || about.isBlockDevice())
      throw new UsageFault(`${name} is a device; give a file, or - for standard input.`);
  }
  return { chunks: chunksOf(path === '-' ? process.stdin : createReadStream(path), name), isLive };
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
    yield* pipeline(Readable.from(rest), gunzip, () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UsageFault(`${name} was read to where it could not be read further: ${(error as Error).message}.`);
  }
}

import { RecordingFault } from '../recording/recording-fault.ts';
import type { RecordingFiles } from '../recording/byte-source.ts';
import type { Follower } from './follower.ts';
import { mostRead } from './protocol.ts';

/** The recording that a watch makes, read through it. */
export function remoteFiles({ ask, about, header }: Pick<Follower, 'ask' | 'about' | 'header'>): RecordingFiles {
  const path = () => about()?.folder ?? `the recording of the watch ${header().name}`;
  const asked = async (body: Parameters<Follower['ask']>[0]) => {
    try {
      return (await ask(body)).value;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new RecordingFault(`${path()} could not be read: ${words.replace(/\.$/, '')}.`);
    }
  };
  const odd = () => new RecordingFault(`${path()} could not be read: the watch answered something else.`);

  return {
    get path() {
      return path();
    },
    async list() {
      const value = await asked({ ask: 'files' });
      if (!Array.isArray(value) || value.length > 1000) throw odd();
      return value.filter((name): name is string => typeof name === 'string' && name.length < 256);
    },
    open: async (file) => ({
      async size() {
        const value = await asked({ ask: 'size', file });
        if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw odd();
        return value;
      },
      async read(offset, length, room) {
        const parts: Buffer[] = [];
        for (let at = 0; at < length;) {
          const piece = Math.min(mostRead, length - at);
          const value = await asked({ ask: 'read', file, offset: offset + at, length: piece });
          if (typeof value !== 'string') throw odd();
          const bytes = Buffer.from(value, 'base64').subarray(0, piece);
          parts.push(bytes);
          at += bytes.length;
          if (bytes.length < piece) break;
        }
        const all = Buffer.concat(parts);
        if (!room || room.length < all.length) return all;
        all.copy(room);
        return room.subarray(0, all.length);
      },
      close: async () => {},
    }),
    // While it is heard; what it wrote last is asked for then.
    isWritten: async () => true,
  };
}

import type { Duplex } from 'node:stream';
import type { Channel } from '../collectors/transport/transport.ts';

/** The way to a watch: its socket, here or over SSH, or a program there that stands between. */
export interface Wire {
  write(text: string): void;
  onData(fn: (chunk: Buffer) => void): void;
  /** Called once, with what was said on the side, if anything was. */
  onEnd(fn: (words: string) => void): void;
  close(): void;
}

/** A socket, or ssh2's channel to one. */
export function wireOfStream(stream: Duplex): Wire {
  stream.on('error', () => {}); // `close` tells
  return {
    write(text) {
      if (stream.writable) stream.write(text);
    },
    onData: (fn) => void stream.on('data', fn),
    onEnd(fn) {
      let isOver = false;
      const end = () => {
        if (!isOver) fn('');
        isOver = true;
      };
      // ssh2's channel to a host that is gone never closes, but ends.
      stream.once('end', end);
      stream.once('close', end);
    },
    close: () => void stream.destroy(),
  };
}

const mostWords = 2000;

/** A program's standard input and output. */
export function wireOfChannel(channel: Channel): Wire {
  let words = '';
  channel.onErrorOutput((chunk) => (words = (words + chunk.toString('utf8')).slice(-mostWords)));
  return {
    write: (text) => channel.write(text),
    onData: (fn) => channel.onOutput(fn),
    onEnd: (fn) => void channel.exit.then(() => fn(words)),
    close: () => channel.end(),
  };
}

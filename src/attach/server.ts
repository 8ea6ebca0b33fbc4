import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { SavedState } from '../model/saved-state.ts';
import type { Sample } from '../model/samples.ts';
import { createAnswers, type WatchHands } from './answers.ts';
import { createFeed, type Feed } from './feed.ts';
import { createBoundedLines } from './lines.ts';
import { lineLimits, readAsk, writeMessage, type WatchHeader, type WatchNews } from './protocol.ts';

/** The socket at which screens attach to a watch. */
export interface AttachServer {
  /** Tells all of them of a Sample that the store has taken in. */
  sample(sample: Sample): void;
  /** How many there are. */
  count(): number;
  /** Says why it ends, and closes. */
  close(reason: string): Promise<void>;
}

interface Init {
  /** In a folder that is the user's alone: who can open it may do all that the user may. */
  readonly path: string;
  /** Of this machine, for waiting; the watch's own may be a played one. */
  readonly clock: Clock;
  readonly header: () => WatchHeader;
  readonly about: () => WatchNews;
  readonly save: () => SavedState;
  readonly hands: WatchHands;
  readonly limits?: Parameters<typeof createFeed>[0]['limits'];
}

const mostScreens = 16;
/** Questions of one screen that are not answered yet: it is not read on meanwhile. */
const mostAsks = 64;
const aboutEveryMs = 1000;
/** A screen that reads nothing does not keep the watch from ending. */
const goodbyeMs = 500;

/** Listens; what a watch that was killed left there is replaced. Rejects with the system's errors. */
export async function listenForScreens(init: Init): Promise<AttachServer> {
  const screens = new Map<Socket, Feed>();
  const server = createServer((socket) => attach(socket));
  await rm(init.path, { force: true });
  await listen(server, init.path);
  await chmod(init.path, 0o600).catch(() => {});
  server.on('error', () => {}); // no file descriptor left for one more screen
  const stopAbout = init.clock.every(aboutEveryMs, () => {
    for (const feed of screens.values()) feed.message({ attach: 'about', about: init.about() });
  });

  function attach(socket: Socket) {
    socket.on('error', () => {}); // `close` tells
    if (screens.size >= mostScreens) return dismiss(socket, `${mostScreens} screens are attached to it already.`);
    socket.write(`${writeMessage({ attach: 'watch', header: init.header() })}\n`);
    socket.write(`${writeMessage({ attach: 'about', about: init.about() })}\n`);
    const feed = createFeed({
      ...{ socket, clock: init.clock, save: init.save, onStuck: () => socket.destroy() },
      ...(init.limits && { limits: init.limits }),
    });
    screens.set(socket, feed);
    socket.once('close', () => {
      screens.delete(socket);
      feed.stop();
    });
    readAsks(socket, feed);
  }

  function readAsks(socket: Socket, feed: Feed) {
    const lines = createBoundedLines(lineLimits.fromScreen);
    const answer = createAnswers({ hands: init.hands, say: feed.message, room: feed.room });
    let asks = 0;
    const onData = (chunk: Buffer) => {
      for (const line of lines.push(chunk) ?? [undefined]) {
        const ask = line === undefined ? undefined : readAsk(line);
        if (!ask) {
          socket.off('data', onData);
          feed.stop();
          return dismiss(socket, 'It was asked for something that it does not know.');
        }
        if (++asks >= mostAsks) socket.pause();
        void answer(ask).finally(() => {
          if (--asks < mostAsks) socket.resume();
        });
      }
    };
    socket.on('data', onData);
  }

  return {
    sample(sample) {
      for (const feed of screens.values()) feed.sample(sample);
    },
    count: () => screens.size,
    async close(reason) {
      stopAbout();
      const gone = new Promise((resolve) => server.close(resolve));
      for (const [socket, feed] of screens) {
        feed.stop();
        dismiss(socket, reason);
      }
      const cancel = init.clock.after(goodbyeMs, () => screens.forEach((_, socket) => socket.destroy()));
      await gone;
      cancel();
      await rm(init.path, { force: true });
    },
  };

  function dismiss(socket: Socket, reason: string) {
    socket.end(`${writeMessage({ attach: 'end', reason })}\n`);
    const cancel = init.clock.after(goodbyeMs, () => socket.destroy());
    socket.once('close', cancel);
    socket.resume();
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

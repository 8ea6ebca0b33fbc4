import { connect, createServer, type Socket } from 'node:net';

/** A TCP relay on loopback that can do to a link what networks do. */
export interface Relay {
  readonly port: number;
  /** Passes nothing on any more, and tells neither side: a pulled cable. */
  freeze(): void;
  /** Goes on after `freeze`; what came meanwhile is passed on. */
  thaw(): void;
  /** Resets both sides; new connections are taken. */
  cut(): void;
  /** What was passed on so far, to the server and from it. */
  bytes(): { readonly up: number; readonly down: number };
  close(): Promise<void>;
}

/** Starts a relay to a port, of 127.0.0.1 or `host`. `delayMs`: added to each chunk, each way. */
export async function createRelay(
  to: number,
  { delayMs = 0, host = '127.0.0.1' }: { readonly delayMs?: number; readonly host?: string } = {},
): Promise<Relay> {
  const sockets = new Set<Socket>();
  const passed = { up: 0, down: 0 };
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(to, host);
    for (const [socket, other, way] of [
      [near, far, 'up'],
      [far, near, 'down'],
    ] as const) {
      sockets.add(socket);
      if (frozen) socket.pause();
      socket.on('data', (chunk) => {
        passed[way] += chunk.length;
        later(delayMs, () => other.write(chunk));
      });
      socket.on('end', () => void later(delayMs, () => other.end()));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        if (!frozen) later(delayMs, () => other.destroySoon());
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the relay has no port');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    bytes: () => ({ ...passed }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

function later(ms: number, fn: () => void) {
  if (ms === 0) fn();
  else setTimeout(fn, ms);
}

/** Whether someone listens on a port of 127.0.0.1. */
export async function portIsOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import ssh2, { type ServerChannel } from 'ssh2';
import type { Clock } from '../clock.ts';
import type { DemoThread } from './cast.ts';
import { onDrops } from './drops.ts';
import { createMachine } from './machine.ts';
import type { Scenario } from './scenario.ts';
import { createDemoShell } from './shell.ts';

/** An SSH server on loopback that plays the demo host, with keys made for it alone. */
export interface DemoServer {
  readonly port: number;
  readonly user: string;
  /** The only key that may log in, as OpenSSH private key text. */
  readonly clientKey: string;
  /** The server's public key, as in known_hosts: type and base64. */
  readonly hostKey: string;
  close(): Promise<void>;
}

interface DemoServerOptions {
  readonly clock: Clock;
  /** Decides the figures. */
  readonly seed?: number;
  /** What happens there; absent: nothing. */
  readonly scenario?: Scenario;
  /** Instead of the cast's own: the bench has more. */
  readonly threads?: readonly DemoThread[];
}

/** What the figures come from where no other seed is asked for. */
export const demoSeed = 27;

/** Starts the demo host. */
export async function startDemoServer({ clock, seed = demoSeed, ...more }: DemoServerOptions): Promise<DemoServer> {
  const host = makeKeys();
  const client = makeKeys();
  const machine = createMachine({ seed, startedAt: clock.now(), ...more });
  const user = `demo-${randomUUID().slice(0, 8)}`;
  const allowed = ssh2.utils.parseKey(client.public);
  if (allowed instanceof Error) throw allowed;
  let shells = 0;

  const server = new ssh2.Server({ hostKeys: [host.private] }, (connection) => {
    connection.on('error', () => {}); // the monitor left
    connection.on('authentication', (request) => {
      const right =
        request.method === 'publickey' && request.username === user && request.key.data.equals(allowed.getPublicSSH());
      if (!right || request.method !== 'publickey') return request.reject(['publickey']);
      if (request.signature && !allowed.verify(request.blob as Buffer, request.signature, request.hashAlgo)) {
        return request.reject(['publickey']);
      }
      request.accept();
    });
    connection.on('session', (accept) => {
      accept().on('exec', (acceptExec, reject, { command }) => {
        // Any wrapper is taken: what matters is that a shell reads its script from standard input.
        if (!/(^| )sh -s$/.test(command)) return reject();
        serve(acceptExec(), { machine, clock, shellPid: 9000 + shells++ });
      });
    });
  });
  // Sockets are taken here, so that they can break.
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    if (!machine.isLinkUp(machine.uptime(clock.now()))) return void socket.resetAndDestroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  const cancelDrops = onDrops(machine, clock, () => sockets.forEach((socket) => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    user,
    clientKey: client.private,
    hostKey: host.public.split(' ').slice(0, 2).join(' '),
    close() {
      cancelDrops();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}

/**
 * A key pair that can be read back: ssh2 1.17.0 takes the leading zeros off a new ed25519 key (lib/keygen.js), so one of 256 is
 * malformed.
 */
export function makeKeys(generate = () => ssh2.utils.generateKeyPairSync('ed25519')): {
  readonly private: string;
  readonly public: string;
} {
  for (;;) {
    const keys = generate();
    if (!(ssh2.utils.parseKey(keys.private) instanceof Error)) return keys;
  }
}

type Place = Pick<Parameters<typeof createDemoShell>[0], 'machine' | 'clock' | 'shellPid'>;

function serve(channel: ServerChannel, place: Place) {
  const decoder = new StringDecoder('utf8');
  const shell = createDemoShell({
    ...place,
    output: (text) => void channel.write(text),
    errorOutput: (text) => void channel.stderr.write(text),
    exit(code) {
      channel.exit(code);
      channel.end();
    },
  });
  channel.on('data', (chunk: Buffer) => shell.input(decoder.write(chunk)));
  channel.on('end', () => shell.end());
  channel.on('close', () => shell.end());
  channel.on('error', () => shell.end());
}

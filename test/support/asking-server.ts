import type { AddressInfo } from 'node:net';
import ssh2, { type AuthContext, type Connection } from 'ssh2';

/** What a server asks in one round of keyboard-interactive. */
export interface Round {
  readonly name?: string;
  readonly instructions?: string;
  readonly prompts: readonly { readonly prompt: string; readonly echo?: boolean }[];
}

/** An SSH server of our own, for what sshd with PAM does not do: several prompts at once, and text meant to do harm. */
export interface AskingServer {
  readonly port: number;
  /** For known_hosts. */
  readonly hostKeyLine: string;
  /** The answers to each round. */
  readonly answers: string[][];
  stop(): Promise<void>;
}

interface Options {
  /** The n-th round from 0; undefined lets the user in. */
  readonly round?: (n: number) => Round | undefined;
  /** Takes a password, and then wants a new one. */
  readonly wantsNewPassword?: boolean;
}

/** Starts it on a free port of 127.0.0.1. Who is let in finds no shell there. */
export async function startAskingServer({ round, wantsNewPassword = false }: Options): Promise<AskingServer> {
  const key = ssh2.utils.generateKeyPairSync('ed25519');
  const answers: string[][] = [];
  const open = new Set<Connection>();
  const methods = [
    ...(round ? ['keyboard-interactive' as const] : []),
    ...(wantsNewPassword ? ['password' as const] : []),
  ];

  const server = new ssh2.Server({ hostKeys: [key.private] }, (connection) => {
    open.add(connection);
    connection.on('error', () => {}); // the client left
    connection.on('close', () => open.delete(connection));
    connection.on('authentication', (request) => take(request));
  });

  function take(request: AuthContext) {
    if (request.method === 'password' && wantsNewPassword) return request.requestChange('New one:', () => {});
    if (request.method !== 'keyboard-interactive' || !round) return request.reject(methods);
    let rounds = 0;
    const ask = () => {
      const now = round(rounds++);
      if (!now) return request.accept();
      const prompts = now.prompts.map(({ prompt, echo = false }) => ({ prompt, echo }));
      request.prompt(prompts, now.name ?? '', now.instructions ?? '', (given) => {
        answers.push([...given]);
        ask();
      });
    };
    ask();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hostKeyLine: `[127.0.0.1]:${port} ${key.public.split(' ').slice(0, 2).join(' ')}`,
    answers,
    async stop() {
      for (const connection of open) connection.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

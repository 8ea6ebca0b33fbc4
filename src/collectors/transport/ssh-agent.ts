import ssh2, { type BaseAgent, type IdentityCallback, type ParsedKey, type SignCallback } from 'ssh2';

/** Gives the keys that the agent behind a socket holds. Rejects when no agent answers there before it is `over`. */
export async function listAgentKeys(socket: string, over: AbortSignal): Promise<readonly ParsedKey[]> {
  const agent = createAgent(socket, over);
  return new Promise((resolve, reject) => {
    agent.getIdentities((error, keys) => {
      if (error) reject(error);
      else resolve((keys ?? []).flatMap((key) => parsed(key)));
    });
  });
}

/** Keys of kinds that ssh2 1.17 does not know (tokens, certificates) are left out. */
function parsed(key: unknown): ParsedKey[] {
  const result: ParsedKey | Error = ssh2.utils.parseKey(key as ParsedKey);
  return result instanceof Error ? [] : [result];
}

/** What signs when the server takes the key. */
type Signer = (data: Buffer, hash: string | undefined) => Promise<Buffer>;

/** An agent that shows one key only, so each key is an attempt of its own, in our order. It signs only for a server that takes it. */
export class SingleKeyAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #key: ParsedKey;
  readonly #signer: Signer;
  /** The server took the key. */
  hasSigned = false;

  constructor(key: ParsedKey, signer: Signer) {
    super();
    this.#key = key;
    this.#signer = signer;
  }

  override getIdentities(done: IdentityCallback<ParsedKey>) {
    done(undefined, [this.#key]);
  }

  override sign(_key: ParsedKey, data: Buffer, ...rest: unknown[]) {
    const done = rest.at(-1) as SignCallback;
    const { hash } = (rest.length > 1 ? rest[0] : {}) as { hash?: string };
    this.#signer(data, hash).then(
      (signature) => {
        this.hasSigned = true;
        done(undefined, signature);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

/** Signs with a key that the agent behind a socket holds, before it is `over`. */
export function signerOfAgent(socket: string, key: ParsedKey, over: AbortSignal): Signer {
  const agent = createAgent(socket, over);
  const sign = agent.sign.bind(agent) as (key: ParsedKey, data: Buffer, options: object, done: SignCallback) => void;
  return (data, hash) =>
    new Promise((resolve, reject) => {
      sign(key, data, hash === undefined ? {} : { hash }, (error, signature) => {
        if (error || !signature) reject(error ?? new Error('no signature'));
        else resolve(signature);
      });
    });
}

/** One whose socket is closed when it is `over`: behind a forwarded one may be a frozen machine, and it would keep our process alive. */
function createAgent(socket: string, over: AbortSignal): BaseAgent {
  const agent = ssh2.createAgent(socket);
  const connect = agent.getStream?.bind(agent);
  agent.getStream = (done) =>
    connect?.((error, stream) => {
      const end = () => void stream?.destroy();
      if (over.aborted) end();
      over.addEventListener('abort', end);
      stream?.once('close', () => over.removeEventListener('abort', end));
      done(error, stream);
    });
  return agent;
}

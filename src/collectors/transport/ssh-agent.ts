import ssh2, { type BaseAgent, type IdentityCallback, type ParsedKey } from 'ssh2';

/** Gives the keys that the agent behind a socket holds. Rejects when no agent answers there. */
export async function listAgentKeys(socket: string): Promise<readonly ParsedKey[]> {
  const agent = ssh2.createAgent(socket);
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

/** An agent that shows one key only and signs with the real one: so each key is an attempt of its own, in our order. */
export class SingleKeyAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #key: ParsedKey;
  readonly #agent: BaseAgent;

  constructor(socket: string, key: ParsedKey) {
    super();
    this.#key = key;
    this.#agent = ssh2.createAgent(socket);
  }

  override getIdentities(done: IdentityCallback<ParsedKey>) {
    done(undefined, [this.#key]);
  }

  override sign(...args: unknown[]) {
    (this.#agent.sign as (...args: unknown[]) => void)(...args);
  }
}

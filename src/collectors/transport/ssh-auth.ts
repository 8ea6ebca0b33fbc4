import { homedir } from 'node:os';
import type { AnyAuthMethod, ParsedKey } from 'ssh2';
import type { ResolvedTarget } from '../../config/ssh-config.ts';
import { safeText } from '../../model/text.ts';
import type { AskSecrets } from './asks.ts';
import { defaultKeyFiles, readKeyFile, type KeyFile } from './key-files.ts';
import { listAgentKeys, SingleKeyAgent } from './ssh-agent.ts';

/** The attempts to log in on one connection. */
export interface Login {
  /** The next attempt; false when there are no more. `methods`: what the server takes, once it has said so. */
  next(methods: readonly string[] | null): Promise<AnyAuthMethod | false>;
  /** All attempts were made. */
  readonly exhausted: boolean;
  /** For the sentence of a refused login: what was tried, what could not be, what the server takes. */
  tried(): string;
}

interface Init {
  readonly target: ResolvedTarget;
  /** Instead of the configured or default key files. */
  readonly identityFiles?: readonly string[] | undefined;
  readonly privateKey?: string | undefined;
  /** Absent: there is no terminal to ask on. */
  readonly askSecrets?: AskSecrets | undefined;
}

interface Attempt {
  /** For the sentence; undefined = not worth a word. */
  readonly label?: string;
  readonly method: AnyAuthMethod;
}

/** Creates the attempts in OpenSSH's order: keys of the agent (configured ones first), then key files. */
export function createLogin({ target, identityFiles, privateKey }: Init): Login {
  const labels: string[] = [];
  const notes: string[] = [];
  let offered: readonly string[] = [];
  let exhausted = false;
  const attempts = listAttempts();

  // A generator, so that attempts which ask the user (a passphrase, a password) can follow when their turn comes.
  async function* listAttempts(): AsyncGenerator<Attempt> {
    // The server answers with what it takes; some (Tailscale SSH) let us in at once.
    yield { method: { type: 'none', username: target.user } };
    if (offered.length === 0 || offered.includes('publickey')) yield* keyAttempts();
    else notes.push('traintop logs in by key or agent only, so far');
  }

  async function* keyAttempts(): AsyncGenerator<Attempt> {
    if (privateKey !== undefined) {
      yield { label: 'the given key', method: { type: 'publickey', username: target.user, key: privateKey } };
    }
    const paths = identityFiles ?? target.identityFiles;
    const files = (paths ?? defaultKeyFiles()).map(readKeyFile);
    const configured = paths !== undefined;
    const agentKeys = orderAgentKeys({ keys: await askAgent(), files, only: target.identitiesOnly && configured });
    for (const key of agentKeys) yield agentAttempt(key);
    const held = (file: KeyFile) => agentKeys.some((key) => file.publicKey?.equals(key.getPublicSSH()));
    for (const file of files.filter((one) => !held(one))) {
      if (file.state === 'usable') {
        const method: AnyAuthMethod = { type: 'publickey', username: target.user, key: file.key };
        yield { label: homePath(file.path), method };
      } else noteUnusable(file, configured);
    }
  }

  async function askAgent(): Promise<readonly ParsedKey[]> {
    if (target.agentSocket === undefined) return [];
    try {
      return await listAgentKeys(target.agentSocket);
    } catch {
      notes.push(`no agent answers on ${target.agentSocket}`);
      return [];
    }
  }

  function agentAttempt(key: ParsedKey): Attempt {
    const label = `the agent's key ${safeText(key.comment || key.type)}`;
    const agent = new SingleKeyAgent(target.agentSocket ?? '', key);
    return { label, method: { type: 'agent', username: target.user, agent } };
  }

  function noteUnusable(file: KeyFile, configured: boolean) {
    const path = homePath(file.path);
    if (file.state === 'encrypted') notes.push(`${path} is encrypted and no agent holds it: run ssh-add ${path}`);
    if (file.state === 'unreadable') notes.push(`${path} cannot be read (${safeText(file.reason)})`);
    if (file.state === 'missing' && configured) notes.push(`${path} is not there`);
  }

  return {
    async next(methods) {
      if (methods) offered = methods;
      const { value } = await attempts.next();
      if (!value) {
        exhausted = true;
        return false;
      }
      if (value.label !== undefined) labels.push(value.label);
      return value.method;
    },
    get exhausted() {
      return exhausted;
    },
    tried() {
      const keys = labels.length > 0 ? `tried ${labels.join(', ')}` : 'there was no key to try';
      const takes = offered.length > 0 ? [`the server takes ${safeText(offered.join(', '))}`] : [];
      return [keys, ...notes, ...takes].join('; ');
    },
  };
}

interface AgentKeys {
  readonly keys: readonly ParsedKey[];
  readonly files: readonly KeyFile[];
  /** IdentitiesOnly: leave out keys that no file names. */
  readonly only: boolean;
}

/** sshd gives up after six keys (MaxAuthTries), so those that the user named come first. */
function orderAgentKeys({ keys, files, only }: AgentKeys): readonly ParsedKey[] {
  const named = files.flatMap((file) => keys.filter((key) => file.publicKey?.equals(key.getPublicSSH())));
  return only ? named : [...named, ...keys.filter((key) => !named.includes(key))];
}

function homePath(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

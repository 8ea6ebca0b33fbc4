import type { ResolvedTarget } from '../../config/ssh-config.ts';
import {
  appendKnownHost,
  fingerprint,
  parseHostKey,
  readKnownHosts,
  type HostKey,
  type Verdict,
} from './known-hosts.ts';
import { TransportFault } from './transport.ts';

/** Asks the user whether a host's key, never seen before, is the right one. */
export type ConfirmHostKey = (question: HostKeyQuestion) => Promise<boolean>;

/** What the user needs to decide. */
export interface HostKeyQuestion {
  /** As in known_hosts: `host` or `[host]:port`. */
  readonly host: string;
  /** `SHA256:...` as ssh shows it. */
  readonly fingerprint: string;
  /** `ssh-ed25519`, ... */
  readonly keyType: string;
}

/** Decides on host keys for one target, over all its connections. */
export interface HostKeyCheck {
  /** Signature algorithms, those of known keys first: so another type of key of the same host is no surprise. */
  algorithms(): string[];
  /** Resolves when the key may be trusted; rejects with a final TransportFault. */
  verify(blob: Buffer): Promise<void>;
}

interface Init {
  readonly target: ResolvedTarget;
  readonly knownHostsFiles: readonly string[];
  /** Where new keys are kept; undefined = nowhere. */
  readonly newHostsFile: string | undefined;
  readonly confirm: ConfirmHostKey | undefined;
}

/** Creates the check; the files are read anew for each connection. */
export function createHostKeyCheck({ target, knownHostsFiles, newHostsFile, confirm }: Init): HostKeyCheck {
  const names = knownNames(target);
  const name = names[0] ?? target.host;
  let trusted: Buffer | undefined;

  async function accept(key: HostKey) {
    const question = { host: name, fingerprint: fingerprint(key), keyType: key.type };
    if (target.checking === 'ask' || target.checking === 'yes') {
      if (!confirm || target.checking === 'yes') throw unknown(question, target.checking);
      if (!(await confirm(question))) {
        throw new TransportFault(`The host key of ${name} (${question.fingerprint}) was not accepted.`, true);
      }
    }
    try {
      if (newHostsFile !== undefined) appendKnownHost({ file: newHostsFile, name, key, hashed: target.hashKnownHosts });
    } catch {
      // A home that cannot be written: the key holds for this run, and the next one asks again.
    }
  }

  return {
    algorithms: () => orderAlgorithms(readKnownHosts(knownHostsFiles).types(names)),
    async verify(blob) {
      // Keys are exchanged anew on a long connection, and a lost one is opened again.
      if (trusted?.equals(blob)) return;
      const key = parseHostKey(blob);
      if (!key) throw new TransportFault(`${name} sent a host key that cannot be read; is it an SSH server?`, true);
      const verdict = readKnownHosts(knownHostsFiles).check(names, key);
      if (verdict.kind === 'unknown') await accept(key);
      else if (verdict.kind !== 'known') throw refused(name, key, verdict);
      trusted = blob;
    },
  };
}

/** The names to look up: with the port as OpenSSH writes it, then without. An alias stands for itself. */
function knownNames({ hostKeyAlias, host, port }: ResolvedTarget): string[] {
  if (hostKeyAlias !== undefined) return [hostKeyAlias];
  return port === 22 ? [host] : [`[${host}]:${port}`, host];
}

/** What ssh2 1.17 can verify, in OpenSSH's order of preference; SHA-1 signatures (`ssh-rsa`) are left out as there. */
const algorithmsByKeyType: Readonly<Record<string, readonly string[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};

function orderAlgorithms(knownTypes: readonly string[]): string[] {
  const all = Object.keys(algorithmsByKeyType);
  const known = all.filter((type) => knownTypes.includes(type));
  return [...known, ...all.filter((type) => !known.includes(type))].flatMap((type) => algorithmsByKeyType[type] ?? []);
}

function unknown(question: HostKeyQuestion, policy: ResolvedTarget['checking']): TransportFault {
  const why = policy === 'yes' ? 'StrictHostKeyChecking forbids to add it' : 'there is no terminal to ask on';
  return new TransportFault(
    `The host key of ${question.host} (${question.keyType} ${question.fingerprint}) is not known and ${why}: ` +
      'compare it with the host, then connect once with ssh, or add it to ~/.ssh/known_hosts.',
    true,
  );
}

function refused(name: string, key: HostKey, verdict: Exclude<Verdict, { kind: 'known' | 'unknown' }>): TransportFault {
  const place = `${verdict.file}:${verdict.line}`;
  if (verdict.kind === 'revoked') {
    return new TransportFault(`The host key of ${name} (${fingerprint(key)}) is marked as revoked in ${place}.`, true);
  }
  return new TransportFault(
    `The host key of ${name} is now ${key.type} ${fingerprint(key)}, another than in ${place}: ` +
      'someone may be listening in, or the host was set up anew; if you know that it was, remove that line.',
    true,
  );
}

import type { ResolvedTarget } from '../../config/ssh-config.ts';
import { safeText } from '../../model/text.ts';
import { homePath } from './home-path.ts';
import { hostKeyAlgorithms } from './host-key-algorithms.ts';
import {
  appendKnownHost,
  fingerprint,
  parseHostKey,
  readKnownHosts,
  type HostKey,
  type Verdict,
} from './known-hosts.ts';
import { checkRevoked } from './revoked-keys.ts';
import { TransportFault } from './transport.ts';

/** Asks the user whether a host's key, never seen before, is the right one. */
export type ConfirmHostKey = (question: HostKeyQuestion) => Promise<boolean>;

/** What the user needs to decide. */
export interface HostKeyQuestion {
  /** As in known_hosts (`host` or `[host]:port`), behind the user's own word for it where that is another. */
  readonly host: string;
  /** `SHA256:...` as ssh shows it. */
  readonly fingerprint: string;
  /** `ssh-ed25519`, ... */
  readonly keyType: string;
  /** Where the key is kept; undefined = nowhere. */
  readonly keptIn: string | undefined;
}

/** Decides on host keys for one connection, as OpenSSH 9.2 does. */
export interface HostKeyCheck {
  /** Signature algorithms to offer. Throws a final TransportFault when the configuration leaves none. */
  algorithms(): string[];
  /** Resolves when the connection may go on; rejects with a final TransportFault. */
  verify(blob: Buffer): Promise<void>;
  /** Why the key is not to be trusted, though StrictHostKeyChecking no lets us in: no password may be sent there. */
  readonly doubt: string | undefined;
}

interface Init {
  readonly target: ResolvedTarget;
  readonly knownHostsFiles: readonly string[];
  /** Where new keys are kept; undefined = nowhere. */
  readonly newHostsFile: string | undefined;
  readonly confirm: ConfirmHostKey | undefined;
  /** Keys by name that the user accepted since we started: they hold where no file keeps them. */
  readonly accepted: Map<string, Buffer>;
  /** For a jump host: where it leads to. */
  readonly wayTo?: string | undefined;
}

/** Creates the check; the files are read anew for each connection. */
export function createHostKeyCheck({
  target,
  knownHostsFiles,
  newHostsFile,
  confirm,
  accepted,
  wayTo,
}: Init): HostKeyCheck {
  const names = knownNames(target);
  const name = names[0] ?? target.host;
  const shown = shownName(target, name, wayTo);
  const keptIn = newHostsFile === undefined ? undefined : homePath(newHostsFile);
  let trusted: Buffer | undefined;
  let doubt: string | undefined;

  async function verify(key: HostKey) {
    checkRevocation(key);
    const known = readKnownHosts(knownHostsFiles);
    const verdict = known.check(names, key);
    if (verdict.kind === 'known') return;
    if (verdict.kind === 'unknown') {
      if (accepted.get(name)?.equals(key.blob) === true) return;
      const authority = known.authority(names);
      if (authority) throw certified(shown, authority, keptIn);
      await accept(key);
    } else if (target.checking === 'no') doubt = doubtOf(shown, verdict);
    else throw refused(shown, key, verdict);
  }

  function checkRevocation(key: HostKey) {
    const file = target.revokedHostKeysFile;
    const found = file === undefined ? undefined : checkRevoked(file, key);
    if (found?.kind === 'revoked') throw revokedIn(shown, key, `${file}`);
    if (found?.kind === 'unreadable') {
      throw new TransportFault(
        `The list of revoked host keys ${file} cannot be read (${found.why}), so the key of ${shown} cannot be trusted: ` +
          'mend the file, or remove RevokedHostKeys from the SSH configuration.',
        true,
      );
    }
  }

  async function accept(key: HostKey) {
    const question = { host: shown, fingerprint: fingerprint(key), keyType: key.type, keptIn };
    if (target.checking === 'ask' || target.checking === 'yes') {
      const why = whyNoAsking(target, confirm);
      if (!confirm || why !== undefined) throw unknown(question, why ?? '');
      if (!(await confirm(question))) {
        throw new TransportFault(
          `The host key of ${shown} (${question.fingerprint}) was not accepted: ask who looks after the host for its fingerprint.`,
          true,
        );
      }
    }
    accepted.set(name, key.blob);
    try {
      if (newHostsFile !== undefined)
        await appendKnownHost({ file: newHostsFile, name, key, hashed: target.hashKnownHosts });
    } catch {
      // A home that cannot be written: the key holds for this run, and the next one asks again.
    }
  }

  return {
    algorithms() {
      const knownTypes = readKnownHosts(knownHostsFiles).types(names);
      const algorithms = hostKeyAlgorithms({ knownTypes, configured: target.hostKeyAlgorithms });
      if (algorithms.length === 0) throw noAlgorithm(shown, target.hostKeyAlgorithms ?? '');
      return algorithms;
    },
    async verify(blob) {
      // Keys are exchanged anew on a long connection.
      if (trusted?.equals(blob)) return;
      const key = parseHostKey(blob);
      if (!key) throw new TransportFault(`${shown} sent a host key that cannot be read; is it an SSH server?`, true);
      await verify(key);
      trusted = blob;
    },
    get doubt() {
      return doubt;
    },
  };
}

/** The names to look up: with the port as OpenSSH writes it, then without. An alias stands for itself. */
function knownNames({ hostKeyAlias, host, port }: ResolvedTarget): string[] {
  if (hostKeyAlias !== undefined) return [hostKeyAlias];
  return port === 22 ? [host] : [`[${host}]:${port}`, host];
}

/** The user's word first, then what to look for in known_hosts. */
function shownName({ alias, host }: ResolvedTarget, name: string, wayTo: string | undefined): string {
  const isSame = alias.toLowerCase() === host.toLowerCase() || alias.toLowerCase() === name;
  if (wayTo === undefined) return isSame ? name : `${alias} (${name})`;
  const way = `on the way to ${wayTo}`;
  return isSame ? `jump host ${name} (${way})` : `jump host ${alias} (${way}; ${name})`;
}

function whyNoAsking(target: ResolvedTarget, confirm: ConfirmHostKey | undefined): string | undefined {
  if (target.checking === 'yes') return 'StrictHostKeyChecking forbids to add it';
  if (target.passwordPrompts === 0) return 'BatchMode forbids to ask';
  return confirm ? undefined : 'there is no terminal to ask on';
}

function unknown(question: HostKeyQuestion, why: string): TransportFault {
  return new TransportFault(
    `The host key of ${question.host} (${question.keyType} ${question.fingerprint}) is not known and ${why}: ` +
      `compare it with the host, then connect once with ssh, or add it to ${question.keptIn ?? knownHosts}.`,
    true,
  );
}

/** Where no file is written: the keyword that names one. */
const knownHosts = 'a file that UserKnownHostsFile names';

type Bad = Exclude<Verdict, { kind: 'known' | 'unknown' }>;

function refused(name: string, key: HostKey, verdict: Bad): TransportFault {
  const place = `${verdict.file}:${verdict.line}`;
  if (verdict.kind === 'revoked') return revokedIn(name, key, place);
  return new TransportFault(
    `The host key of ${name} is now ${key.type} ${fingerprint(key)}, another than in ${place}: ` +
      'someone may be listening in, or the host was set up anew; if you know that it was, remove that line.',
    true,
  );
}

function revokedIn(name: string, key: HostKey, place: string): TransportFault {
  return new TransportFault(
    `The host key of ${name} (${fingerprint(key)}) is marked as revoked in ${place}: whoever has it may not be that host; ` +
      'ask who looks after the host for its new key.',
    true,
  );
}

function doubtOf(name: string, { kind, file, line }: Bad): string {
  const what = kind === 'revoked' ? 'is marked as revoked in' : 'is another than in';
  return `the host key of ${name} ${what} ${file}:${line}, which StrictHostKeyChecking no allows`;
}

function certified(
  name: string,
  { file, line }: { readonly file: string; readonly line: number },
  keptIn = knownHosts,
): TransportFault {
  return new TransportFault(
    `The host key of ${name} is not known, and certificates of the authority in ${file}:${line} cannot be checked by traintop yet: ` +
      `compare the key with the host, and add it to ${keptIn} with ssh-keyscan.`,
    true,
  );
}

function noAlgorithm(name: string, configured: string): TransportFault {
  const why = configured.includes('-cert-')
    ? 'host certificates cannot be checked by traintop yet'
    : 'traintop can check ed25519, ECDSA and RSA keys';
  return new TransportFault(
    `HostKeyAlgorithms leaves none for ${name} (${safeText(configured.slice(0, 100))}), for ${why}: ` +
      'allow ssh-ed25519, ecdsa-sha2-nistp256 or rsa-sha2-512 in the SSH configuration.',
    true,
  );
}

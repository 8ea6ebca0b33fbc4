import { createHash, createHmac, randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../../config/make-folders.ts';

/** A host's public key as it goes over the wire (RFC 4253, 6.6). */
export interface HostKey {
  /** `ssh-ed25519`, `ssh-rsa`, ... */
  readonly type: string;
  readonly blob: Buffer;
}

/** What the known_hosts files say of a host's key. `line` counts from 1. */
export type Verdict =
  { readonly kind: 'known' } | { readonly kind: 'unknown' } | ({ readonly kind: 'changed' | 'revoked' } & Place);

interface Place {
  readonly file: string;
  readonly line: number;
}

/** The known_hosts files, read once. */
export interface KnownHosts {
  /** `names`: as in the files, the one with the port first: `[host]:2222`, `host`. */
  check(names: readonly string[], key: HostKey): Verdict;
  /** Types of the keys known for these names. */
  types(names: readonly string[]): readonly string[];
  /** A line that lets an authority vouch for a host of these names by certificates. */
  authority(names: readonly string[]): Place | undefined;
}

/** Reads known_hosts files (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT); those that cannot be read are empty, as in OpenSSH. */
export function readKnownHosts(files: readonly string[]): KnownHosts {
  const entries = files.flatMap(readEntries);
  const named = (name: string) => entries.filter((entry) => matchesName(entry.names, name));
  return {
    check(names, key) {
      const all = names.map(named);
      const revoked = all.flat().find((entry) => entry.marker === '@revoked' && entry.key.blob.equals(key.blob));
      if (revoked) return { kind: 'revoked', file: revoked.file, line: revoked.line };
      const plain = all.map((some) => some.filter((entry) => entry.marker === undefined));
      const holds = (some: readonly Entry[] = []) => some.some((entry) => entry.key.blob.equals(key.blob));
      if (holds(plain[0])) return { kind: 'known' };
      // As OpenSSH 9.2: whoever has no key of a type that we know is not the host that we know. Else he who listens in would
      // only have to offer another type.
      const other = plain[0]?.find((entry) => entry.key.type === key.type) ?? plain[0]?.[0];
      if (other) return { kind: 'changed', file: other.file, line: other.line };
      // The name without its port can vouch for a key, but not call it changed.
      return { kind: plain.slice(1).some(holds) ? 'known' : 'unknown' };
    },
    authority: (names) => names.flatMap(named).find((entry) => entry.marker === '@cert-authority'),
    types: (names) => typesOf(names.flatMap(named).filter((entry) => entry.marker === undefined)),
  };
}

/** `SHA256:...` as ssh shows it. */
export function fingerprint(key: HostKey): string {
  return `SHA256:${createHash('sha256').update(key.blob).digest('base64').replace(/=+$/, '')}`;
}

/** Reads a key's type from its blob; undefined when it is none. */
export function parseHostKey(blob: Buffer): HostKey | undefined {
  if (blob.length < 4) return undefined;
  const length = blob.readUInt32BE(0);
  const type = blob.subarray(4, 4 + length).toString('latin1');
  return length > 0 && type.length === length && /^[\w.@-]+$/.test(type) ? { type, blob } : undefined;
}

interface NewHost {
  readonly file: string;
  readonly name: string;
  readonly key: HostKey;
  /** HashKnownHosts: the name cannot be read back from the file. */
  readonly hashed: boolean;
}

/** Appends a host's key. The file and its folder are made private when they are new. Rejects with the file system's error. */
export async function appendKnownHost({ file, name, key, hashed }: NewHost): Promise<void> {
  await makeFolders(dirname(file));
  const salt = randomBytes(20);
  const shown = hashed ? `|1|${salt.toString('base64')}|${hashName(salt, name).toString('base64')}` : name;
  const line = `${shown} ${key.type} ${key.blob.toString('base64')}\n`;
  appendFileSync(file, endsOpen(file) ? `\n${line}` : line, { mode: 0o600 });
}

/** The last line has no end: a line appended to it would be lost. */
function endsOpen(file: string): boolean {
  try {
    const content = readFileSync(file);
    return content.length > 0 && content.at(-1) !== 10;
  } catch {
    return false;
  }
}

interface Entry {
  readonly marker: string | undefined;
  readonly names: string;
  readonly key: HostKey;
  readonly file: string;
  readonly line: number;
}

function readEntries(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((content, index) => {
    const words = content.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const [names = '', , base64 = ''] = words;
    if (names === '' || names.startsWith('#')) return [];
    const key = parseHostKey(Buffer.from(base64, 'base64'));
    return key
      ? [
          {
            marker,
            names: names.toLowerCase().startsWith('|1|') ? names : names.toLowerCase(),
            key,
            file,
            line: index + 1,
          },
        ]
      : [];
  });
}

function matchesName(names: string, name: string): boolean {
  const hashed = /^\|1\|([^|]+)\|([^|]+)$/.exec(names);
  if (hashed) {
    const [, salt = '', hash = ''] = hashed;
    return hashName(Buffer.from(salt, 'base64'), name).equals(Buffer.from(hash, 'base64'));
  }
  let matched = false;
  for (const pattern of names.split(',')) {
    const negated = pattern.startsWith('!');
    if (!matchesPattern(negated ? pattern.slice(1) : pattern, name)) continue;
    if (negated) return false;
    matched = true;
  }
  return matched;
}

function hashName(salt: Buffer, name: string): Buffer {
  return createHmac('sha1', salt).update(name).digest();
}

/** OpenSSH's patterns: `*` and `?`; brackets are plain characters there. */
export function matchesPattern(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(name);
}

function typesOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map((entry) => entry.key.type))];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import { homeFolder } from '../../config/home.ts';

/** A private key file. `publicKey` (its blob) may be known even when the file is encrypted. */
export type KeyFile = { readonly path: string; readonly publicKey?: Buffer } & (
  | { readonly state: 'usable'; readonly key: ParsedKey }
  | { readonly state: 'encrypted' }
  | { readonly state: 'missing' }
  /** `reason`: why, for a sentence. */
  | { readonly state: 'unreadable'; readonly reason: string }
);

/** The files that ssh tries when none is configured; keys on tokens (`_sk`) need OpenSSH itself. */
export function defaultKeyFiles(): string[] {
  return ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(homeFolder(), '.ssh', name));
}

/** Reads a private key file. Never throws. */
export function readKeyFile(path: string): KeyFile {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A token's key may lie there as its public part only, for IdentitiesOnly.
    if (code === 'ENOENT') return { path, state: 'missing', ...publicPart(path) };
    return { path, state: 'unreadable', reason: code ?? 'error' };
  }
  const key = parse(content);
  if (key instanceof Error) {
    const known = { ...publicPart(path), ...openSshPublicPart(content) };
    if (/no passphrase/i.test(key.message)) return { path, state: 'encrypted', ...known };
    return { path, state: 'unreadable', reason: key.message, ...known };
  }
  const publicKey = key.getPublicSSH();
  // `IdentityFile key.pub` picks a key that the agent holds.
  if (!key.isPrivateKey()) return { path, state: 'missing', publicKey };
  return { path, state: 'usable', key, publicKey };
}

/** Opens an encrypted key file; undefined when the passphrase does not. */
export function openKeyFile(path: string, passphrase: string): ParsedKey | undefined {
  try {
    const key = parse(readFileSync(path), passphrase);
    return key instanceof Error || !key.isPrivateKey() ? undefined : key;
  } catch {
    return undefined; // it went meanwhile
  }
}

function parse(content: Buffer, passphrase?: string): ParsedKey | Error {
  // ssh2 1.17 may give an array of one key.
  return [ssh2.utils.parseKey(content, passphrase)].flat()[0] ?? new Error('no key in it');
}

function publicPart(path: string): { publicKey?: Buffer } {
  try {
    const key = parse(readFileSync(`${path}.pub`));
    return key instanceof Error ? {} : { publicKey: key.getPublicSSH() };
  } catch {
    return {};
  }
}

/** The new format keeps the public key in clear text before the encrypted part (OpenSSH, PROTOCOL.key). */
function openSshPublicPart(content: Buffer): { publicKey?: Buffer } {
  const base64 = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)-----END/.exec(content.toString('latin1'))?.[1];
  if (base64 === undefined) return {};
  const data = Buffer.from(base64, 'base64');
  try {
    let at = 'openssh-key-v1\0'.length;
    const skip = () => (at += 4 + data.readUInt32BE(at));
    skip(); // cipher
    skip(); // key derivation
    skip(); // its options
    at += 4; // number of keys
    const length = data.readUInt32BE(at);
    const blob = data.subarray(at + 4, at + 4 + length);
    return blob.length === length ? { publicKey: Buffer.from(blob) } : {};
  } catch {
    return {};
  }
}

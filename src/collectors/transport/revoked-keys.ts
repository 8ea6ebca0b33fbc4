import { readFileSync } from 'node:fs';
import { parseHostKey, type HostKey } from './known-hosts.ts';

/** Whether a RevokedHostKeys file holds a key. `unreadable`: nobody knows, so no key may be trusted, as in OpenSSH; with why. */
export type Revocation = { readonly kind: 'clear' } | { readonly kind: 'revoked' } | Unreadable;

interface Unreadable {
  readonly kind: 'unreadable';
  readonly why: string;
}

/** Looks a key up in a text file of public keys, one a line. */
export function checkRevoked(file: string, key: HostKey): Revocation {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    return { kind: 'unreadable', why: (error as NodeJS.ErrnoException).code ?? 'error' };
  }
  // OpenSSH, PROTOCOL.krl.
  if (content.subarray(0, 8).toString('latin1') === 'SSHKRL\n\0') {
    return { kind: 'unreadable', why: 'a key revocation list in binary form, which traintop does not support yet' };
  }
  const holds = content
    .toString('latin1')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .some((line) =>
      line
        .trim()
        .split(/\s+/)
        .some((word) => isKey(word, key)),
    );
  return { kind: holds ? 'revoked' : 'clear' };
}

function isKey(word: string, key: HostKey): boolean {
  const blob = Buffer.from(word, 'base64');
  return parseHostKey(blob) !== undefined && blob.equals(key.blob);
}

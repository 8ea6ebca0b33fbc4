import { matchesPattern } from './known-hosts.ts';

/** What ssh2 1.17 can verify, in OpenSSH's order of preference. */
const algorithmsByKeyType: Readonly<Record<string, readonly string[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
};

/** SHA-1 signatures: left out, as in OpenSSH since 8.8, unless the configuration names them. */
const outdated = 'ssh-rsa';

interface Init {
  /** Of the keys known for the host: they come first, so that another type of key of the same host is no surprise. */
  readonly knownTypes: readonly string[];
  /** HostKeyAlgorithms as it stands in the configuration. */
  readonly configured: string | undefined;
}

/** The signature algorithms to offer; empty when the configuration allows none that can be verified here. */
export function hostKeyAlgorithms({ knownTypes, configured }: Init): string[] {
  const all = Object.keys(algorithmsByKeyType);
  const known = all.filter((type) => knownTypes.includes(type));
  const types = [...known, ...all.filter((type) => !known.includes(type))];
  return types.flatMap((type) => algorithmsByKeyType[type] ?? []).filter((name) => isAllowed(name, configured));
}

/** A list replaces the default one; `+` adds to it, `-` takes from it, `^` puts to its front. */
function isAllowed(name: string, configured: string | undefined): boolean {
  const sign = /^[+^-]/.exec(configured ?? '')?.[0] ?? '';
  const named = (configured ?? '')
    .slice(sign.length)
    .split(',')
    .some((pattern) => matchesPattern(pattern.trim(), name));
  if (configured === undefined) return name !== outdated;
  if (sign === '') return named;
  return sign === '-' ? !named && name !== outdated : named || name !== outdated;
}

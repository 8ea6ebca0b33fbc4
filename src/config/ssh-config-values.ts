import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isIPv6 } from 'node:net';
import type { LoginMethod, ResolvedTarget } from './ssh-config.ts';
import { parsePort, TargetError, type SshTarget } from './target.ts';

/** Lower-case keyword to values, from `ssh -G` or from the files. The first value of a keyword counts. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** What the resolution may know of this machine. */
export interface Surroundings {
  readonly home: string;
  readonly localUser: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Init {
  readonly target: SshTarget;
  readonly values: ConfigValues;
  readonly surroundings: Surroundings;
  readonly resolvedBy: string;
}

/** Makes of a configuration what traintop needs; the command line goes before it. `jumps` is left empty. Throws a TargetError. */
export function interpretConfig({ target, values, surroundings, resolvedBy }: Init): ResolvedTarget {
  const { home, localUser, env } = surroundings;
  const one = (key: string) => values.get(key)?.[0];
  const alias = target.host;
  const user = target.user ?? one('user') ?? localUser;
  const hostName = one('hostname');
  const named = hostName === undefined ? alias : expandTokens(hostName, { h: alias });
  const host = isIPv6(named) ? named : named.toLowerCase();
  const port = target.port ?? readPort(alias, one('port'));
  const hostKeyAlias = one('hostkeyalias');
  const tokens = {
    C: createHash('sha1').update(`${hostname()}${host}${port}${user}`).digest('hex'),
    d: home,
    h: host,
    i: String(process.getuid?.() ?? ''),
    k: hostKeyAlias ?? alias,
    l: hostname(),
    L: hostname().split('.')[0] ?? '',
    n: alias,
    p: String(port),
    r: user,
    u: localUser,
  };
  const path = (text: string) => expandPath(text, { home, env, tokens });
  const paths = (texts: readonly string[]) => texts.filter((file) => !isNone(file)).map(path);
  const userHosts = paths(values.get('userknownhostsfile') ?? ['~/.ssh/known_hosts', '~/.ssh/known_hosts2']);
  const machineHosts = ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'];
  const revoked = one('revokedhostkeys');
  const proxyCommand = proxyOf(values).command;
  if (proxyCommand !== undefined && isYes(one('proxyusefdpass'))) throw refusePassing(alias);
  return {
    alias,
    host,
    port,
    user,
    resolvedBy,
    jumps: [],
    // As ssh: the shell sees the words as they are.
    proxyCommand: proxyCommand === undefined ? undefined : expandTokens(proxyCommand, pick(tokens, 'hknpr')),
    identityFiles: values.has('identityfile') ? [...new Set(paths(values.get('identityfile') ?? []))] : undefined,
    identitiesOnly: isYes(one('identitiesonly')),
    agentSocket: readAgent(one('identityagent'), env, path),
    agentIsOff: isNone(one('identityagent') ?? ''),
    hostKeyAlias: hostKeyAlias?.toLowerCase(),
    knownHostsFiles: [...userHosts, ...paths(values.get('globalknownhostsfile') ?? machineHosts)],
    newHostsFile: userHosts[0],
    hashKnownHosts: isYes(one('hashknownhosts')),
    checking: readChecking(one('stricthostkeychecking')),
    revokedHostKeysFile: revoked === undefined || isNone(revoked) ? undefined : path(revoked),
    hostKeyAlgorithms: one('hostkeyalgorithms'),
    loginMethods: readLoginMethods(one),
    passwordPrompts: readPrompts(one),
    connectTimeoutMs: readTime(one('connecttimeout')),
    bindAddress: one('bindaddress'),
    family: { inet: 4 as const, inet6: 6 as const }[one('addressfamily')?.toLowerCase() ?? ''] ?? 0,
  };
}

/** The way that the configuration takes: whichever of the two keywords comes first, even if it says `none`. */
export function proxyOf(values: ConfigValues): { readonly jump?: string; readonly command?: string } {
  const first = [...values.keys()].find((key) => key === 'proxyjump' || key === 'proxycommand');
  const value = first === undefined ? undefined : values.get(first)?.[0];
  if (value === undefined || isNone(value)) return {};
  return first === 'proxyjump' ? { jump: value } : { command: value };
}

function isNone(value: string): boolean {
  return value.toLowerCase() === 'none';
}

function readPort(alias: string, digits: string | undefined): number {
  return digits === undefined ? 22 : parsePort(`${alias}:${digits}`, digits);
}

function refusePassing(alias: string): TargetError {
  return new TargetError(
    `The SSH configuration says ProxyUseFdpass for ${alias}, which traintop cannot do: ` +
      'use ProxyJump, or a ProxyCommand that passes the data itself.',
  );
}

function pick(tokens: Tokens, names: string): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => names.includes(name)));
}

function readAgent(
  value: string | undefined,
  env: Surroundings['env'],
  path: (text: string) => string,
): string | undefined {
  const fromEnvironment = env.SSH_AUTH_SOCK || undefined;
  if (value === undefined || value === 'SSH_AUTH_SOCK') return fromEnvironment;
  if (isNone(value)) return undefined;
  const variable = /^\$(\w+)$/.exec(value)?.[1];
  return variable === undefined ? path(value) : env[variable] || undefined;
}

/** `ssh -G` (OpenSSH 9.2) says true for yes and false for no. */
function readChecking(value: string | undefined): ResolvedTarget['checking'] {
  switch (value?.toLowerCase()) {
    case 'yes':
    case 'true':
      return 'yes';
    case 'no':
    case 'off':
    case 'false':
      return 'no';
    case 'accept-new':
      return 'accept-new';
    default:
      return 'ask';
  }
}

/** A time as in sshd_config(5): seconds, or `1m30s`. */
function readTime(value: string | undefined): number | undefined {
  const parts = /^(?:\d{1,6}[smhdw]?)+$/i.test(value ?? '') ? (value ?? '').matchAll(/(\d+)([smhdw]?)/gi) : [];
  const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 };
  let seconds = 0;
  for (const [, count, unit = ''] of parts) seconds += Number(count) * (unitSeconds[unit.toLowerCase()] ?? 1);
  return seconds > 0 ? seconds * 1000 : undefined;
}

function readLoginMethods(one: (key: string) => string | undefined): readonly LoginMethod[] {
  const order = one('preferredauthentications') ?? 'publickey,keyboard-interactive,password';
  const forbidden: Readonly<Record<LoginMethod, boolean>> = {
    publickey: isNo(one('pubkeyauthentication')),
    'keyboard-interactive': isNo(one('kbdinteractiveauthentication') ?? one('challengeresponseauthentication')),
    password: isNo(one('passwordauthentication')),
  };
  const named = order.split(',').map((name) => name.trim().toLowerCase());
  const known = (name: string): name is LoginMethod => Object.hasOwn(forbidden, name);
  return [...new Set(named)].filter(known).filter((name) => !forbidden[name]);
}

function readPrompts(one: (key: string) => string | undefined): number {
  const digits = one('numberofpasswordprompts') ?? '';
  if (isYes(one('batchmode'))) return 0;
  return /^[1-9]\d?$/.test(digits) ? Number(digits) : 3;
}

function isNo(value: string | undefined): boolean {
  return /^(no|false)$/i.test(value ?? '');
}

function isYes(value: string | undefined): boolean {
  return /^(yes|true)$/i.test(value ?? '');
}

type Tokens = Readonly<Record<string, string>>;

/** %h and the like; an unknown one stays as it is. */
function expandTokens(text: string, tokens: Tokens): string {
  return text.replace(/%(.)/g, (whole, name: string) => (name === '%' ? '%' : (tokens[name] ?? whole)));
}

/** `~`, `${VARIABLE}` and %-tokens, as in IdentityFile. */
function expandPath(
  text: string,
  { home, env, tokens }: { readonly home: string; readonly env: Surroundings['env']; readonly tokens: Tokens },
): string {
  const atHome = text === '~' || text.startsWith('~/') ? join(home, text.slice(1)) : text;
  return expandTokens(atHome, tokens).replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}

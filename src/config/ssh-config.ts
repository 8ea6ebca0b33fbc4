import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { isIPv6 } from 'node:net';
import { readSshConfig } from './ssh-config-files.ts';
import { parsePort, TargetError, type SshTarget } from './target.ts';

/** Where a target really is, and how to get in: the command line over ~/.ssh/config over OpenSSH's defaults. */
export interface ResolvedTarget {
  /** As the user wrote it. */
  readonly alias: string;
  /** Name or address to connect to. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** IdentityFile, expanded, in order; undefined = none configured: the default files are tried. */
  readonly identityFiles: readonly string[] | undefined;
  /** Only keys of identityFiles are offered, even when the agent holds more. */
  readonly identitiesOnly: boolean;
  /** Socket of the agent; undefined = no agent. */
  readonly agentSocket: string | undefined;
  /** HostKeyAlias: the name in known_hosts. */
  readonly hostKeyAlias: string | undefined;
  /** The user's, then the machine's. */
  readonly knownHostsFiles: readonly string[];
  /** Where new host keys are kept; undefined = nowhere. */
  readonly newHostsFile: string | undefined;
  readonly hashKnownHosts: boolean;
  /** What to do with a host key never seen before. */
  readonly unknownHostKeys: 'ask' | 'refuse' | 'accept';
  /** Ways to log in, in the order to try them. */
  readonly loginMethods: readonly LoginMethod[];
  /** How often a password or a passphrase is asked for; 0 = nothing may be asked (BatchMode). */
  readonly passwordPrompts: number;
  /** ConnectTimeout; undefined = not configured. */
  readonly connectTimeoutMs: number | undefined;
  /** AddressFamily: 4, 6, or 0 for any. */
  readonly family: 0 | 4 | 6;
}

/** As in PreferredAuthentications; what else stands there is left out. */
export type LoginMethod = 'publickey' | 'keyboard-interactive' | 'password';

/** What the resolution may know of this machine; the defaults are the real ones. */
export interface Surroundings {
  readonly home: string;
  readonly localUser: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface ResolveOptions {
  /** Instead of ~/.ssh/config and /etc/ssh/ssh_config; `none` reads no file (as `ssh -F`). */
  readonly configFile?: string | undefined;
  readonly surroundings?: Partial<Surroundings>;
}

/**
 * Resolves a host or alias by ssh_config(5). Nothing is run: `Match exec` counts as not met, CanonicalizeHostname is
 * left to the resolver's search domains. Throws a TargetError, for a proxy too: connecting past it would be wrong.
 */
export function resolveSshTarget(target: SshTarget, options: ResolveOptions = {}): ResolvedTarget {
  const surroundings = { ...realSurroundings(), ...options.surroundings };
  const { home, localUser, env } = surroundings;
  const config = readSshConfig({ target, home, configFile: options.configFile });
  const one = (key: string) => config.get(key)?.[0];
  const alias = target.host;

  refuseProxy(alias, one('proxyjump'), one('proxycommand'));
  const user = target.user ?? one('user') ?? localUser;
  const hostName = one('hostname');
  const named = hostName === undefined ? alias : expandTokens(hostName, { h: alias });
  const host = named.toLowerCase();
  const port = target.port ?? readPort(alias, one('port'));
  const hostKeyAlias = one('hostkeyalias');
  const tokens = {
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
  const paths = (values: readonly string[]) => values.filter((file) => file.toLowerCase() !== 'none').map(path);
  const userHosts = paths(config.get('userknownhostsfile') ?? ['~/.ssh/known_hosts', '~/.ssh/known_hosts2']);
  const machineHosts = ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'];
  return {
    alias,
    host: isIPv6(named) ? named : host,
    port,
    user,
    identityFiles: config.has('identityfile') ? [...new Set(paths(config.get('identityfile') ?? []))] : undefined,
    identitiesOnly: isYes(one('identitiesonly')),
    agentSocket: readAgent(one('identityagent'), env, path),
    hostKeyAlias: hostKeyAlias?.toLowerCase(),
    knownHostsFiles: [...userHosts, ...paths(config.get('globalknownhostsfile') ?? machineHosts)],
    newHostsFile: userHosts[0],
    hashKnownHosts: isYes(one('hashknownhosts')),
    unknownHostKeys: readChecking(one('stricthostkeychecking')),
    loginMethods: readLoginMethods(one),
    passwordPrompts: readPrompts(one),
    connectTimeoutMs: readSeconds(one('connecttimeout')),
    family: { inet: 4 as const, inet6: 6 as const }[one('addressfamily')?.toLowerCase() ?? ''] ?? 0,
  };
}

function realSurroundings(): Surroundings {
  let localUser = process.env.USER ?? '';
  try {
    localUser = userInfo().username;
  } catch {
    // No entry in passwd, as in a container that runs under a bare UID.
  }
  return { home: homedir(), localUser, env: process.env };
}

function refuseProxy(alias: string, jump: string | undefined, command: string | undefined) {
  const used = [
    ['ProxyJump', jump],
    ['ProxyCommand', command],
  ].find(([, value]) => value !== undefined && value.toLowerCase() !== 'none');
  if (!used) return;
  throw new TargetError(
    `The SSH configuration reaches ${alias} through ${used[0]}, which traintop does not support yet: ` +
      `run traintop on the machine in between, or name the host directly if it can be reached.`,
  );
}

function readPort(alias: string, digits: string | undefined): number {
  return digits === undefined ? 22 : parsePort(`${alias}:${digits}`, digits);
}

function readAgent(
  value: string | undefined,
  env: Surroundings['env'],
  path: (text: string) => string,
): string | undefined {
  const fromEnvironment = env.SSH_AUTH_SOCK || undefined;
  if (value === undefined || value === 'SSH_AUTH_SOCK') return fromEnvironment;
  if (value.toLowerCase() === 'none') return undefined;
  const variable = /^\$(\w+)$/.exec(value)?.[1];
  return variable === undefined ? path(value) : env[variable] || undefined;
}

function readChecking(value: string | undefined): ResolvedTarget['unknownHostKeys'] {
  switch (value?.toLowerCase()) {
    case 'yes':
      return 'refuse';
    case 'no':
    case 'off':
    case 'accept-new':
      return 'accept';
    default:
      return 'ask';
  }
}

function readSeconds(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,5}$/.test(value) ? Number(value) * 1000 : undefined;
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

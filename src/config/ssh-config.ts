import { userInfo } from 'node:os';
import { withCurrentAgent } from './agent-socket.ts';
import { homeFolder } from './home.ts';
import { askSsh } from './ssh-config-ask.ts';
import { readSshConfig } from './ssh-config-files.ts';
import { interpretConfig, proxyOf, type ConfigValues, type Surroundings } from './ssh-config-values.ts';
import { parseSshTarget, TargetError, type SshTarget } from './target.ts';

/** Where a target really is, and how to get in: the command line over ~/.ssh/config over OpenSSH's defaults. */
export interface ResolvedTarget {
  /** As the user wrote it. */
  readonly alias: string;
  /** Name or address to connect to. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Who read the configuration: `ssh -G (OpenSSH_9.2p1)`, or `own reader` and why not ssh. */
  readonly resolvedBy: string;
  /** ProxyJump: the hosts on the way, the nearest first, each by its own configuration (and with no `jumps` of its own). */
  readonly jumps: readonly ResolvedTarget[];
  /** ProxyCommand, ready for a shell; of the nearest host only, for the others come through that. */
  readonly proxyCommand: string | undefined;
  /** IdentityFile, expanded, in order; undefined = none configured: the default files are tried. */
  readonly identityFiles: readonly string[] | undefined;
  /** Only keys of identityFiles are offered, even when the agent holds more. */
  readonly identitiesOnly: boolean;
  /** Socket of the agent; undefined = no agent. */
  readonly agentSocket: string | undefined;
  /** IdentityAgent none. */
  readonly agentIsOff: boolean;
  /** HostKeyAlias: the name in known_hosts. */
  readonly hostKeyAlias: string | undefined;
  /** The user's, then the machine's. */
  readonly knownHostsFiles: readonly string[];
  /** Where new host keys are kept; undefined = nowhere. */
  readonly newHostsFile: string | undefined;
  readonly hashKnownHosts: boolean;
  /** StrictHostKeyChecking; `off` is `no`. */
  readonly checking: 'yes' | 'ask' | 'accept-new' | 'no';
  /** RevokedHostKeys. */
  readonly revokedHostKeysFile: string | undefined;
  /** HostKeyAlgorithms as it stands there. */
  readonly hostKeyAlgorithms: string | undefined;
  /** Ways to log in, in the order to try them. */
  readonly loginMethods: readonly LoginMethod[];
  /** How often a password or a passphrase is asked for; 0 = nothing may be asked (BatchMode). */
  readonly passwordPrompts: number;
  /** ConnectTimeout; undefined = not configured. */
  readonly connectTimeoutMs: number | undefined;
  /** BindAddress: from where to connect. */
  readonly bindAddress: string | undefined;
  /** AddressFamily: 4, 6, or 0 for any. */
  readonly family: 0 | 4 | 6;
}

/** As in PreferredAuthentications; what else stands there is left out. */
export type LoginMethod = 'publickey' | 'keyboard-interactive' | 'password';

interface ResolveOptions {
  /** Instead of ~/.ssh/config and /etc/ssh/ssh_config; `none` reads no file (as `ssh -F`). */
  readonly configFile?: string | undefined;
  /** What differs from this machine. */
  readonly surroundings?: Partial<Surroundings>;
  /** `own`: without ssh, where nothing is run: `Match exec` counts as not met, CanonicalizeHostname is left to the resolver. */
  readonly reader?: 'ssh' | 'own';
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves a host or alias by ssh_config(5), with all hosts on the way: as `ssh -G` says where ssh exists, else by a reader of
 * our own. Rejects with a TargetError.
 */
export async function resolveSshTarget(target: SshTarget, options: ResolveOptions = {}): Promise<ResolvedTarget> {
  const known = { ...realSurroundings(), ...options.surroundings };
  const surroundings = withCurrentAgent(known.env).then((env) => ({ ...known, env }));
  const read = createReader(options, known.home);
  const chain = await resolveChain({ target, read, surroundings, seen: [] });
  const [last, ...before] = [...chain].reverse();
  if (!last) throw new Error('a chain without its end');
  return { ...last, jumps: before.reverse() };
}

type Read = (target: SshTarget) => Promise<{ readonly values: ConfigValues; readonly resolvedBy: string }>;

function createReader({ configFile, reader = 'ssh', signal }: ResolveOptions, home: string): Read {
  const own = (why: string): Read => {
    return async (target) => ({
      values: readSshConfig({ target, home, configFile }),
      resolvedBy: `own reader: ${why}`,
    });
  };
  if (reader === 'own') return own('asked for');
  if (configFile?.toLowerCase() === 'none') return own('no configuration is read');
  // ssh goes by passwd alone: it would read other files than those in the home that the user set.
  if (home !== passwdHome()) return own('HOME is another than in passwd, where ssh looks');
  return async (target) => {
    const answer = await askSsh({ target, configFile, signal });
    return 'absent' in answer ? own(answer.absent)(target) : answer;
  };
}

interface Way {
  readonly target: SshTarget;
  readonly read: Read;
  /** Being found out: tmux and ssh are asked at the same time. */
  readonly surroundings: Promise<Surroundings>;
  /** The hosts that are reached by way of this one. */
  readonly seen: readonly string[];
  /** ProxyJump of whoever goes on from here, for the hosts before this one: goes before its own. */
  readonly before?: readonly string[];
}

/** The hosts from here to the target, the nearest first. */
async function resolveChain({ target, read, surroundings, seen, before = [] }: Way): Promise<ResolvedTarget[]> {
  const [answer, known] = await Promise.all([read(target), surroundings]);
  const { values } = answer;
  const own = interpretConfig({ ...answer, target, surroundings: known });
  const jumps = before.length > 0 ? before : (proxyOf(values).jump?.split(',') ?? []);
  const [last, ...others] = jumps.map((spec) => spec.trim()).reverse();
  if (last === undefined) return [own];
  const key = `${own.user}@${own.host}:${own.port}`;
  if (seen.includes(key)) throw goesRound([...seen, key]);
  const way = { read, surroundings, seen: [...seen, key], before: others.reverse() };
  const chain = await resolveChain({ ...way, target: parseJump(last, own.alias) });
  return [...chain, { ...own, proxyCommand: undefined }];
}

/** `[user@]host[:port]`, or the same as ssh://. */
function parseJump(spec: string, alias: string): SshTarget {
  try {
    return parseSshTarget(spec);
  } catch {
    throw new TargetError(
      `The SSH configuration reaches ${alias} through ProxyJump ${JSON.stringify(spec)}, which is no host: ` +
        'write [user@]host[:port], several with commas in between.',
    );
  }
}

function goesRound(seen: readonly string[]): TargetError {
  return new TargetError(
    `The SSH configuration goes round in a circle (ProxyJump: ${seen.join(' through ')}): ` +
      'write ProxyJump none for the host that can be reached directly.',
  );
}

function realSurroundings(): Surroundings {
  let localUser = process.env.USER ?? '';
  try {
    localUser = userInfo().username;
  } catch {
    // No entry in passwd, as in a container that runs under a bare UID.
  }
  return { home: homeFolder(), localUser, env: process.env };
}

function passwdHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

import { hostname } from 'node:os';
import type { WatchIdentity } from '../attach/places.ts';
import type { Options } from '../config/options.ts';
import { resolveSshTarget } from '../config/ssh-config.ts';
import { parseTarget } from '../config/target.ts';
import type { HostFacts } from '../model/facts.ts';
import type { Run } from '../model/run.ts';

/** What a watch with these options is of. */
export async function identityOf(options: Options): Promise<WatchIdentity> {
  const { wrap, pid, match } = options;
  return {
    place: await placeOf(options),
    ...(wrap !== undefined && { wrap }),
    ...(pid !== undefined && { pid }),
    ...(match && { match: match.source }),
  };
}

async function placeOf({ target, scenario, seed, speed, sshConfigFile }: Options): Promise<string> {
  const named = parseTarget(target);
  if (named.kind === 'demo') return `demo ${scenario ?? 'healthy'} ${seed ?? ''} ${speed ?? 1} on ${hostname()}`;
  if (named.kind !== 'ssh') return `${named.kind} ${hostname()}`;
  try {
    const { user, host, port } = await resolveSshTarget(named, { configFile: sshConfigFile });
    return `ssh ${user}@${host}:${port}`;
  } catch {
    // The connection will say what is wrong.
    return `ssh ${target}`;
  }
}

/** A run as every watch of it calls it: by the boot of its host, its root process and when that began. */
export function runKey(run: Run, facts: HostFacts | undefined): string {
  return `${run.bootId ?? facts?.bootId ?? facts?.hostname ?? ''} ${run.id}`;
}

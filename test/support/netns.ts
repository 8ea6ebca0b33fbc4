import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { isRunning } from './processes.ts';
import { waitFor } from './waiting.ts';

/** The namespace that the test itself runs in. */
export const here = 'here';

/** Network namespaces of this machine, joined by virtual cables. Needs root, `ip` and, for `silence`, `iptables`. */
export interface Networks {
  /** The address of `node` on its cable to `seenFrom`. */
  address(node: string, seenFrom: string): string;
  /** The same in IPv6. */
  address6(node: string, seenFrom: string): string;
  /** The command line that runs a command there (the process is the command itself: `ip` execs it). */
  command(node: string, ...command: readonly string[]): readonly string[];
  /** Runs a command there to its end; gives what it printed, throws with what it complained about. */
  run(node: string, ...command: readonly string[]): string;
  /** Drops every packet that comes to or leaves `node`, without a word to either side: a pulled cable. Not for `here`. */
  silence(node: string): void;
  /** Ends `silence`. */
  restore(node: string): void;
  /** SIGKILLs what still runs in the namespaces, and removes them with their cables. */
  remove(): Promise<void>;
}

/** Makes a namespace for each name but `here`, and a cable for each pair. What a run that was killed left is removed first. */
export function createNetworks(cables: readonly (readonly [string, string])[]): Networks {
  removeOrphans();
  const nodes = [...new Set(cables.flat())].filter((node) => node !== here);
  const mark = randomInt(0x1000).toString(16).padStart(3, '0');
  const nameOf = new Map(nodes.map((node) => [node, `${prefix}${process.pid}-${mark}-${node}`]));
  const ownEnds: string[] = [];
  const addresses = new Map<string, { v4: string; v6: string }>();
  const placed = (node: string) => nameOf.get(node) ?? fail(node);
  const command: Networks['command'] = (node, ...words) =>
    node === here ? words : ['ip', 'netns', 'exec', placed(node), ...words];
  const run: Networks['run'] = (node, ...words) => {
    const [file = '', ...args] = command(node, ...words);
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const addressOf = (node: string, seenFrom: string) => addresses.get(`${node} ${seenFrom}`) ?? fail(node);

  function lay([one, other]: readonly [string, string], index: number) {
    // Of the blocks for measurements (RFC 2544) and for local use (RFC 4193): a random part, for tests that run at the same time.
    const [a, b, c] = [18 + randomInt(2), randomInt(256), 4 * randomInt(64)];
    const ends = [one, other].map((node, side) => ({
      node,
      peer: side === 0 ? other : one,
      // An interface's name has 15 characters at most.
      device: `tt${process.pid % 0x10000}${mark}${index}${'ab'[side]}`,
      v4: `198.${a}.${b}.${c + 1 + side}`,
      v6: `fd74:7${mark}:${a}:${b}:${c}::${1 + side}`,
    }));
    const [near, far] = ends.map(({ device }) => device);
    run(here, 'ip', 'link', 'add', near ?? '', 'type', 'veth', 'peer', 'name', far ?? '');
    if (one === here || other === here) ownEnds.push((one === here ? near : far) ?? '');
    for (const { node, peer, device, v4, v6 } of ends) {
      if (node !== here) run(here, 'ip', 'link', 'set', device, 'netns', placed(node));
      run(node, 'ip', 'address', 'add', `${v4}/30`, 'dev', device);
      // nodad: it can be used at once.
      run(node, 'ip', 'address', 'add', `${v6}/80`, 'dev', device, 'nodad');
      run(node, 'ip', 'link', 'set', device, 'up');
      addresses.set(`${node} ${peer}`, { v4, v6 });
    }
  }

  async function remove() {
    // The kernel would remove them too, but some time later.
    for (const device of ownEnds) run(here, 'ip', 'link', 'delete', device);
    for (const name of nameOf.values()) await removeNamespace(name);
  }

  try {
    for (const name of nameOf.values()) run(here, 'ip', 'netns', 'add', name);
    for (const node of nodes) run(node, 'ip', 'link', 'set', 'lo', 'up');
    cables.forEach(lay);
  } catch (error) {
    for (const name of listed(nameOf.values())) run(here, 'ip', 'netns', 'delete', name);
    throw error;
  }
  const chains = ['INPUT', 'OUTPUT', 'FORWARD'];
  return {
    address: (node, seenFrom) => addressOf(node, seenFrom).v4,
    address6: (node, seenFrom) => addressOf(node, seenFrom).v6,
    command,
    run,
    silence(node) {
      if (node === here) fail(node);
      for (const tool of ['iptables', 'ip6tables']) {
        for (const chain of chains) run(node, tool, '-w', '-I', chain, '-j', 'DROP');
      }
    },
    restore(node) {
      for (const tool of ['iptables', 'ip6tables']) run(node, tool, '-w', '-F');
    },
    remove,
  };
}

const prefix = 'traintop-';

function fail(node: string): never {
  throw new Error(`there is no such node or cable: ${node}`);
}

function listed(only?: Iterable<string>): string[] {
  const names = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(prefix));
  const wanted = only && new Set(only);
  return wanted ? names.filter((name) => wanted.has(name)) : names;
}

function pidsIn(name: string): number[] {
  return execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).split('\n').filter(Boolean).map(Number);
}

/** A namespace, and its end of a cable, live on as long as a process in it does. */
async function removeNamespace(name: string) {
  await waitFor(`the end of what runs in ${name}`, () => {
    const pids = pidsIn(name);
    for (const pid of pids) kill(pid);
    return pids.length === 0;
  });
  execFileSync('ip', ['netns', 'delete', name]);
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

/** Namespaces of test runs that were killed. */
function removeOrphans() {
  for (const name of listed()) {
    const owner = Number(name.split('-')[1]);
    if (isRunning(owner)) continue;
    try {
      for (const pid of pidsIn(name)) kill(pid);
      execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' });
    } catch {
      // Another run was quicker.
    }
  }
}

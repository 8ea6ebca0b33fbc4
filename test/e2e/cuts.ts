import { readdirSync, readFileSync } from 'node:fs';
import type { Networks } from '../support/netns.ts';
import { isRunning } from '../support/processes.ts';
import type { TestSshd } from '../support/sshd.ts';
import { waitFor } from '../support/waiting.ts';
import { markedProcesses } from './program.ts';

/** How a link is cut in the tests. `pause` only holds it up: nothing may be lost by it, not even the link. */
export type CutKind = 'drop' | 'freeze' | 'pause' | 'session' | 'wrapper';

/** Where cuts are made: a server in a network of its own, whose sessions carry a marker. */
export interface Ground {
  readonly networks: Networks;
  /** The server's network. */
  readonly node: string;
  readonly sshd: TestSshd;
  readonly marker: string;
  /** What runs elsewhere for the sessions (in a container), by PID of this machine. */
  readonly guests?: () => readonly number[];
  /** What runs for connections that were cut before, and has its time to go. */
  readonly condemned: Set<number>;
  /** Part of the command line of the wrapper's own processes. */
  readonly wrapper?: string;
}

/** One cut that was made. */
export interface Cut {
  readonly kind: CutKind | 'client';
  readonly at: number;
  /** Settles with how long it took until all that ran for the connection was gone; rejects when it did not go in time. */
  readonly emptied: Promise<number>;
}

/** The lease, and the third of it by which it may be late (envelope.ts); what a busy machine adds. */
const silentLimitMs = 40_000 + 5000;
/** At the end of input everything ends at once; what a busy machine adds. */
const endLimitMs = 10_000;

/** Cuts the newest connection to the ground's server. */
export function makeCut(kind: CutKind, ground: Ground, random: () => number): Cut {
  const session = sessionOf(ground);
  const at = Date.now();
  const there = onHost(ground).filter((pid) => !isOfOne(pid, ground.condemned));
  if (kind !== 'pause') for (const pid of there) ground.condemned.add(pid);
  const gone = (limitMs: number) => leftAlone(ground, { there, at, limitMs, kind });
  switch (kind) {
    case 'drop':
      drop(ground, session.clientPort);
      return { kind, at, emptied: gone(silentLimitMs) };
    case 'freeze':
      process.kill(session.pid, 'SIGSTOP');
      return { kind, at, emptied: gone(silentLimitMs).finally(() => thaw(session.pid)) };
    case 'pause':
      process.kill(session.pid, 'SIGSTOP');
      setTimeout(() => thaw(session.pid), 1000 + random() * 4000);
      return { kind, at, emptied: Promise.resolve(0) };
    case 'session':
      process.kill(session.pid, 'SIGKILL');
      return { kind, at, emptied: gone(endLimitMs) };
    case 'wrapper':
      for (const { pid, command } of markedProcesses(ground.marker))
        if (ground.wrapper !== undefined && command.includes(ground.wrapper)) process.kill(pid, 'SIGKILL');
      return { kind, at, emptied: gone(endLimitMs) };
  }
}

/** A process, or one that a process of `pids` started later (the lease's sleep). */
function isOfOne(pid: number, pids: ReadonlySet<number>): boolean {
  for (let at = pid; at > 1; at = parentOf(String(at))) if (pids.has(at)) return true;
  return false;
}

/** PIDs of everything that runs for the sessions of the ground's server. */
export function onHost({ marker, guests }: Ground): readonly number[] {
  const marked = markedProcesses(marker).flatMap(({ pid }) => (isRunning(pid) ? pid : []));
  return [...new Set([...marked, ...(guests?.() ?? [])])];
}

/** Waits until none of `there` runs any more; gives how long after `at` that was. */
export async function leftAlone(
  ground: Ground,
  {
    there,
    at,
    limitMs,
    kind,
  }: {
    readonly there: readonly number[];
    readonly at: number;
    readonly limitMs: number;
    readonly kind: Cut['kind'];
  },
): Promise<number> {
  let left = there;
  const empty = async () => {
    const now = new Set(onHost(ground));
    left = left.filter((pid) => now.has(pid));
    // Whole seconds are enough, and /proc is large.
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    return left.length === 0;
  };
  await waitFor(`the end of ${there.length} processes of a connection cut by ${kind}`, empty, limitMs).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}; left: ${left.map(commandOf).join('\n')}`);
    },
  );
  return Date.now() - at;
}

/** The newest connection: its process of sshd, and the client's port. */
function sessionOf({ sshd }: Ground): { readonly pid: number; readonly clientPort: number } {
  const port = [...sshd.log().matchAll(/Accepted publickey for \S+ from \S+ port (\d+)/g)].at(-1)?.[1];
  if (port === undefined) throw new Error('nobody has logged in yet');
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && new RegExp(`^SSH_CLIENT=\\S+ ${port} `, 'm').test(environOf(name)))
    .map(parentOf)
    .find((parent) => /^sshd/.test(commOf(parent)));
  if (pid === undefined) throw new Error(`no session of the connection from port ${port} runs`);
  return { pid, clientPort: Number(port) };
}

/** Drops every packet of one connection, without a word to either side. */
function drop({ networks, node }: Ground, clientPort: number) {
  const port = String(clientPort);
  networks.run(node, 'iptables', '-w', '-I', 'INPUT', '-p', 'tcp', '--sport', port, '-j', 'DROP');
  networks.run(node, 'iptables', '-w', '-I', 'OUTPUT', '-p', 'tcp', '--dport', port, '-j', 'DROP');
}

function thaw(pid: number) {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It ended meanwhile.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it ended
  }
}

const environOf = (pid: string) => read(`/proc/${pid}/environ`).replaceAll('\0', '\n');
const commOf = (pid: number) => read(`/proc/${pid}/comm`).trim();
const commandOf = (pid: number) =>
  `${pid} ${read(`/proc/${pid}/cmdline`)
    .replaceAll(/[\0\n]/g, ' ')
    .trim()
    .slice(0, 80)}`;
const parentOf = (pid: string) => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);

/** Random numbers from 0 to 1 that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

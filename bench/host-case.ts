import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { createRelay } from '../test/support/relay.ts';
import { startTerminal } from '../test/support/terminal.ts';
import { childrenOf, listeningSshd, readBelow, type Below } from './below.ts';
import { median } from './figures.ts';
import { startRealHost, type RealHost } from './programs.ts';
import type { RealHostOptions } from './real-host.ts';

/** A run and the way to it. */
export interface Case {
  readonly name: string;
  readonly threads: number;
  readonly active: number;
  /** Of one core, each of the active. */
  readonly percent: number;
  readonly wrap?: string;
  /** Added each way. */
  readonly delayMs?: number;
}

/** What the host paid: CPU in percent of a core, bytes a second. */
export interface Cost {
  readonly active: number;
  readonly cpu: number;
  readonly cpuBySource: ReadonlyMap<string, number>;
  /** What the screen said of it, sshd and nvidia-smi with it. */
  readonly said: number;
  readonly link: number;
  readonly simulated: number;
  readonly processes: number;
  /** Of ours, but no child of a shell of ours any more. */
  readonly strays: number;
  readonly startedPerMinute: number;
  readonly memory: number;
  readonly down: number;
  readonly downPlain: number;
  readonly up: number;
}

interface Options {
  readonly host: Pick<RealHostOptions, 'logLinesPerSecond' | 'gpus' | 'others'>;
  readonly warmUp: number;
  readonly seconds: number;
}

/** Watches a run through a relay that counts bytes, in a terminal of 160x50. */
export async function measureCase(what: Case, { host, warmUp, seconds }: Options): Promise<Cost> {
  const { threads, active, percent } = what;
  const real = await startRealHost({ threads, active, percent, ...host });
  const relay = await createRelay(real.port, { delayMs: what.delayMs ?? 0 });
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-client-'));
  const known = join(folder, 'known_hosts');
  const config = join(folder, 'config');
  writeFileSync(known, `[127.0.0.1]:${relay.port} ${real.hostKey}\n`, { mode: 0o600 });
  writeFileSync(config, `Host *\n  UserKnownHostsFile ${known}\n`);
  const before = new Set(childrenOf(real.initPid));
  const terminal = startTerminal({
    args: [
      ...[`${real.user}@127.0.0.1:${relay.port}`, '--identity', real.keyFile, '--ssh-config', config],
      ...['--pid', String(real.runPid), '--log', real.logPath],
      ...(what.wrap === undefined ? [] : ['--wrap', what.wrap]),
    ],
    cols: 160,
    rows: 50,
  });
  try {
    await terminal.waitFor(new RegExp(`\\d+ of ${threads} `), 60_000);
    await pass(warmUp * 1000);
    const said: number[] = [];
    const at = async () => ({ ...(await snapshot(real)), wire: relay.bytes(), time: performance.now() });
    const first = await at();
    for (let second = 0; second < seconds; second++) {
      await pass(1000);
      said.push(Number(/costs the host ([\d.]+) %/.exec(terminal.screen())?.[1]));
    }
    const last = await at();
    const strays = childrenOf(real.initPid).filter((pid) => !before.has(pid)).length;
    return { active, ...compare(first, last), said: median(said), strays };
  } finally {
    await terminal.close();
    await relay.close();
    await real.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Snapshot {
  readonly time: number;
  readonly below: Below;
  readonly newestPid: number;
  readonly wire: { readonly up: number; readonly down: number };
}

async function snapshot(real: RealHost): Promise<Pick<Snapshot, 'below' | 'newestPid'>> {
  const newestPid = await real.newestPid();
  return { newestPid, below: readBelow(listeningSshd(real.initPid) ?? -1) };
}

function compare(first: Snapshot, last: Snapshot): Omit<Cost, 'active' | 'said' | 'strays'> {
  const seconds = (last.time - first.time) / 1000;
  const grown = (of: (at: Snapshot) => number) => (of(last) - of(first)) / seconds;
  const cpuBySource = new Map<string, number>();
  for (const [pid, { source, seconds: used }] of last.below.channels) {
    const share = (100 * (used - (first.below.channels.get(pid)?.seconds ?? 0))) / seconds;
    cpuBySource.set(source, (cpuBySource.get(source) ?? 0) + share);
  }
  const channels = [...last.below.channels.values()];
  const down = grown(({ wire }) => wire.down);
  const up = grown(({ wire }) => wire.up);
  return {
    cpu: [...cpuBySource.values()].reduce((sum, share) => sum + share, 0),
    cpuBySource,
    link: 100 * grown(({ below }) => below.link),
    simulated: 100 * grown(({ below }) => below.simulated),
    processes: channels.reduce((sum, { processes }) => sum + processes, 0),
    startedPerMinute: 60 * grown(({ newestPid }) => newestPid),
    memory: channels.reduce((sum, { bytes }) => sum + bytes, 0),
    down,
    // sshd reads its socket and the pipes of the commands: what it read beside the socket goes down.
    downPlain: grown(({ below }) => below.read) - up,
    up,
  };
}

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { createRelay } from '../test/support/relay.ts';
import { startTerminal } from '../test/support/terminal.ts';
import { childrenOf, listeningSshd, readBelow, type Below } from './below.ts';
import { median } from './figures.ts';
import { ticksPerSecond } from './processes.ts';
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
  /** So many logs of a line a second each, in the place of one that is busier. */
  readonly logs?: number;
}

/** What the host paid: CPU in percent of a core, bytes a second. */
export interface Cost {
  readonly active: number;
  readonly cpu: number;
  readonly cpuBySource: ReadonlyMap<string, number>;
  /** Of `cpu`: of processes that were started and ended, what no parent shows yet. */
  readonly unseen: number;
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
  const { threads, active, percent, logs = 1 } = what;
  const logLinesPerSecond = what.logs === undefined ? host.logLinesPerSecond : 1;
  const real = await startRealHost({ threads, active, percent, ...host, logLinesPerSecond });
  const relay = await createRelay(real.port, { delayMs: what.delayMs ?? 0 });
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-client-'));
  const known = join(folder, 'known_hosts');
  const config = join(folder, 'config');
  writeFileSync(known, `[127.0.0.1]:${relay.port} ${real.hostKey}\n`, { mode: 0o600 });
  writeFileSync(config, `Host *\n  UserKnownHostsFile ${known}\n`);
  const before = new Set(childrenOf(real.initPid));
  const writing = writeLogs(folder, logs - 1);
  const terminal = startTerminal({
    args: [
      ...[`${real.user}@127.0.0.1:${relay.port}`, '--identity', real.keyFile, '--ssh-config', config],
      ...['--pid', String(real.runPid), ...[real.logPath, ...writing.paths].flatMap((path) => ['--log', path])],
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
    writing.stop();
    await terminal.close();
    await relay.close();
    await real.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** More logs of the run, each of which gets a line a second, one after the other. */
function writeLogs(folder: string, count: number): { readonly paths: readonly string[]; readonly stop: () => void } {
  const paths = Array.from({ length: count }, (_, i) => join(folder, `rank${i + 1}.log`));
  for (const path of paths) writeFileSync(path, 'begun\n');
  let turn = 0;
  const write = () => {
    const path = paths[turn % paths.length];
    turn++;
    if (path !== undefined)
      appendFileSync(path, `step ${turn} | loss 2.5 | lr 1.0e-4 | 14.5K tok/s and more words of a usual line\n`);
  };
  const timer = count > 0 ? setInterval(write, 1000 / count) : undefined;
  return { paths, stop: () => clearInterval(timer) };
}

/** Seconds of CPU of a process that does nothing, and of the shell that starts it: a parent has it in whole ticks of 10 ms only. */
function secondsOfOneStarted(): number {
  const count = 100;
  const script = `i=0; while [ $i -lt ${count} ] && sleep 0.001; do i=$((i + 1)); done; read -r l </proc/$$/stat; echo "$l"`;
  const stat = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond / count;
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
  const started = grown(({ newestPid }) => newestPid);
  const ended = ({ below }: Snapshot) => [...below.channels.values()].reduce((sum, each) => sum + each.endedSeconds, 0);
  const unseen = 100 * Math.max(0, started * secondsOfOneStarted() - grown(ended));
  const down = grown(({ wire }) => wire.down);
  const up = grown(({ wire }) => wire.up);
  return {
    cpu: [...cpuBySource.values()].reduce((sum, share) => sum + share, unseen),
    cpuBySource,
    unseen,
    link: 100 * grown(({ below }) => below.link),
    simulated: 100 * grown(({ below }) => below.simulated),
    processes: channels.reduce((sum, { processes }) => sum + processes, 0),
    startedPerMinute: 60 * started,
    memory: channels.reduce((sum, { bytes }) => sum + bytes, 0),
    down,
    // sshd reads its socket and the pipes of the commands: what it read beside the socket goes down.
    downPlain: grown(({ below }) => below.read) - up,
    up,
  };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { createRelay } from '../test/support/relay.ts';
import { startTerminal } from '../test/support/terminal.ts';
import { childrenOf, listeningSshd, readBelow, type Below } from './below.ts';
import { median, reportTable } from './figures.ts';
import { startRealHost, type RealHost } from './programs.ts';

interface Case {
  readonly name: string;
  readonly threads: number;
  readonly active: number;
  readonly percent: number;
  readonly wrap?: string;
  /** Each way. */
  readonly delayMs?: number;
}

/** The one for which there is a target. */
const usual: Case = { name: '300 threads', threads: 300, active: 60, percent: 0.5 };
/** Stays as a process around the shell, as `docker exec` does. */
const wrap = 'unshare --fork setpriv --no-new-privs';
const cases: readonly Case[] = [
  { name: '20 threads', threads: 20, active: 8, percent: 4 },
  usual,
  { name: '1,000 threads', threads: 1000, active: 200, percent: 0.2 },
  { ...usual, name: '300, all active', active: 298, percent: 0.1 },
  { ...usual, name: '300, wrapped', wrap },
  { ...usual, name: '300, 300 ms away', delayMs: 300 },
];
const host = { logLinesPerSecond: 20, gpus: 8, others: 500 };
const target = { cpuPercent: 1, bytesPerSecond: 20e3 };

interface Options {
  readonly warmUp?: number;
  readonly seconds?: number;
  /** Only the cases whose name begins so. */
  readonly only?: string | undefined;
}

/** What the monitor costs the host that it watches: CPU, processes, memory, and bytes on the link. */
export async function measureHost({ warmUp = 30, seconds = 60, only = '' }: Options = {}): Promise<void> {
  const columns: Column[] = [];
  for (const each of cases.filter(({ name }) => name.startsWith(only))) {
    console.error(`  ... ${each.name}`);
    columns.push({ name: each.name, figures: await measure(each, warmUp, seconds) });
  }
  console.log(
    `host: a real sshd and a real process, 1 s, a log of ${host.logLinesPerSecond} lines a second, ${host.gpus} GPUs of a simulated nvidia-smi, ` +
      `${host.others} other processes, ${seconds} s after ${warmUp} s`,
  );
  reportTable(
    columns.map(({ name }) => name),
    rows(columns.map(({ figures }) => figures)),
  );
}

interface Column {
  readonly name: string;
  readonly figures: Figures;
}

/** CPU in percent of a core, bytes a second. */
interface Figures {
  readonly cpu: number;
  readonly cpuBySource: ReadonlyMap<string, number>;
  readonly said: number;
  readonly link: number;
  readonly simulated: number;
  readonly processes: number;
  readonly strays: number;
  readonly startedPerMinute: number;
  readonly memory: number;
  readonly down: number;
  readonly downPlain: number;
  readonly up: number;
}

async function measure(what: Case, warmUp: number, seconds: number): Promise<Figures> {
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
    return { ...compare(first, last), said: median(said), strays };
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

function compare(first: Snapshot, last: Snapshot): Omit<Figures, 'said' | 'strays'> {
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

function rows(all: readonly Figures[]) {
  const sources = [...new Set(all.flatMap(({ cpuBySource }) => [...cpuBySource.keys()]))].sort();
  const row = (name: string, of: (figures: Figures) => string) => ({ name, cells: all.map(of) });
  const kilo = (bytes: number) => (bytes / 1000).toFixed(1);
  return [
    row(`CPU of our commands, % of a core (< ${target.cpuPercent})`, ({ cpu }) => cpu.toFixed(2)),
    ...sources.map((source) => row(`  ${source}`, ({ cpuBySource }) => (cpuBySource.get(source) ?? 0).toFixed(2))),
    row('  all of it, as traintop says it (median)', ({ said }) => said.toFixed(2)),
    row('CPU of sshd for the connection', ({ link }) => link.toFixed(2)),
    row('CPU of the simulated nvidia-smi, not in these', ({ simulated }) => simulated.toFixed(2)),
    row('processes', ({ processes, strays }) => `${processes}${strays > 0 ? ` + ${strays} strays` : ''}`),
    row('  started in a minute', ({ startedPerMinute }) => startedPerMinute.toFixed(0)),
    row('memory, MB', ({ memory }) => (memory / 1e6).toFixed(1)),
    row(`host to client, kB/s on the wire (< ${target.bytesPerSecond / 1000})`, ({ down }) => kilo(down)),
    row('  before encryption', ({ downPlain }) => kilo(downPlain)),
    row('client to host, kB/s on the wire', ({ up }) => kilo(up)),
  ];
}

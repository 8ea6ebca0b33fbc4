import { report, reportTable, say, type Figures } from './figures.ts';
import { measureCase, type Case, type Cost } from './host-case.ts';

/** The one for which there are targets. */
const usual: Case = { name: '300', threads: 300, active: 60, percent: 0.5 };
/** As on a node with a rank a GPU. */
const fourLogs: Case = { ...usual, name: '4 logs', logs: 4 };
/** Stays as a process around the shell, as `docker exec` does. */
const wrap = 'unshare --fork setpriv --no-new-privs';
const cases: readonly Case[] = [
  { name: '20', threads: 20, active: 8, percent: 4 },
  usual,
  { name: '1,000', threads: 1000, active: 200, percent: 0.2 },
  { ...usual, name: '300 active', active: 298, percent: 0.1 },
  { ...usual, name: '300 wrapped', wrap },
  { ...usual, name: '300 far', delayMs: 300 },
  fourLogs,
  { ...usual, name: '16 logs', logs: 16 },
];
const host = { logLinesPerSecond: 20, gpus: 8, others: 500 };
const target = { cpuPercent: 1, bytesPerSecond: 20e3 };

interface Options {
  readonly warmUp?: number;
  readonly seconds?: number;
  /** Only the case of this name. */
  readonly only?: string | undefined;
}

/** What the monitor costs the host that it watches: CPU, processes, memory, and bytes on the link. */
export async function measureHost({ warmUp = 30, seconds = 60, only }: Options = {}): Promise<Figures> {
  const measured: { readonly name: string; readonly cost: Cost }[] = [];
  for (const each of cases.filter(({ name }) => only === undefined || name === only)) {
    console.error(`  ... ${each.name}`);
    measured.push({ name: each.name, cost: await measureCase(each, { host, warmUp, seconds }) });
  }
  say(
    `host: a real sshd and a real process, every second, ${seconds} s after ${warmUp} s; a log of ${host.logLinesPerSecond} lines a second,`,
  );
  say(`      ${host.gpus} GPUs of a simulated nvidia-smi, ${host.others} other processes`);
  say('      (4 logs, 16 logs: 300 threads, and a line a second in each)');
  reportTable(['threads', ...measured.map(({ name }) => name)], rows(measured.map(({ cost }) => cost)));
  const costOf = (each: Case) => measured.find(({ name }) => name === each.name)?.cost;
  const reportCpu = (what: string, { cpu, link }: Cost) =>
    report(`${what}: CPU of our commands and sshd`, `${(cpu + link).toFixed(2)} % of a core`, {
      text: `< ${target.cpuPercent} %`,
      met: cpu + link < target.cpuPercent,
    });
  const [cost, withLogs] = [costOf(usual), costOf(fourLogs)];
  if (withLogs) reportCpu('300 threads, 4 logs', withLogs);
  if (!cost) return {};
  reportCpu('300 threads', cost);
  report('300 threads: bytes from the host', `${kilo(cost.down)} kB/s`, {
    text: `< ${kilo(target.bytesPerSecond)} kB/s`,
    met: cost.down < target.bytesPerSecond,
  });
  return { cpuPercent: cost.cpu, linkPercent: cost.link, bytesPerSecond: cost.down };
}

const kilo = (bytes: number) => (bytes / 1000).toFixed(1);

function rows(all: readonly Cost[]) {
  const sources = [...new Set(all.flatMap(({ cpuBySource }) => [...cpuBySource.keys()]))].sort();
  const row = (name: string, of: (cost: Cost) => string | number) => [name, ...all.map((cost) => String(of(cost)))];
  return [
    row('active', ({ active }) => active),
    row('CPU of our commands, % of a core', ({ cpu }) => cpu.toFixed(2)),
    ...sources.map((source) => row(`  ${source}`, ({ cpuBySource }) => (cpuBySource.get(source) ?? 0).toFixed(2))),
    row('  ended, and in no tick of a parent yet', ({ unseen }) => unseen.toFixed(2)),
    row('CPU of sshd for the connection', ({ link }) => link.toFixed(2)),
    row('both, as traintop says it (median)', ({ said }) => said.toFixed(2)),
    row('(CPU of the simulated nvidia-smi)', ({ simulated }) => simulated.toFixed(2)),
    row('processes', ({ processes, strays }) => `${processes}${strays > 0 ? ` + ${strays} strays` : ''}`),
    row('  started in a minute', ({ startedPerMinute }) => startedPerMinute.toFixed(0)),
    row('memory, MB', ({ memory }) => (memory / 1e6).toFixed(1)),
    row('from the host, kB/s on the wire', ({ down }) => kilo(down)),
    row('  before encryption', ({ downPlain }) => kilo(downPlain)),
    row('to the host, kB/s on the wire', ({ up }) => kilo(up)),
  ];
}

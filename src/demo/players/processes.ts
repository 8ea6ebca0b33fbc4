import type { DemoProcess } from '../cast.ts';
import { secondsPerBeat, type DemoRun, type Machine } from '../machine.ts';
import { logPath } from '../places.ts';
import type { Player } from '../shell.ts';

/** What else runs on the host, so that finding the run is no foregone thing. */
const others = [
  { pid: 1, parentPid: 0, comm: 'systemd', line: ['/sbin/init'] },
  { pid: 1904, parentPid: 1, comm: 'nv-hostengine', line: ['/usr/bin/nv-hostengine', '-n'] },
  { pid: 2211, parentPid: 1, comm: 'node_exporter', line: ['/usr/bin/node_exporter'] },
  { pid: 40_988, parentPid: 1, comm: 'bash', line: ['-bash'] },
  { pid: 77_102, parentPid: 1, comm: 'rsync', line: ['rsync', '-a', '/scratch/', 'backup:'] },
];
const pageSize = 4096;

/** The source `processes`: answers each request of collectors/process/script.ts, of which these are the shapes. */
export const processes: Player = ({ machine, clock, print }) => {
  let followed: number[] = [];
  return (line: string) => {
    const [verb = '', ...words] = line.split(' ');
    const up = machine.uptime(clock.now());
    const alive = machine.processes(up);
    const chosen = alive.filter((process) => words.includes('all') || words.includes(String(process.pid)));
    if (verb === 'follow') {
      followed = words.map(Number);
      return;
    }
    const answers: Readonly<Record<string, () => readonly string[]>> = {
      scan: () => [
        ...others.map((o) => `s ${o.pid} ${o.parentPid} S 100 900 300 1 ${o.comm}`),
        ...alive.map((p) => scanRow(machine, p, up)),
      ],
      names: () => [...chosen.flatMap(names), ...(words.includes('all') ? others.flatMap(argumentsOf) : [])],
      describe: () => chosen.flatMap(describe),
      fds: () => chosen.flatMap(descriptors),
      links: () => words.map((word) => `k ${word} ${linkTarget(alive, word)}\u0001`),
      users: () => (words.includes('0') ? ['u 0 root'] : []),
      watch: () => alive.filter((p) => followed.includes(p.pid)).map((p) => watchRow(machine, p, up)),
    };
    const answer = answers[verb]?.() ?? [];
    // `scan later` waits a second on a host; the demo answers at once with the same counters' next values.
    print(`${answer.map((row) => `${row}\n`).join('')}.\n`);
  };
};

const runOf = (machine: Machine, process: DemoProcess): DemoRun | undefined =>
  machine.runs.find(({ processes }) => processes.includes(process));

/** Field 22 of its /proc/PID/stat. */
export const startTicks = (machine: Machine, process: DemoProcess) =>
  Math.round((machine.processStart(process.pid) ?? runOf(machine, process)?.startUp ?? 0) * 100) + (process.pid % 400);
const threadsOf = (machine: Machine, process: DemoProcess) =>
  (runOf(machine, process)?.threads ?? []).filter((thread) => thread.pid === process.pid);

function scanRow(machine: Machine, process: DemoProcess, up: number): string {
  const cpu = threadsOf(machine, process).map((thread) => machine.cpu(thread, up));
  const user = cpu.reduce((sum, c) => sum + c.userTicks, 0);
  const system = cpu.reduce((sum, c) => sum + c.systemTicks, 0);
  const { pid, parentPid, comm } = process;
  return `s ${pid} ${parentPid} S ${startTicks(machine, process)} ${user} ${system} ${threadsOf(machine, process).length} ${comm}`;
}

function watchRow(machine: Machine, process: DemoProcess, up: number): string {
  const { pid, parentPid, comm, rssBytes } = process;
  const run = runOf(machine, process);
  const read = Math.round(run ? machine.beats(run, up) * secondsPerBeat * 31e6 : 0);
  return `w ${pid} ${parentPid} S ${startTicks(machine, process)} ${threadsOf(machine, process).length} ${Math.round(rssBytes / pageSize)} ${read} ${Math.round(read / 9)} ${comm}`;
}

const link = (pid: number, name: string, target: string) =>
  `lrwxrwxrwx 1 0 0 0 Nov 29 09:12 ${pid}/${name} -> ${target}`;

const names = (process: DemoProcess) => [
  link(process.pid, 'exe', process.executable),
  ...argumentsOf({ ...process, line: process.commandLine }),
];

const argumentsOf = ({ pid, line }: { readonly pid: number; readonly line: readonly string[] }) =>
  line.map((argument) => `${pid}/cmdline:${argument}`);

const describe = ({ pid, cwd, environment }: DemoProcess) => [
  link(pid, 'cwd', cwd),
  ...Object.entries(environment).map(([name, value]) => `${pid}/environ:${name}=${value}`),
];

const descriptors = ({ pid, gpuMinors }: DemoProcess) => [
  `f ${pid} 1 ${logPath}`,
  `f ${pid} 2 ${logPath}`,
  ...gpuMinors.map((minor) => `g ${pid} ${minor}`),
];

function linkTarget(alive: readonly DemoProcess[], word: string): string {
  const [pid, name = ''] = word.split(/\/(.*)/);
  const process = alive.find((p) => p.pid === Number(pid));
  if (name === 'exe') return process?.executable ?? '';
  if (name === 'cwd') return process?.cwd ?? '';
  return logPath;
}

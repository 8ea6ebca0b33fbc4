import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startSshd } from '../test/support/sshd.ts';
import { startTerminal } from '../test/support/terminal.ts';
import { median, report } from './figures.ts';
import { cpuOf, ticksPerSecond } from './processes.ts';
import { startBenchWorkload } from './programs.ts';

const threads = { threads: 300, active: 60, percent: 0.5 };
const targetPercent = 1;

/** What the monitor costs the host that it watches: everything below sshd, and what the screen says of it. */
export async function measureHost({ warmUp = 30, seconds = 60 } = {}): Promise<void> {
  const workload = await startBenchWorkload(threads);
  const sshd = await startSshd();
  const config = join(sshd.folder, 'config');
  writeFileSync(config, `Host *\n  UserKnownHostsFile ${sshd.knownHostsFile}\n`);
  const target = `${sshd.user}@127.0.0.1:${sshd.port}`;
  const args = [target, '--identity', sshd.keyFile, '--ssh-config', config, '--pid', String(workload.pid)];
  const terminal = startTerminal({ args, cols: 160, rows: 50 });
  try {
    await terminal.waitFor(/\d+ of 300 /);
    await pass(warmUp * 1000);
    const said: number[] = [];
    const before = costBelow(sshd.pid);
    const start = performance.now();
    for (let second = 0; second < seconds; second++) {
      await pass(1000);
      said.push(Number(/costs the host ([\d.]+) %/.exec(terminal.screen())?.[1]));
    }
    const passed = (performance.now() - start) / 1000;
    const after = costBelow(sshd.pid);
    const shells = (100 * (after.shells - before.shells)) / ticksPerSecond / passed;
    const link = (100 * (after.link - before.link)) / ticksPerSecond / passed;
    console.log(
      `host: a real sshd and a real process of ${threads.threads} threads (${threads.active} active), 1 s, ${seconds} s after ${warmUp} s`,
    );
    report('CPU of our commands on the host', `${shells.toFixed(2)} % of a core`, {
      text: `< ${targetPercent} %`,
      met: shells < targetPercent,
    });
    report('as traintop says it (median)', `${median(said).toFixed(2)} %`);
    report('CPU of sshd for the connection', `${link.toFixed(2)} % of a core`);
    report('processes there', String(after.processes));
  } finally {
    await terminal.close();
    await sshd.stop();
    await workload.stop();
  }
}

/** CPU ticks of all processes below sshd: those of the link (sshd's own) apart from the commands. */
function costBelow(root: number) {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(Number(entry));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const sum = { shells: 0, link: 0, processes: 0 };
  const add = (pid: number) => {
    for (const child of children.get(pid) ?? []) {
      try {
        const isLink = readFileSync(`/proc/${child}/comm`, 'utf8').startsWith('sshd');
        // A command that ended stands in the figure of the shell that waited for it.
        if (isLink) sum.link += cpuOf(child).own;
        else {
          sum.shells += cpuOf(child).withChildren;
          sum.processes++;
        }
      } catch {
        // It ended meanwhile.
      }
      add(child);
    }
  };
  add(root);
  return sum;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

import type { DemoThread } from '../cast.ts';
import type { Machine } from '../machine.ts';
import { hash } from '../noise.ts';
import type { Player, Stage } from '../shell.ts';
import type { DemoCpu } from '../thread-load.ts';
import { playTop } from './top.ts';

/** The source `threads`, whichever reader the script is of (collectors/threads). */
export const threads: Player = (stage) => {
  if (/\npidstat|[ ;]pidstat -t/.test(stage.body)) return playPidstat(stage);
  if (/\ntop -H/.test(stage.body)) return playTop(stage);
  return playProc(stage);
};

/** R while it runs, else how it waits. A sample finds a thread running as often as it uses its core. */
export function stateOf(machine: Machine, thread: DemoThread, up: number): string {
  return hash(31, thread.tid, up * 4) * 100 < machine.rate(thread, up) ? 'R' : machine.shape(thread, up).rest;
}

function playProc({ machine, clock, print }: Stage) {
  const last = new Map<number, { readonly thread: DemoThread; readonly cpu: DemoCpu; readonly isStopped: boolean }>();
  let allBefore: readonly DemoThread[] = [];
  return (line: string) => {
    const up = machine.uptime(clock.now());
    const pids = new Set(line.split(' ').map(Number));
    const run = machine.run(up);
    const all = machine.threads(up);
    const gone = all === allBefore ? [] : [...last.values()].filter(({ thread }) => !all.includes(thread));
    for (const { thread } of gone) last.delete(thread.tid);
    allBefore = all;
    const rows = all.flatMap((thread) => {
      if (!pids.has(thread.pid)) return [];
      const cpu = machine.cpu(thread, up);
      const isStopped = machine.isStopped(thread.pid, up);
      const { cpu: before, isStopped: wasStopped } = last.get(thread.tid) ?? {};
      // A thread wakes up to stop.
      if (before?.runNs === cpu.runNs && isStopped === wasStopped) return [];
      last.set(thread.tid, { thread, cpu, isStopped });
      const micros = (now: number, then: number) => Math.floor((now - then) / 1000);
      const now = `${stateOf(machine, thread, up)} ${thread.core} ${cpu.userTicks} ${cpu.systemTicks}`;
      if (before)
        return `${thread.tid} ${now} ${micros(cpu.runNs, before.runNs)} ${micros(cpu.waitNs, before.waitNs)}\n`;
      const start = Math.round((machine.processStart(thread.pid) ?? run?.startUp ?? up) * 100) + (thread.tid % 100);
      return `${thread.pid} ${thread.tid} ${start} ${now} ${cpu.runNs} ${cpu.waitNs} (${thread.comm})\n`;
    });
    const ends = gone.map(({ thread }) => `- ${thread.pid} ${thread.tid}\n`);
    print(`T ${up.toFixed(2)}\n${rows.join('')}${ends.join('')}.\n`);
  };
}

/** `pidstat -t -h -H -u -p PIDS N` of sysstat 12.6. */
function playPidstat({ machine, clock, body, print, every }: Stage) {
  const [, list = '', seconds = '1'] = /pidstat .*-p ([\d,]+) (\d+)/.exec(body) ?? [];
  const pids = list.split(',').map(Number);
  print('Linux 6.8.0 (h200-demo) \t2026-11-29 \t_x86_64_\t(128 CPU)\n');
  let before = machine.uptime(clock.now());
  every(Number(seconds) * 1000, () => {
    const now = clock.now();
    const up = machine.uptime(now);
    const threads = machine.threads(up);
    const share = (thread: DemoThread) => cpuBetween(machine, thread, before, up);
    const row = (
      tgid: string,
      tid: string,
      cpu: { user: number; system: number; wait: number },
      core: number,
      name: string,
    ) =>
      [
        Math.floor(now / 1000),
        0,
        tgid,
        tid,
        ...[cpu.user, cpu.system, 0, cpu.wait, cpu.user + cpu.system].map((n) => n.toFixed(2)),
        core,
        name,
      ]
        .map((cell) => String(cell).padStart(10))
        .join('') + '\n';
    let text = '\n# Time        UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n';
    for (const pid of pids) {
      const own = threads.filter((thread) => thread.pid === pid);
      const all = own.map(share);
      const sum = (of: (cpu: ReturnType<typeof share>) => number) => all.reduce((total, cpu) => total + of(cpu), 0);
      const total = { user: sum((c) => c.user), system: sum((c) => c.system), wait: sum((c) => c.wait) };
      text += row(String(pid), '-', total, own[0]?.core ?? 0, ` ${own[0]?.comm ?? ''}`);
      own.forEach((thread, i) => {
        const cpu = all[i];
        if (cpu) text += row('-', String(thread.tid), cpu, thread.core, ` |__${thread.comm}`);
      });
    }
    before = up;
    print(text);
  });
}

function cpuBetween(machine: Machine, thread: DemoThread, from: number, to: number) {
  const middle = (from + to) / 2;
  const percent = machine.rate(thread, middle);
  const { systemShare, waitShare } = machine.shape(thread, middle);
  return { user: percent * (1 - systemShare), system: percent * systemShare, wait: percent * waitShare };
}

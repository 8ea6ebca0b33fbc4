import type { Stage } from '../shell.ts';
import { stateOf } from './threads.ts';

/** Busy threads of others on the demo host: what a shared node has beside the run. */
const neighbours = [
  { pid: 2211, tid: 2214, user: 'root', comm: 'node_exporter', percent: 2.1 },
  { pid: 1904, tid: 1904, user: 'root', comm: 'nv-hostengine', percent: 3.4 },
  { pid: 77102, tid: 77102, user: 'mira', comm: 'rsync', percent: 11.8 },
];

/** What the awk behind `top -H` prints (collectors/threads/top-script.ts), of the run's threads or of the whole host. */
export function playTop({ machine, clock, body, print, every }: Stage): void {
  const seconds = Number(/top -H -b -d ([\d.]+)/.exec(body)?.[1] ?? 1);
  const pids = /-w 300 -p ([\d,]+)/.exec(body)?.[1]?.split(',').map(Number);
  const without = (/-v without="([\d ]*)"/.exec(body)?.[1] ?? '').split(' ').map(Number);
  const limit = Number(/-v limit=(\d+)/.exec(body)?.[1] ?? 0);
  every(seconds * 1000, () => {
    const up = machine.uptime(clock.now());
    const processes = machine.processes(up);
    const own = machine
      .threads(up)
      .filter((thread) => (pids ? pids.includes(thread.pid) : !without.includes(thread.pid)))
      .map((thread) => ({
        ...thread,
        user: 'root',
        percent: machine.rate(thread, up),
        state: stateOf(machine, thread, up),
        ticks: machine.cpu(thread, up),
      }));
    const others = pids ? [] : neighbours.map((n) => ({ ...n, state: 'S', ticks: undefined }));
    const rows = [...own, ...others].sort((a, b) => b.percent - a.percent);
    const shown = limit > 0 ? rows.filter((row) => row.percent >= 0.05).slice(0, limit) : rows;
    const text = shown.map(({ pid, tid, user, comm, percent, state, ticks }) => {
      const used = ticks ? (ticks.userTicks + ticks.systemTicks) / 100 : 3600;
      const time = `${Math.floor(used / 60)}:${(used % 60).toFixed(2).padStart(5, '0')}`;
      const memory = ((processes.find((process) => process.pid === pid)?.rssBytes ?? 5e7) / 2 ** 30).toFixed(1);
      return `${pid} = ${String(tid).padStart(7)} ${user.padEnd(8)}  20   0  ${memory}g   ${memory}g   1360 ${state} ${percent.toFixed(1).padStart(5)}   3.1 ${time.padStart(9)} ${comm}\n`;
    });
    print(`T ${up.toFixed(2)} ${2140 + (pids ? 0 : rows.length)}\n${text.join('')}.\n`);
  });
}

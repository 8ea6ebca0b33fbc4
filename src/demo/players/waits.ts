import type { DemoThread } from '../cast.ts';
import type { Machine } from '../machine.ts';
import { project } from '../places.ts';
import type { Player } from '../shell.ts';
import type { ThreadShape } from '../thread-load.ts';
import { stateOf } from './threads.ts';

/** A call, its first arguments, the function in which it waits, and what the descriptor is. */
interface Wait {
  readonly call: string;
  readonly where: string;
  readonly file?: string;
}

/** How many of those that ran the script looks at (collectors/threads/waits-script.ts). */
const mostLooks = 12;
/** Who uses less than this is taken for one that did not run: a wait of minutes is told by a scenario as a tenth of a percent. */
const leastShare = 0.0015;
const allCores = '0-127';

/** The source `waits`: what threads wait in, as their stacks and states tell it. */
export const waits: Player = ({ machine, clock, print }) => {
  /** CPU of each thread at the last tick, and whether it was looked at since it ran. */
  const known = new Map<number, { readonly thread: DemoThread; readonly runNs: number; readonly looked: boolean }>();
  let before: number | undefined;
  print('H x86_64 syscall wchan stack schedstat\n');
  return (line: string) => {
    const up = machine.uptime(clock.now());
    const pids = new Set(line.split(' ').map(Number));
    const threads = machine.threads(up).filter(({ pid }) => pids.has(pid));
    const present = new Set(threads);
    const gone = [...known.values()].filter(({ thread }) => !present.has(thread));
    for (const { thread } of gone) known.delete(thread.tid);
    const seconds = before === undefined ? Infinity : up - before;
    before = up;
    const ran = new Map<number, number[]>();
    const active: { readonly thread: DemoThread; readonly grown: number }[] = [];
    const looks: string[] = [];
    for (const thread of threads) {
      const { runNs } = machine.cpu(thread, up);
      const old = known.get(thread.tid);
      const grown = old ? runNs - old.runNs : 0;
      const isActive = grown > leastShare * seconds * 1e9;
      if (old && isActive) {
        ran.set(thread.pid, [...(ran.get(thread.pid) ?? []), thread.tid]);
        active.push({ thread, grown });
      } else if (!old?.looked) looks.push(look(machine, thread, { up, isActive: false }));
      known.set(thread.tid, { thread, runNs, looked: !isActive });
    }
    active.sort((a, b) => b.grown - a.grown);
    for (const { thread } of active.slice(0, mostLooks)) looks.push(look(machine, thread, { up, isActive: true }));
    print(
      `T ${up.toFixed(2)}\n` +
        [...ran].map(([pid, tids]) => `~ ${pid} ${tids.join(' ')}\n`).join('') +
        looks.join('') +
        gone.map(({ thread }) => `- ${thread.pid} ${thread.tid}\n`).join('') +
        '.\n',
    );
  };
};

function look(
  machine: Machine,
  thread: DemoThread,
  { up, isActive }: { readonly up: number; readonly isActive: boolean },
): string {
  const { pid, tid, core } = thread;
  const shape = machine.shape(thread, up);
  const state = isActive ? stateOf(machine, thread, up) : shape.rest;
  const { slices, runNs } = machine.cpu(thread, up);
  // It gives its core away when its work is done; what it waits for a core tells how often it is taken from it.
  const taken = Math.round(slices * Math.min(0.5, shape.waitShare * 2));
  const switches = isActive && runNs > 0 ? `${slices - taken} ${taken}` : '- -';
  const head = `${pid} ${tid} ${state} ${core} ${switches}`;
  const cpus = isActive ? allCores : '-';
  if (state === 'R') return `${head} run - - - 0 ${cpus}\n`;
  const { call, where, file } = waitOf(thread, shape);
  const row = `${head} ${call} ${where} ${cpus}\n`;
  const link = file === undefined ? '' : `F ${pid} ${tid} ${Number(call.split(' ')[1])} ${file}\n`;
  const stack = state === 'D' ? `S ${pid} ${tid} io_schedule ${where} filemap_read vfs_read ksys_read\n` : '';
  return row + link + stack;
}

/** What the innermost frame, or the kernel's name of a native thread, waits in. */
function waitOf({ comm, tid, pid, name }: DemoThread, { rest, stack }: ThreadShape): Wait {
  const innermost = stack[0]?.[0] ?? '';
  if (rest === 'D')
    return {
      call: '0 0x1d 0x7f30d764ffb0 0x100000',
      where: 'folio_wait_bit_common',
      file: `${project}/data/shard-0412.bin`,
    };
  if (comm === 'cuda-EvtHandlr')
    return { call: '7 0x7fcd14000c20 0xb 0xffffffff', where: 'poll_schedule_timeout.constprop.0' };
  if (/tcpstore/.test(comm))
    return { call: '232 0x19 0x7f30ac000f70 0x400', where: 'ep_poll', file: 'anon_inode:[eventpoll]' };
  if (/pt_nccl|watchdog/.test(comm)) return { call: '230 0x1 0x0 0x7f4a53fe6b00', where: 'hrtimer_nanosleep' };
  if (/^(recv|read|poll|select)/.test(innermost))
    return { call: '0 0x17 0x7f30d764ffb0 0x4', where: 'anon_pipe_read', file: `pipe:[${150_000 + (pid % 1000)}]` };
  if (innermost === '_invoke_run' || innermost === 'sleep')
    return { call: '230 0x1 0x0 0x7ffe3773cba0', where: 'hrtimer_nanosleep' };
  if (innermost === 'synchronize' && name !== undefined)
    return { call: '16 0x2a 0xc020462a 0x7ffd9e3cbe40', where: 'rwsem_down_write_slowpath', file: '/dev/nvidiactl' };
  // A pool's threads share the queue that they wait at; others have a lock each.
  const address = /^OMP/.test(comm) ? pid : tid;
  return { call: `202 0x7f${address.toString(16).padStart(10, '0')} 0x189 0x0`, where: 'futex_do_wait' };
}

/** The kernel's function in which a thread sleeps. */
export function placeInKernel(thread: DemoThread, shape: ThreadShape): string {
  return waitOf(thread, shape).where;
}

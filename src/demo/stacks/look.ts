import type { DemoThread } from '../cast.ts';
import type { Machine } from '../machine.ts';
import { hash } from '../noise.ts';
import { autogradBusy, autogradIdle, type NativeFrames } from './libraries.ts';
import { waysOf, type Way } from './ways.ts';

/** A thread as py-spy finds it at one moment. */
export interface SeenThread {
  readonly tid: number;
  /** Python's name; absent for one that only machine code runs on. */
  readonly name?: string;
  readonly active: boolean;
  readonly ownsGil: boolean;
  /** Innermost first. */
  readonly frames: readonly SeenFrame[];
}

/** Function, file, and the line of a Python frame. */
export type SeenFrame = readonly [name: string, file: string, line?: number];

/** What to look at; `tick` tells the looks of one second apart. */
export interface Look {
  readonly machine: Machine;
  readonly pid: number;
  readonly up: number;
  readonly tick: number;
  readonly native?: boolean;
}

/** py-spy finds the threads that Python knows: its own, and those that came to it from C++ (autograd's), which have no name. */
export function look({ machine, pid, up, tick, native = false }: Look): readonly SeenThread[] | undefined {
  if (!machine.processes(up).some((process) => process.pid === pid)) return undefined;
  const seen = machine
    .threads(up)
    .filter((thread) => thread.pid === pid && (thread.name !== undefined || isAutograd(thread)))
    .map((thread) => ({ thread, ...machine.shape(thread, up) }))
    .map(({ thread, stack, percent }) => ({
      thread,
      stack,
      active: hash(9, thread.tid, tick) * 100 < percent,
      way: pick(waysOf(stack), hash(13, thread.tid, tick)),
    }));
  const holder = holderOf(machine, up, tick, seen);
  return seen.map((each) => {
    const { thread, stack, active, way } = each;
    const python = [...(way.inner ?? []), ...stack.slice(way.drop ?? 0)];
    const machineCode = native ? nativeOf(each) : [];
    return {
      tid: thread.tid,
      ...(thread.name !== undefined && { name: thread.name }),
      active,
      ownsGil: thread === holder,
      frames: [...machineCode, ...python],
    };
  });
}

const isAutograd = ({ comm }: DemoThread) => comm.startsWith('pt_autograd');

interface Seen {
  readonly thread: DemoThread;
  readonly active: boolean;
  readonly way: Way;
}

function nativeOf({ thread, active, way }: Seen): NativeFrames {
  if (isAutograd(thread)) return active ? autogradBusy : autogradIdle;
  return way.native ?? [];
}

function pick(ways: readonly Way[], part: number): Way {
  let left = part * ways.reduce((sum, { weight }) => sum + weight, 0);
  return ways.find(({ weight }) => (left -= weight) < 0) ?? ways[0] ?? { weight: 1 };
}

/** At most one has the GIL: the scenario's, else one of those that run Python just now. */
function holderOf(machine: Machine, up: number, tick: number, seen: readonly Seen[]): DemoThread | undefined {
  const { gil } = machine.effects(up).findLast(({ effect }) => effect.gil !== undefined)?.effect ?? {};
  const candidates =
    gil === undefined
      ? seen.filter(
          ({ thread, active, way }) => active && !isAutograd(thread) && hash(17, thread.tid, tick) < (way.gil ?? 1),
        )
      : seen.filter(({ thread }) => gil?.test(thread.key) ?? false);
  return candidates[Math.floor(hash(5, tick) * candidates.length)]?.thread;
}

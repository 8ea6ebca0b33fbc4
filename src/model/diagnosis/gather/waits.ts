import type { WaitsSample } from '../../samples.ts';
import { waitWord, type WaitWord } from '../../waits/wait-word.ts';
import type { Window } from './gatherer.ts';

/** What threads were found to wait in, by looks of late. */
export interface WaitLooks {
  add(sample: WaitsSample): void;
  /** Percent of the looks at these threads that found them asleep, or in a file or socket; undefined: no look showed one. */
  sleepShare(asked: {
    readonly pid: number;
    readonly tids: readonly number[];
    readonly window: Window;
  }): number | undefined;
  forget(): void;
}

/** Live they come every 6 s, further apart where they cost much: of a shorter time there are one or two, which is chance. */
const leastMs = 30_000;
/** The longest window of the engine, at a look a second. */
const mostLooks = 60;
/** A thread in one of these waits for a file, a peer or a clock: a futex may be a wait for the backward pass, ioctl one for the device. */
const sleeps: ReadonlySet<WaitWord> = new Set<WaitWord>(['sleep', 'read', 'network', 'poll', 'file']);

interface Look {
  readonly time: number;
  /** By TID, whether it sleeps so. */
  readonly threads: ReadonlyMap<number, boolean>;
  readonly mains: ReadonlySet<number>;
}

/** No looks yet. */
export function createWaitLooks(): WaitLooks {
  let looks: Look[] = [];
  return {
    add(sample) {
      looks = [...looks.filter(({ time }) => time < sample.time), lookOf(sample)].slice(-mostLooks);
    },
    sleepShare({ pid, tids, window: { from, to } }) {
      const begin = Math.min(from, to - leastMs);
      let [found, asleep] = [0, 0];
      for (const { time, threads, mains } of looks) {
        if (time < begin || time > to) continue;
        // A run that was repeated for its stacks has other PIDs: where there is one process, it is that one.
        const own = mains.has(pid) || mains.size !== 1 || tids.length === 0 ? tids : mains;
        for (const tid of own) {
          const sleeps = threads.get(tid);
          if (sleeps === undefined) continue;
          found++;
          if (sleeps) asleep++;
        }
      }
      return found === 0 ? undefined : (asleep / found) * 100;
    },
    forget: () => void (looks = []),
  };
}

function lookOf({ time, pid, tid, state, call, where }: WaitsSample): Look {
  const threads = new Map<number, boolean>();
  for (const [i, own] of tid.entries()) {
    const word = state[i] === 'R' ? undefined : waitWord(call[i] ?? undefined, where[i] ?? undefined);
    threads.set(own, word !== undefined && sleeps.has(word));
  }
  return { time, threads, mains: new Set(pid) };
}

import { describe, expect, it } from 'vitest';
import type { StacksSample, ThreadsSample } from '../../src/model/samples.ts';
import { roleFinder } from '../../src/model/roles/finder.ts';
import { emptyState, reduceState, type State } from '../../src/model/state.ts';
import { lifeMarkMs } from '../../src/model/thread-lives.ts';

const start = 1_780_000_000_000;
const head = (seconds: number) => ({ host: 'h', time: start + seconds * 1000, receivedAt: start + seconds * 1000 });

function frame(seconds: number, threads: readonly (readonly [tid: number, comm?: string])[]): ThreadsSample {
  const all = <T>(value: T) => threads.map(() => value);
  return {
    ...{ ...head(seconds), kind: 'threads', source: 'threads', reader: 'proc', intervalSeconds: 1, pid: all(10) },
    ...{ tid: threads.map(([tid]) => tid), comm: threads.map(([, comm = 'python3']) => comm), state: all('S') },
    ...{ core: all(0), cpuPercent: all(1), userPercent: all(1), systemPercent: all(0), runQueuePercent: all(0) },
  };
}

function dump(seconds: number, threads: readonly Partial<StacksSample['threads'][number]>[]): StacksSample {
  return {
    ...{ ...head(seconds), kind: 'stacks', source: 'stacks', pid: 10, command: 'python3 t.py' },
    threads: threads.map((thread) => ({ active: false, ownsGil: false, frames: [], ...thread })),
  };
}

const after = (...samples: readonly Parameters<typeof reduceState>[1][]) =>
  samples.reduce<State>(reduceState, emptyState(start));
const roles = (state: State) => state.threads?.tid.map((tid) => roleFinder(state)({ pid: 10, tid }));

describe('what dumps say of threads', () => {
  const worker = { function: '_feed', file: '/usr/lib/python3.12/multiprocessing/queues.py' };

  it('is a name, a role from the stack, and that the others are not Python', () => {
    const state = after(
      frame(0, [[10], [11], [12], [13, 'pt_autograd_0']]),
      dump(1, [
        { tid: 10, name: 'MainThread' },
        { tid: 11, name: 'Thread-1', frames: [worker] },
      ]),
    );
    expect(state.threadNames.get('10:11')).toBe('Thread-1');
    expect(roles(state)).toEqual(['main', 'queue feeder', 'native', 'autograd']);
  });

  it('says nothing of others where one thread has no TID: Python before 3.11', () => {
    const state = after(frame(0, [[10], [11], [12]]), dump(1, [{ tid: 10, name: 'MainThread' }, { name: 'loader' }]));
    expect(roles(state)).toEqual(['main', undefined, undefined]);
  });

  it('keeps a role while the thread is at something else, and takes back that it is not Python', () => {
    const first = dump(1, [{ tid: 11, name: 'Thread-1', frames: [worker] }, { tid: 10 }]);
    const state = after(frame(0, [[10], [11], [12]]), first, dump(2, [{ tid: 10 }, { tid: 11 }, { tid: 12 }]));
    expect(roles(state)).toEqual(['main', 'queue feeder', undefined]);
  });

  it('puts what labels say before it, and keeps both', () => {
    const labels = { ...head(2), kind: 'labels', source: 'user', pid: [10, 10], tid: [11, 12] } as const;
    const state = after(frame(0, [[10], [11], [12]]), dump(1, [{ tid: 10 }, { tid: 11, frames: [worker] }]), {
      ...labels,
      name: [null, 'kept-3'],
      rule: ['mine', null],
      stack: [null, null],
    });
    expect(roles(state)).toEqual(['main', 'mine', 'kept']);
    expect(state.threadRoles.get('10:11')).toEqual({ rule: 'mine', stack: 'queue feeder' });
  });
});

describe('threads that come and go', () => {
  it('are marked for some seconds; a first frame has no new ones', () => {
    const came = after(frame(0, [[10], [11]]), frame(1, [[10], [11], [12]]));
    expect(after(frame(0, [[10], [11]])).threadLives.born.size).toBe(0);
    expect([...came.threadLives.born]).toEqual([['10:12', start + 1000]]);
    const later = [1 + lifeMarkMs / 1000 - 1, 1 + lifeMarkMs / 1000].map(
      (seconds) => reduceState(came, frame(seconds, [[10], [11], [12]])).threadLives.born.size,
    );
    expect(later).toEqual([1, 0]);
  });

  it('take their names with them: the TID may come again for another', () => {
    const named = after(frame(0, [[10], [11]]), dump(0, [{ tid: 10 }, { tid: 11, name: 'loader-1' }]));
    const gone = reduceState(named, frame(1, [[10]]));
    expect(gone.threadNames.has('10:11')).toBe(false);
    expect(gone.threadLives.gone).toMatchObject([{ pid: 10, tid: 11, name: 'loader-1', at: start + 1000 }]);
    const again = reduceState(reduceState(gone, frame(8, [[10]])), frame(9, [[10], [11]]));
    expect(again.threadLives.gone).toEqual([]);
    expect(again.threadNames.has('10:11')).toBe(false);
    expect([...again.threadLives.born.keys()]).toEqual(['10:11']);
  });

  it('keep them where one frame lacked them only', () => {
    const named = after(frame(0, [[10], [11]]), dump(0, [{ tid: 10 }, { tid: 11, name: 'loader-1' }]));
    const back = reduceState(reduceState(named, frame(1, [[10]])), frame(2, [[10], [11]]));
    expect(back.threadNames.get('10:11')).toBe('loader-1');
    expect(back.threadLives).toEqual({ born: new Map(), gone: [] });
  });

  it('are not told after a hole: nobody knows when it was', () => {
    const state = after(frame(0, [[10], [11]]), frame(600, [[10], [12]]));
    expect(state.threadLives).toEqual({ born: new Map(), gone: [] });
  });

  it('cost nothing where none did', () => {
    const before = after(frame(0, [[10], [11]]), frame(1, [[10], [11]]));
    const next = reduceState(before, frame(2, [[10], [11]]));
    expect(next.threadLives).toBe(before.threadLives);
    expect(next.threadNames).toBe(before.threadNames);
  });
});

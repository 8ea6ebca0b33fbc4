import type { ProfileSample, ProfileStack, ProfileThread } from '../../model/capture-samples.ts';
import type { StackFrame, StackThread } from '../../model/stacks.ts';

/** Counts equal stacks together. */
export interface StackFolder {
  add(thread: Pick<StackThread, 'tid' | 'name' | 'frames'>, more: Omit<ProfileStack, 'thread' | 'frames'>): void;
  /** The most frequent first, as many as a line of a recording bears; tables of what is in them only. */
  folded(): Pick<ProfileSample, 'threads' | 'frames' | 'stacks' | 'leftOut'>;
}

/** Different stacks that are kept of one profile: the most frequent. */
const mostStacks = 5000;
/** Of all of them together: a recursion is a thousand deep. */
const mostFrames = 200_000;
/** A program may name its threads anything, of any length. */
const longestName = 200;

/** A folder without stacks. */
export function createStackFolder(): StackFolder {
  const threads = createTable<ProfileThread>();
  const frames = createTable<StackFrame>();
  const stacks = new Map<string, ProfileStack>();
  return {
    add({ tid, name, frames: path }, more) {
      const thread = threads.indexOf(`${tid} ${name}`, {
        ...(tid !== undefined && { tid }),
        ...(name !== undefined && { name: name.slice(0, longestName) }),
      });
      const indexes = path.map((frame) => {
        const { function: symbol, file, line, native } = frame;
        return frames.indexOf(`${symbol}\0${file}\0${line}\0${native}`, frame);
      });
      const key = `${thread}:${indexes.join(' ')}`;
      const known = stacks.get(key);
      stacks.set(key, {
        thread,
        frames: indexes,
        count: (known?.count ?? 0) + more.count,
        ...(more.active !== undefined && { active: (known?.active ?? 0) + more.active }),
        ...(more.gil !== undefined && { gil: (known?.gil ?? 0) + more.gil }),
      });
    },
    folded() {
      const keptThreads = createTable<ProfileThread>();
      const keptFrames = createTable<StackFrame>();
      const kept: ProfileStack[] = [];
      let leftOut = 0;
      let sum = 0;
      for (const stack of [...stacks.values()].sort((a, b) => b.count - a.count)) {
        const isKept = kept.length < mostStacks && sum + stack.frames.length <= mostFrames;
        if (!isKept) {
          leftOut += stack.count;
          continue;
        }
        sum += stack.frames.length;
        kept.push({
          ...stack,
          thread: keptThreads.indexOf(stack.thread, threads.at(stack.thread)),
          frames: stack.frames.map((at) => keptFrames.indexOf(at, frames.at(at))),
        });
      }
      const tables = { threads: keptThreads.all(), frames: keptFrames.all(), stacks: kept };
      return { ...tables, ...(leftOut > 0 && { leftOut }) };
    },
  };
}

/** Things by their keys, in the order in which they came. */
function createTable<T>() {
  const indexes = new Map<unknown, number>();
  const all: T[] = [];
  return {
    indexOf(key: unknown, value: T): number {
      const known = indexes.get(key);
      if (known !== undefined) return known;
      indexes.set(key, all.length);
      return all.push(value) - 1;
    },
    at: (index: number) => all[index] as T,
    all: (): readonly T[] => all,
  };
}

import { captureDefaults } from '../../model/capture-plan.ts';
import type { ProfileSample, ProfileStack, ProfileThread } from '../../model/capture-samples.ts';
import type { StackFrame, StackThread } from '../../model/stacks.ts';
import { safeText } from '../../model/text.ts';
import type { SpyAnswer } from './answer.ts';
import type { SpyJob } from './guard.ts';
import { readThreads } from './parse.ts';

/** What a profile is made of, before it is known of which process and capture. */
export type Profile = Pick<
  ProfileSample,
  'rate' | 'seconds' | 'samples' | 'errors' | 'threads' | 'frames' | 'stacks' | 'leftOut'
>;

/** Different stacks that are kept of one profile: the most frequent. */
const mostStacks = 5000;

/** Folds the dumps of `many`: each stack with how often it was seen. Undefined when there is not one. */
export function foldDumps(
  { outputs }: Pick<SpyAnswer, 'outputs'>,
  { everySeconds = captureDefaults.everySeconds }: Pick<SpyJob, 'everySeconds'>,
): Profile | undefined {
  const dumps = outputs.map(({ text }) => readThreads(text)).filter((dump) => dump !== undefined);
  if (dumps.length === 0) return undefined;
  const folder = createFolder();
  for (const thread of dumps.flat())
    folder.add(thread, { count: 1, active: thread.active ? 1 : 0, gil: thread.ownsGil ? 1 : 0 });
  return {
    ...folder.folded(),
    seconds: (outputs.length - 1) * everySeconds,
    samples: dumps.length,
    errors: outputs.length - dumps.length,
  };
}

/** A record, and what does not fit in it. */
export interface RawRecord {
  readonly profile: Profile;
  /** py-spy says it took so many stacks, and its file has fewer: something was lost on the way. */
  readonly missing?: number;
}

/**
 * Reads what `py-spy record -f raw -t` (0.4.2) wrote: `thread (TID): NAME;outermost (file:line);…;innermost (file:line) COUNT` a line.
 * Undefined when it did not end well; no line is no fault of a record of what was idle.
 */
export function readRaw(
  { outputs, progress, tookSeconds, noFile }: Pick<SpyAnswer, 'outputs' | 'progress' | 'tookSeconds' | 'noFile'>,
  job: Pick<SpyJob, 'what' | 'rate' | 'seconds'>,
): RawRecord | undefined {
  const last = outputs.at(-1);
  if (last?.code !== 0 || noFile) return undefined;
  const { rate, seconds: planned } = { ...captureDefaults, ...job };
  const folded = foldRaw(last.text);
  const { counted, ...tables } = folded;
  const [, told = String(counted), errors = '0'] = /Samples: (\d+) Errors: (\d+)/.exec(progress.join('\n')) ?? [];
  const seconds = Math.min(planned, tookSeconds ?? planned);
  // With --idle each look counts a thread once: one that was there all the time tells how many there were.
  const most = Math.max(0, ...perThread(folded));
  const looks = job.what === 'record' && most > 0 ? most : Math.round(rate * (wasCut(progress) ? seconds : planned));
  const missing = Number(told) - counted;
  return {
    profile: { ...tables, rate, seconds, samples: looks, errors: Number(errors) },
    ...(missing > 0 && { missing }),
  };
}

/** py-spy (0.4.2) looks so often as rate and time make, at random moments: it may have done sooner, or later, and that is no cut. */
function wasCut(progress: readonly string[]): boolean {
  return progress.some((line) => line.includes('Stopped sampling because'));
}

/** The text of a record (`-f raw -t`), and how many stacks were counted in it. */
export function foldRaw(
  text: string,
): Pick<Profile, 'threads' | 'frames' | 'stacks' | 'leftOut'> & { readonly counted: number } {
  const folder = createFolder();
  let counted = 0;
  for (const line of text.split('\n')) {
    const [, body, count] = /^(.*) (\d+)$/.exec(line) ?? [];
    if (body === undefined) continue;
    const [head = '', ...frames] = body.split(';');
    const [, tid, name] = /^thread \((\d+)\)(?:: (.*))?$/.exec(head) ?? [];
    const thread = {
      ...(tid !== undefined && { tid: Number(tid) }),
      ...(name !== undefined && { name: safeText(name) }),
    };
    counted += Number(count);
    folder.add({ ...thread, frames: frames.map(readFrame).reverse() }, { count: Number(count) });
  }
  return { ...folder.folded(), counted };
}

function perThread({ threads, stacks }: Pick<Profile, 'threads' | 'stacks'>): readonly number[] {
  const counts = threads.map(() => 0);
  for (const { thread, count } of stacks) counts[thread] = (counts[thread] ?? 0) + count;
  return counts;
}

/** `function (file:line)` or, of a library, `symbol (file)`: symbols of C++ have parentheses of their own. */
function readFrame(text: string): StackFrame {
  const [, name, place = '?'] = /^(.*) \(([^()]*)\)$/.exec(text) ?? [];
  const [, file, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  return {
    function: safeText(name ?? text),
    file: safeText(file ?? place),
    ...(line !== undefined ? { line: Number(line) } : { native: true as const }),
  };
}

type Counted = Pick<StackThread, 'tid' | 'name' | 'frames'>;

/** Tables of threads and frames, and equal stacks counted together. */
function createFolder() {
  const threads = new Map<string, { readonly at: number; readonly thread: ProfileThread }>();
  const frames = new Map<string, { readonly at: number; readonly frame: StackFrame }>();
  const stacks = new Map<string, ProfileStack>();

  function add({ tid, name, frames: path }: Counted, more: Omit<ProfileStack, 'thread' | 'frames'>) {
    const key = `${tid} ${name}`;
    const thread = threads.get(key) ?? {
      at: threads.size,
      thread: { ...(tid !== undefined && { tid }), ...(name !== undefined && { name }) },
    };
    threads.set(key, thread);
    const indexes = path.map((frame) => {
      const frameKey = `${frame.function}\0${frame.file}\0${frame.line}`;
      const known = frames.get(frameKey) ?? { at: frames.size, frame };
      frames.set(frameKey, known);
      return known.at;
    });
    const stackKey = `${thread.at}:${indexes.join(' ')}`;
    const known = stacks.get(stackKey);
    stacks.set(stackKey, {
      thread: thread.at,
      frames: indexes,
      count: (known?.count ?? 0) + more.count,
      ...(more.active !== undefined && { active: (known?.active ?? 0) + more.active }),
      ...(more.gil !== undefined && { gil: (known?.gil ?? 0) + more.gil }),
    });
  }

  return {
    add,
    folded(): Pick<Profile, 'threads' | 'frames' | 'stacks' | 'leftOut'> {
      const all = [...stacks.values()].sort((a, b) => b.count - a.count);
      const leftOut = all.slice(mostStacks).reduce((sum, { count }) => sum + count, 0);
      return {
        threads: [...threads.values()].map(({ thread }) => thread),
        frames: [...frames.values()].map(({ frame }) => frame),
        stacks: all.slice(0, mostStacks),
        ...(leftOut > 0 && { leftOut }),
      };
    },
  };
}

import { explainClass } from '../classes/classify.ts';
import type { Classified, ClassState } from '../classes/names.ts';
import type { CaptureResult, ProfileSample, StacksSample } from '../samples.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded, FoldedProcess, FoldedStack, FoldContext } from './fold.ts';
import { createInterner, type Interned } from './intern.ts';
import { weightOf } from './weight.ts';

interface Owner {
  readonly pid: number;
  readonly tid?: number;
  readonly name?: string;
  readonly comm?: string;
  readonly thread: string;
  readonly stacks: Counted[];
  /** By frames, one a class. */
  readonly known: Map<readonly StackFrame[], Counted[]>;
}

interface Counted {
  readonly frames: readonly StackFrame[];
  readonly told: Classified;
  count: number;
  /** By the rate at which it was counted. */
  seconds: number;
  active?: number;
  gil?: number;
}

interface Counts {
  readonly count: number;
  readonly seconds?: number;
  readonly active?: number;
  readonly gil?: number;
}

/** The role of threads of which nothing is known, as in the Threads panel (thread-groups.ts). */
const noRole = 'unnamed';

/** How many of a thread's stacks are looked at for its role: rules ask each frame. */
const mostAsked = 20;

/** Takes results in, one by one. */
export function createFolder({ run, threadNames, threads, roleOf }: FoldContext) {
  const { internFrame, internStack } = createInterner();
  const ranks = new Map(run?.processes.map(({ pid, rank }) => [pid, rank]));
  const comms = new Map(threads?.tid.map((tid, i) => [`${threads.pid[i]}:${tid}`, threads.comm[i]]));
  const owners = new Map<string, Owner>();
  const processes = new Map<number, { -readonly [K in keyof FoldedProcess]: FoldedProcess[K] }>();
  const rates = new Set<number>();
  let isRecord = false;
  let native = false;
  let gilOnly = false;
  let leftOut = 0;

  function look(result: CaptureResult, looks: Pick<FoldedProcess, 'samples' | 'errors'>) {
    const { pid, command } = result;
    const rank = ranks.get(pid);
    const process = processes.get(pid) ?? { pid, ...(rank !== undefined && { rank }), command, samples: 0, errors: 0 };
    process.samples += looks.samples;
    process.errors += looks.errors;
    processes.set(pid, process);
    return process;
  }

  function ownerOf(pid: number, { tid, name: given }: { readonly tid?: number; readonly name?: string }): Owner {
    const id = `${pid}:${tid}`;
    const name = given ?? (tid === undefined ? undefined : threadNames.get(id));
    const key = tid === undefined ? `${pid} ${name}` : id;
    let owner = owners.get(key);
    if (!owner) {
      const comm = comms.get(id);
      owner = {
        pid,
        ...(tid !== undefined && { tid }),
        ...(name !== undefined && { name }),
        ...(comm !== undefined && { comm }),
        thread: name ?? comm ?? (tid === undefined ? 'unnamed' : `thread ${tid}`),
        stacks: [],
        known: new Map(),
      };
      owners.set(key, owner);
    }
    return owner;
  }

  const classes = new Map<readonly StackFrame[], Map<string, Classified>>();
  function classOf(frames: readonly StackFrame[], state: ClassState): Classified {
    const key = JSON.stringify(state);
    const known = classes.get(frames) ?? new Map<string, Classified>();
    classes.set(frames, known);
    const found = known.get(key) ?? explainClass(frames, state);
    known.set(key, found);
    return found;
  }

  function add(owner: Owner, frames: readonly StackFrame[], told: Classified, counts: Counts) {
    const { count, seconds = 0, active, gil } = counts;
    let known = owner.known.get(frames);
    if (!known) owner.known.set(frames, (known = []));
    let counted = known.find((each) => each.told.class === told.class);
    if (!counted) {
      counted = { frames, told, count: 0, seconds: 0 };
      known.push(counted);
      owner.stacks.push(counted);
    }
    counted.count += count;
    counted.seconds += seconds;
    if (active !== undefined) counted.active = (counted.active ?? 0) + active;
    if (gil !== undefined) counted.gil = (counted.gil ?? 0) + gil;
  }

  function addDump(dump: StacksSample) {
    const { pid, threads: list, failure } = dump;
    const process = look(dump, list.length > 0 ? { samples: 1, errors: 0 } : { samples: 0, errors: 1 });
    if (failure !== undefined) process.failure = failure;
    if (dump.native) native = true;
    const held = list.some(({ ownsGil }) => ownsGil);
    for (const thread of list) {
      const { active, ownsGil, stillIn } = thread;
      const frames = internStack(thread.frames.map(internFrame));
      const told = classOf(frames, {
        ...{ active, ownsGil },
        ...(held && !ownsGil && { gilElsewhere: true }),
        ...(stillIn !== undefined && { stillIn }),
      });
      add(ownerOf(pid, thread), frames, told, { count: 1, active: active ? 1 : 0, gil: ownsGil ? 1 : 0 });
    }
  }

  function addProfile(profile: ProfileSample) {
    const { pid, what, rate, samples, errors } = profile;
    look(profile, { samples, errors });
    if (what === 'gil') gilOnly = true;
    if (rate !== undefined) {
      isRecord = true;
      rates.add(rate);
    }
    leftOut += profile.leftOut ?? 0;
    const counts = countsOf(profile.stacks);
    const table = profile.frames.map(internFrame);
    for (const stack of profile.stacks) {
      const found: Interned[] = [];
      for (const at of stack.frames) {
        const frame = table[at];
        if (frame) found.push(frame);
      }
      const frames = internStack(found);
      const thread = profile.threads[stack.thread] ?? {};
      const owner = ownerOf(pid, thread);
      const own = counts.get(stack.thread) ?? { count: 0, gil: 0 };
      // In how many of the other looks than those in which it had the GIL itself did another thread have it?
      const isElsewhere = (counts.get(undefined)?.gil ?? 0) - own.gil >= (samples - own.gil) / 2;
      for (const part of partsOf(stack, what === 'gil')) {
        const state = {
          // What is known of the thread is true of the stack that it is mostly in.
          ...(stack.count * 2 >= own.count && evidenceOf(thread)),
          ...(part.gil === 0 && isElsewhere && { gilElsewhere: true }),
          ...(part.active !== undefined && { active: part.active * 2 > part.count }),
          ...(part.gil !== undefined && { ownsGil: part.gil > 0 }),
        };
        add(owner, frames, classOf(frames, state), { ...part, seconds: part.count / (rate ?? 1) });
      }
    }
  }

  function folded(): Folded {
    const [highest, lowest] = [Math.max(...rates), Math.min(...rates)];
    // Shares of who held the GIL are of looks.
    const isWeighted = rates.size > 1 && !gilOnly;
    const stacks = [...owners.values()].flatMap((owner) => {
      const { pid, tid, thread } = owner;
      owner.stacks.sort((a, b) => b.count - a.count);
      const role = roleOfOwner(owner, roleOf);
      const rank = ranks.get(pid);
      const base = { pid, ...(rank !== undefined && { rank }), ...(tid !== undefined && { tid }), thread, role };
      return owner.stacks.map(({ frames, told, count, seconds, active, gil }): FoldedStack => ({
        ...base,
        frames,
        count,
        ...(isWeighted && { weight: seconds * highest }),
        ...(active !== undefined && { active }),
        ...(gil !== undefined && { gil }),
        class: told.class,
        told,
      }));
    });
    const all = [...processes.values()];
    return {
      unit: isRecord ? 'samples' : 'dumps',
      ...(rates.size > 0 && { rate: highest }),
      ...(rates.size > 1 && { lowestRate: lowest }),
      samples: Math.max(0, ...all.map(({ samples }) => samples)),
      errors: all.reduce((sum, { errors }) => sum + errors, 0),
      native,
      gilOnly,
      processes: all.sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || a.pid - b.pid),
      stacks: stacks.sort((a, b) => weightOf(b) - weightOf(a)),
      count: stacks.reduce((sum, { count }) => sum + count, 0),
      ...(isWeighted && { weight: stacks.reduce((sum, stack) => sum + weightOf(stack), 0) }),
      leftOut,
    };
  }

  return { addDump, addProfile, folded };
}

/** How often each thread was seen, and seen with the GIL; by undefined those of all. */
function countsOf(stacks: ProfileSample['stacks']): ReadonlyMap<number | undefined, { count: number; gil: number }> {
  const counts = new Map<number | undefined, { count: number; gil: number }>();
  for (const { thread, count, gil = 0 } of stacks) {
    for (const key of [thread, undefined]) {
      const known = counts.get(key);
      if (!known) counts.set(key, { count, gil });
      else {
        known.count += count;
        known.gil += gil;
      }
    }
  }
  return counts;
}

function evidenceOf({ stillIn, cpuShare, gilShare }: ProfileSample['threads'][number]) {
  return {
    ...(stillIn !== undefined && { stillIn }),
    ...(cpuShare !== undefined && { cpuShare }),
    ...(gilShare !== undefined && { gilShare }),
  };
}

/** A stack that was seen with and without the GIL, at work and asleep, is several: what it did is not the same. */
function partsOf({ count, active, gil }: Counts, gilOnly: boolean): readonly Counts[] {
  if (gilOnly) return [{ count, gil: count }];
  const told = (atWork: number, held: number) => ({
    ...(active !== undefined && { active: atWork }),
    ...(gil !== undefined && { gil: held }),
  });
  const held = Math.min(count, gil ?? 0);
  // Who holds the GIL is at work, though py-spy 0.4.2 calls some idle.
  const atWork = Math.min(count - held, Math.max(0, (active ?? 0) - held));
  const asleep = count - held - atWork;
  return [
    { count: held, ...told(Math.min(held, active ?? 0), held) },
    { count: atWork, ...told(atWork, 0) },
    { count: asleep, ...told(0, 0) },
  ].filter((part) => part.count > 0);
}

function roleOfOwner({ pid, tid, name, comm, stacks }: Owner, roleOf: FoldContext['roleOf']): string {
  const names = {
    pid,
    ...(tid !== undefined && { tid }),
    ...(name !== undefined && { name }),
    ...(comm !== undefined && { comm }),
  };
  for (const { frames } of stacks.slice(0, mostAsked)) {
    const role = roleOf({ ...names, frames });
    if (role !== undefined) return role;
  }
  return noRole;
}

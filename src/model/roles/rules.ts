import type { LabelsSample, Sample, StacksSample, ThreadsSample } from '../samples.ts';
import type { StackFrame } from '../stacks.ts';

/** A rule of the user's: threads that fit all of its patterns have the role. The first rule of several that fit counts. */
export interface RoleRule {
  readonly role: string;
  /** Of Python's name. */
  readonly name?: RegExp;
  /** Of the kernel's. */
  readonly comm?: RegExp;
  /** Of some frame of its stack, as `function (file)`. */
  readonly stack?: RegExp;
}

/** GPUs and what they are for. */
export interface GpuRole {
  readonly role: string;
  /** Indexes. */
  readonly gpus: readonly number[];
}

/** How many threads there are now that a rule gave its role to. */
export interface RuleCount {
  readonly rule: RoleRule;
  readonly threads: number;
  /** A pattern of it took too long: it is asked no more. */
  readonly isLeftOut?: boolean;
}

/** Does the work, or gives it up after a while: undefined. */
export type Bounded = <T>(work: () => T) => T | undefined;

/** Applies rules to what comes in. */
export interface RoleRules {
  /** What the rules say of threads that this Sample tells something new of. */
  find(sample: Sample): readonly LabelsSample[];
  /** In the rules' order. */
  counts(): readonly RuleCount[];
}

/** What a rule is held against. */
interface Known {
  comm?: string | undefined;
  name?: string | undefined;
  /** Index of the rule that fits, as long as none before it does: a thread keeps its role while it is at something else. */
  rule?: number;
}

type Held = Known & { readonly frames?: readonly StackFrame[] | undefined };

/** The user's patterns are only read here, live: what they give is Samples. */
export function createRoleRules(rules: readonly RoleRule[], bounded: Bounded = (work) => work()): RoleRules {
  let threads = new Map<string, Known>();
  let lastFrame: ThreadsSample | undefined;
  let runId: string | undefined;
  const leftOut = new Set<number>();

  /** The thread's role when it has another one than before. */
  function judge(key: string, frames?: readonly StackFrame[]): string | undefined {
    const known = threads.get(key);
    if (!known) return undefined;
    const rule = firstThatFits({ ...known, frames });
    if (rule < 0) return undefined;
    known.rule = rule;
    return rules[rule]?.role;
  }

  /** Names and stacks are the run's: a pattern may take for ever on one of them. It goes, and the others are asked again. */
  function firstThatFits(known: Held): number {
    for (;;) {
      let asked = -1;
      const found = bounded(() =>
        rules.findIndex((rule, i) => {
          asked = i;
          return i < (known.rule ?? Infinity) && !leftOut.has(i) && fits(rule, known);
        }),
      );
      if (found !== undefined) return found;
      leftOut.add(asked);
    }
  }

  function ofFrame(frame: ThreadsSample) {
    if (lastFrame && sameNames(lastFrame, frame)) return [];
    lastFrame = frame;
    const before = threads;
    threads = new Map();
    return frame.tid.flatMap((tid, i) => {
      const pid = frame.pid[i] ?? 0;
      const key = `${pid}:${tid}`;
      const known = before.get(key) ?? {};
      const isNew = known.comm !== frame.comm[i];
      known.comm = frame.comm[i];
      threads.set(key, known);
      return isNew ? labelled(pid, tid, judge(key)) : [];
    });
  }

  function ofDump({ pid, threads: dumped }: StacksSample) {
    return dumped.flatMap(({ tid, name, frames }) => {
      if (tid === undefined) return [];
      const key = `${pid}:${tid}`;
      const known = threads.get(key) ?? {};
      if (name) known.name = name;
      threads.set(key, known);
      return labelled(pid, tid, judge(key, frames));
    });
  }

  function ofLabels({ pid, tid, name }: LabelsSample) {
    return tid.flatMap((each, i) => {
      const key = `${pid[i]}:${each}`;
      const known = threads.get(key);
      if (!known || !name[i]) return [];
      known.name ??= name[i] ?? undefined;
      return labelled(pid[i] ?? 0, each, judge(key));
    });
  }

  return {
    find(sample) {
      if (rules.length === 0) return [];
      if (sample.kind === 'run' && sample.run && sample.run.id !== runId) {
        runId = sample.run.id;
        threads = new Map();
        lastFrame = undefined;
      }
      const found =
        sample.kind === 'threads'
          ? ofFrame(sample)
          : sample.kind === 'stacks'
            ? ofDump(sample)
            : sample.kind === 'labels' && sample.source !== source
              ? ofLabels(sample)
              : [];
      if (found.length === 0) return [];
      const { host, time, receivedAt } = sample;
      const none = found.map(() => null);
      return [
        {
          ...{ kind: 'labels', host, source, time, receivedAt, name: none, stack: none },
          ...{
            pid: found.map(({ pid }) => pid),
            tid: found.map(({ tid }) => tid),
            rule: found.map(({ role }) => role),
          },
        },
      ];
    },
    counts() {
      const counts = rules.map(() => 0);
      for (const { rule } of threads.values()) if (rule !== undefined) counts[rule] = (counts[rule] ?? 0) + 1;
      return rules.map((rule, i) => ({
        ...{ rule, threads: counts[i] ?? 0 },
        ...(leftOut.has(i) && { isLeftOut: true }),
      }));
    },
  };
}

const source = 'rules';

function labelled(pid: number, tid: number, role: string | undefined) {
  return role === undefined ? [] : [{ pid, tid, role }];
}

function fits(rule: RoleRule, { name, comm, frames }: Held) {
  if (rule.name && !(name !== undefined && rule.name.test(name))) return false;
  if (rule.comm && !(comm !== undefined && rule.comm.test(comm))) return false;
  const { stack } = rule;
  return !stack || (frames?.some((frame) => stack.test(`${frame.function} (${frame.file})`)) ?? false);
}

function sameNames(a: ThreadsSample, b: ThreadsSample): boolean {
  return (
    a.tid.length === b.tid.length &&
    a.tid.every((tid, i) => tid === b.tid[i] && a.pid[i] === b.pid[i] && a.comm[i] === b.comm[i])
  );
}

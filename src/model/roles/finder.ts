import type { State } from '../state.ts';
import type { StackFrame } from '../stacks.ts';
import { roleOf } from './role-of.ts';
import { roleOfStack } from './stack-roles.ts';

/** A thread whose role is asked for, with what there is of it. */
export interface AskedThread {
  readonly pid: number;
  readonly tid?: number | undefined;
  /** Python's, where it is not the one that the state has. */
  readonly name?: string | undefined;
  readonly comm?: string | undefined;
  /** Of a capture that may know more than the state does. */
  readonly frames?: readonly StackFrame[];
}

/** The role of a thread of the run; undefined: nothing tells. */
export type RoleOf = (thread: AskedThread) => string | undefined;

/** What roles are told by. */
export type RoleState = Pick<State, 'run' | 'threadNames' | 'threadRoles' | 'threads'>;

/** Tells roles by what a state knows of its run: the same in a row of threads, in a capture, in JSON and in a recording. */
export function roleFinder({ run, threadNames, threadRoles, threads }: RoleState): RoleOf {
  const processes = new Map(run?.run?.processes.map((process) => [process.pid, process]));
  let comms: Map<string, string> | undefined;
  let mainComms: Map<number, string> | undefined;
  const commOf = (key: string) => {
    comms ??= new Map(threads?.tid.map((tid, i) => [`${threads.pid[i]}:${tid}`, threads.comm[i] ?? '']));
    return comms.get(key);
  };
  const mainCommOf = (pid: number) => {
    if (!mainComms) {
      mainComms = new Map();
      for (let i = 0; i < (threads?.tid.length ?? 0); i++) {
        const tid = threads?.tid[i];
        if (tid !== undefined && threads?.pid[i] === tid) mainComms.set(tid, threads.comm[i] ?? '');
      }
    }
    return mainComms.get(pid);
  };
  return ({ pid, tid, name, comm, frames }) => {
    const key = tid === undefined ? undefined : `${pid}:${tid}`;
    const kept = key === undefined ? undefined : threadRoles.get(key);
    const known = name ?? (key === undefined ? undefined : threadNames.get(key));
    const isMain = tid === undefined ? known === 'MainThread' : tid === pid;
    const stack = (frames && roleOfStack(frames, isMain)) ?? kept?.stack;
    return roleOf({
      name: known,
      comm: comm ?? (key === undefined ? undefined : commOf(key)),
      mainComm: mainCommOf(pid),
      isMain,
      learnt: { ...(kept?.rule !== undefined && { rule: kept.rule }), ...(stack !== undefined && { stack }) },
      process: processes.get(pid),
    });
  };
}

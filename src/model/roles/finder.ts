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

/** Roles of threads by `PID:TID`, kept from frame to frame while nothing new is known of them. */
interface Kept {
  readonly of: { readonly run: RoleState['run'] } & Pick<RoleState, 'threadNames' | 'threadRoles'>;
  readonly roles: Map<string, { readonly comm: string; readonly mainComm: string | undefined; readonly role?: string }>;
}
let kept: Kept | undefined;
/** More than a host has; a recording may make up others in each frame. */
const mostKept = 10_000;

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
  const find = ({ pid, tid, name, comm, frames }: AskedThread) => {
    const key = tid === undefined ? undefined : `${pid}:${tid}`;
    const learnt = key === undefined ? undefined : threadRoles.get(key);
    const known = name ?? (key === undefined ? undefined : threadNames.get(key));
    const isMain = tid === undefined ? known === 'MainThread' : tid === pid;
    const stack = (frames && roleOfStack(frames, isMain)) ?? learnt?.stack;
    return roleOf({
      name: known,
      comm: comm ?? (key === undefined ? undefined : commOf(key)),
      mainComm: mainCommOf(pid),
      isMain,
      learnt: { ...(learnt?.rule !== undefined && { rule: learnt.rule }), ...(stack !== undefined && { stack }) },
      process: processes.get(pid),
    });
  };
  if (kept?.of.run !== run || kept?.of.threadNames !== threadNames || kept?.of.threadRoles !== threadRoles)
    kept = { of: { run, threadNames, threadRoles }, roles: new Map() };
  const { roles } = kept;
  return (thread) => {
    const { pid, tid, comm, name, frames } = thread;
    if (tid === undefined || comm === undefined || frames) return find(thread);
    const key = `${pid}:${tid}`;
    if (name !== undefined && name !== threadNames.get(key)) return find(thread);
    const before = roles.get(key);
    const mainComm = mainCommOf(pid);
    if (before && before.comm === comm && before.mainComm === mainComm) return before.role;
    const role = find(thread);
    if (roles.size >= mostKept) roles.clear();
    roles.set(key, { comm, mainComm, ...(role !== undefined && { role }) });
    return role;
  };
}

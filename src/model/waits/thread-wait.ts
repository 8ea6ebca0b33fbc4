import type { WaitsSample } from '../wait-samples.ts';

/** What one thread waits in. Absent: not known, or nothing. */
export interface ThreadWait {
  readonly state?: string;
  readonly call?: string;
  readonly file?: string;
  readonly operand?: number;
  readonly where?: string;
  /** It has been so for this long, at the sample's time, and did not run meanwhile. */
  readonly seconds?: number;
  /** Nobody saw it begin: it may have been so for longer. */
  readonly orLonger?: true;
  /** Other threads of its process that wait on the same futex. */
  readonly others?: number;
  readonly voluntaryPerSecond?: number;
  readonly involuntaryPerSecond?: number;
  readonly cpus?: string;
  readonly stack?: readonly string[];
}

/** The wait of a thread, from the newest Sample; undefined for one that was not looked at since it ran. */
export function waitOf(
  waits: WaitsSample | undefined,
  { pid, tid }: { readonly pid: number; readonly tid: number },
): ThreadWait | undefined {
  if (!waits) return undefined;
  const known = indexes.get(waits) ?? indexOf(waits);
  indexes.set(waits, known);
  const row = known.rows.get(`${pid}:${tid}`);
  return row === undefined ? undefined : rowOf(waits, row, known.sharers);
}

interface Index {
  readonly rows: ReadonlyMap<string, number>;
  /** By `PID:ADDRESS` how many wait there. */
  readonly sharers: ReadonlyMap<string, number>;
}

/** All columns of the screen and the detail line ask for rows of one Sample. */
const indexes = new WeakMap<WaitsSample, Index>();

function indexOf(waits: WaitsSample): Index {
  const sharers = new Map<string, number>();
  waits.futex.forEach((address, i) => {
    const key = `${waits.pid[i]}:${address}`;
    if (address !== null) sharers.set(key, (sharers.get(key) ?? 0) + 1);
  });
  return { rows: new Map(waits.tid.map((tid, i) => [`${waits.pid[i]}:${tid}`, i])), sharers };
}

/** After a minute up to 20 s pass until it is asked again whether it ran (waits-script.ts): so much of its time nobody has seen yet. */
function proven(seconds: number): number {
  return seconds < 72 ? Math.max(0, seconds) : Math.max(72, seconds - 20);
}

function rowOf(waits: WaitsSample, i: number, sharers: Index['sharers']): ThreadWait {
  const since = waits.since[i] ?? null;
  const others = waits.futex[i] === null ? 0 : (sharers.get(`${waits.pid[i]}:${waits.futex[i]}`) ?? 1) - 1;
  const all: { readonly [Key in keyof ThreadWait]-?: ThreadWait[Key] | null | undefined } = {
    state: waits.state[i],
    call: waits.call[i],
    file: waits.file[i],
    operand: waits.operand[i],
    where: waits.where[i],
    seconds: since === null ? null : proven((waits.time - since) / 1000),
    orLonger: since !== null && (waits.notBefore[i] ?? null) === null ? true : null,
    others: others > 0 ? others : null,
    voluntaryPerSecond: waits.voluntaryPerSecond[i],
    involuntaryPerSecond: waits.involuntaryPerSecond[i],
    cpus: waits.cpus[i],
    stack: waits.stack[i],
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

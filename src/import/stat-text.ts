import { safeText } from '../model/text.ts';

/** One line of /proc/PID/task/TID/stat. It does not tell its process. */
export interface StatRow {
  readonly tid: number;
  readonly comm: string;
  readonly state: string;
  readonly parentPid: number;
  readonly userTicks: number;
  readonly systemTicks: number;
  readonly threadCount: number;
  readonly startTicks: number;
  /** Where the stack of its process begins: the same for all of its threads, and for no other program. */
  readonly startStack: string;
  /** What its end sends: a signal to the parent for a main thread, -1 for all others. */
  readonly exitSignal: number;
  readonly core: number | null;
}

/** All threads at one moment, each with its process. */
export interface StatBlock {
  /** Epoch seconds of the host's clock. */
  readonly seconds: number;
  readonly rows: readonly (StatRow & { readonly pid: number })[];
}

/** Lines to blocks: `== EPOCH`, then the lines of all threads. `false` for a line that cannot be read. */
export function createStatText() {
  let seconds: number | undefined;
  let rows: StatRow[] = [];
  const finish = (): StatBlock | undefined => {
    const block = seconds === undefined ? undefined : { seconds, rows: withProcesses(rows) };
    seconds = undefined;
    rows = [];
    return block;
  };
  return {
    push(line: string): StatBlock | boolean {
      const head = /^== (\d{9,11}(?:\.\d+)?)\s*$/.exec(line);
      if (head) {
        const done = finish();
        seconds = Number(head[1]);
        return done ?? true;
      }
      // A thread that ended between the list and the read.
      if (line === '' || /No such (?:file|process)/.test(line)) return true;
      const row = seconds === undefined ? undefined : readRow(line);
      if (row) rows.push(row);
      return row !== undefined;
    },
    end: finish,
  };
}

/** The name ends at the last `)` of the line: it may hold any other. */
function readRow(line: string): StatRow | undefined {
  const open = line.indexOf(' (');
  const close = line.lastIndexOf(') ');
  if (open < 1 || close < open) return undefined;
  const tid = Number(line.slice(0, open));
  const fields = line
    .slice(close + 2)
    .trimEnd()
    .split(' ');
  const number = (field: number) => Number(fields[field - 3]);
  const core = number(39);
  const row = {
    tid,
    comm: safeText(line.slice(open + 2, close)),
    state: fields[0] ?? '',
    parentPid: number(4),
    userTicks: number(14),
    systemTicks: number(15),
    threadCount: number(20),
    startTicks: number(22),
    startStack: fields[28 - 3] ?? '',
    exitSignal: number(38),
    core: Number.isInteger(core) && core >= 0 ? core : null,
  };
  const numbers = [tid, row.parentPid, row.userTicks, row.systemTicks, row.threadCount, row.startTicks, row.exitSignal];
  return numbers.every(Number.isInteger) && /^[A-Za-z]$/.test(row.state) ? row : undefined;
}

/**
 * A block's lines stand process by process, but those of a process in the order of their text (`1000` before `999`). Lines of one
 * process have its parent and its stack; a process that forked itself has children that share both, which their number of
 * threads and their main threads tell apart.
 */
function withProcesses(rows: readonly StatRow[]): StatBlock['rows'] {
  const done: (StatRow & { readonly pid: number })[] = [];
  for (let from = 0; from < rows.length;) {
    const first = rows[from];
    let to = from + 1;
    while (to < rows.length && isAlike(first, rows[to])) to++;
    const run = rows.slice(from, to);
    const pids = leadersOf(run);
    if (pids.length <= 1) {
      const pid = pids[0] ?? Math.min(...run.map(({ tid }) => tid));
      done.push(...run.map((row) => ({ ...row, pid })));
    } else done.push(...siblings(run, pids));
    from = to;
  }
  return done;
}

function isAlike(a: StatRow | undefined, b: StatRow | undefined): boolean {
  return a?.parentPid === b?.parentPid && a?.startStack === b?.startStack;
}

function leadersOf(rows: readonly StatRow[]): readonly number[] {
  return rows.filter(({ exitSignal }) => exitSignal !== -1).map(({ tid }) => tid);
}

function siblings(run: readonly StatRow[], pids: readonly number[]): StatBlock['rows'] {
  const chunks: StatBlock['rows'][number][] = [];
  for (let from = 0; from < run.length;) {
    const chunk = run.slice(from, from + Math.max(1, run[from]?.threadCount ?? 1));
    const [pid, second] = leadersOf(chunk);
    // Threads began or ended while they were read: each is of the last process that began before it.
    if (pid === undefined || second !== undefined) {
      const sorted = pids.toSorted((a, b) => a - b);
      const ownerOf = (tid: number) => sorted.findLast((candidate) => candidate <= tid) ?? sorted[0] ?? tid;
      return run.map((row) => ({ ...row, pid: ownerOf(row.tid) }));
    }
    chunks.push(...chunk.map((row) => ({ ...row, pid })));
    from += chunk.length;
  }
  return chunks;
}

import { safeText } from '../../model/text.ts';

/** One frame of topScript. */
export interface TopFrame {
  /** Of the host, seconds. */
  readonly uptime: number;
  readonly threadsTotal: number;
  readonly rows: readonly TopRow[];
}

/** One thread as top shows it, and its process. */
export interface TopRow {
  readonly pid: number | null;
  readonly tid: number;
  readonly user: string;
  readonly state: string;
  readonly cpuPercent: number | null;
  readonly comm: string;
}

/** Lines of topScript to frames. `push` gives a frame at its last line, `false` for a line it cannot read. */
export function createTopFrames(): { push(line: string): TopFrame | boolean } {
  let start: { uptime: number; threadsTotal: number } | undefined;
  let rows: TopRow[] = [];
  return {
    push(line) {
      if (line === '') return true;
      const head = /^T (\d+(?:\.\d+)?) (\d+)$/.exec(line);
      if (head) {
        start = { uptime: Number(head[1]), threadsTotal: Number(head[2]) };
        rows = [];
        return true;
      }
      if (!start) return false;
      if (line === '.') {
        const frame = { ...start, rows };
        start = undefined;
        return frame;
      }
      const row = readRow(line);
      if (row) rows.push(row);
      return row !== undefined;
    },
  };
}

// Two words of ours, eleven fields of top's, and COMMAND as it is: it may hold spaces and begin with one.
const rowPattern = /^(\d+|-) (=|-|-?[\d.]+) +(\d+) +(\S+) +(?:\S+ +){5}(\S) +([\d.]+) +\S+ +\S+ (.*)$/s;

function readRow(line: string): TopRow | undefined {
  const match = rowPattern.exec(line);
  if (!match) return undefined;
  const [, pid, repaired, tid, user = '', state = '', shown, comm = ''] = match;
  const cpu = repaired === '-' ? NaN : Number(repaired === '=' ? shown : repaired);
  return {
    pid: pid === '-' ? null : Number(pid),
    tid: Number(tid),
    user: safeText(user),
    state,
    cpuPercent: Number.isFinite(cpu) ? Math.min(100, Math.max(0, cpu)) : null,
    comm: safeText(comm),
  };
}

import type { ThreadsSample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Parser } from '../collector.ts';

interface Init {
  readonly host: string;
  readonly intervalSeconds: number;
  readonly clockOffsetMs: number;
  readonly pids: readonly number[];
}

interface Row {
  readonly pid: number;
  readonly tid: number;
  readonly comm: string;
  readonly core: number | null;
  readonly cpu: number | null;
  readonly user: number | null;
  readonly system: number | null;
  readonly wait: number | null;
}

/**
 * Reads `pidstat -t -h -H -u` (sysstat 11.6 and later): one row a task with the epoch second first, a process's own row before
 * those of its threads. Columns are found by the header's names, because they differ by version (%wait since 11.5.5).
 * A frame ends when the time changes or the stream is quiet: pidstat may write one in several pieces.
 */
export function createPidstatParser({ host, intervalSeconds, clockOffsetMs, pids }: Init): Parser {
  let columns: readonly string[] = [];
  let rows: Row[] = [];
  let second: number | undefined;
  let previous: number | undefined;
  let pid = pids.length === 1 ? pids[0] : undefined;
  let given = 0;
  let rejected = 0;

  /** The frame so far, unless all of it was given. */
  function give(receivedAt: number): readonly ThreadsSample[] {
    if (second === undefined || rows.length === given) return [];
    given = rows.length;
    // A clock that was set back does not tell how long it was.
    const seconds = previous === undefined || previous > second ? intervalSeconds : second - previous;
    return [toSample({ host, receivedAt, time: second * 1000 - clockOffsetMs, seconds, rows })];
  }

  /** A row's part of the frame; a process's row only names the process. Undefined for a line that is no row. */
  function readRow(fields: readonly string[], command: string): Row | 'process' | undefined {
    const cell = (name: string) => fields[columns.indexOf(name)];
    const process = Number(cell('TGID'));
    if (Number.isInteger(process)) {
      pid = process;
      return 'process';
    }
    const tid = Number(cell('TID'));
    if (pid === undefined || !Number.isInteger(tid)) return undefined;
    const number = (name: string) => {
      const text = cell(name);
      return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
    };
    return {
      pid,
      tid,
      comm: safeText(command.replace(/^\|?__|^\(.*?\)__/, '')),
      core: number('CPU'),
      cpu: number('%CPU'),
      user: number('%usr'),
      system: number('%system'),
      wait: number('%wait'),
    };
  }

  return {
    push(line, receivedAt) {
      if (line === '' || line.startsWith('Linux ')) return [];
      if (line.startsWith('#')) {
        columns = line.slice(1).trim().split(/\s+/);
        return [];
      }
      const { fields, rest } = splitRow(line, columns.length - 1);
      const time = Number(fields[0]);
      const row = columns.length > 0 && Number.isInteger(time) ? readRow(fields, rest) : undefined;
      if (row === undefined) {
        rejected++;
        return [];
      }
      const done = time === second ? [] : give(receivedAt);
      if (time !== second) {
        previous = second;
        second = time;
        rows = [];
        given = 0;
      }
      if (row !== 'process') rows.push(row);
      return done;
    },
    quiet: give,
    get rejected() {
      return rejected;
    },
  };
}

/** The first `count` fields and what follows them: a name may hold spaces and tabs. */
function splitRow(line: string, count: number): { readonly fields: readonly string[]; readonly rest: string } {
  const fields: string[] = [];
  let rest = line.trimStart();
  while (fields.length < count) {
    const match = /^(\S+)\s+/.exec(rest);
    if (!match?.[1]) break;
    fields.push(match[1]);
    rest = rest.slice(match[0].length);
  }
  return { fields, rest };
}

interface Frame {
  readonly host: string;
  readonly time: number;
  readonly receivedAt: number;
  readonly seconds: number;
  readonly rows: readonly Row[];
}

function toSample({ host, time, receivedAt, seconds, rows }: Frame): ThreadsSample {
  return {
    kind: 'threads',
    host,
    source: 'threads',
    time,
    receivedAt,
    reader: 'pidstat',
    intervalSeconds: seconds,
    pid: rows.map((row) => row.pid),
    tid: rows.map((row) => row.tid),
    comm: rows.map((row) => row.comm),
    state: rows.map(() => null),
    core: rows.map((row) => row.core),
    cpuPercent: rows.map((row) => row.cpu),
    userPercent: rows.map((row) => row.user),
    systemPercent: rows.map((row) => row.system),
    runQueuePercent: rows.map((row) => row.wait),
  };
}

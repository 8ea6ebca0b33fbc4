import { createProcParser } from '../collectors/threads/proc-parser.ts';
import type { Sample } from '../model/samples.ts';
import type { InputFile, Rejected, Span } from './files.ts';
import { ImportFault } from './fault.ts';
import { createForwards } from './forwards.ts';
import { reject, type LineFile } from './lines.ts';
import { createStatText, type StatBlock } from './stat-text.ts';

/** USER_HZ, which is 100 on every Linux that a GPU runs under; the file does not tell it. */
const clockTicks = 100;

/** What a first reading of a file of stats shows. */
export interface StatSurvey {
  readonly span: Span;
  readonly rounds: number;
  readonly mostThreads: number;
  /** Of every thread that was seen, its process. */
  readonly owners: ReadonlyMap<number, number>;
  readonly notes: readonly string[];
}

/** Reads the file to its end. Throws an ImportFault for one that is no use. */
export async function surveyStat({ name }: InputFile, lines: LineFile): Promise<StatSurvey> {
  const owners = new Map<number, number>();
  let from: number | undefined;
  let to = 0;
  let rounds = 0;
  let mostThreads = 0;
  const cut = { isCut: false };
  const forwards = createForwards();
  for await (const { seconds, rows } of statBlocks({ file: lines, cut })) {
    to = forwards.place(seconds * 1000);
    from ??= to;
    rounds++;
    mostThreads = Math.max(mostThreads, rows.length);
    for (const { tid, pid } of rows) owners.set(tid, pid);
  }
  if (from === undefined) throw new ImportFault(`${name} has no rounds of /proc/PID/task/*/stat.`);
  return {
    span: { clock: 'epoch', from, to },
    rounds,
    mostThreads,
    owners,
    notes: [...(cut.isCut ? ['its last round is cut, and left out'] : []), ...forwards.notes()],
  };
}

/** A round with what it says of the run's processes. */
export interface StatRound {
  readonly time: number;
  readonly samples: readonly Sample[];
  readonly processes: readonly StatProcess[];
}

/** A process as its main thread shows it. */
export interface StatProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly startTicks: number;
  readonly comm: string;
}

interface Init {
  readonly host: string;
  readonly lines: LineFile;
  readonly rejected: Rejected;
}

/** The rounds of a file of stats, in order. */
export async function* readStat({ host, lines, rejected }: Init): AsyncGenerator<StatRound> {
  // Epoch seconds stand in the place of those since boot: only differences and the sum are used.
  const open = () => createProcParser({ host, facts: { bootTime: 0, clockTicks } });
  let parser = open();
  let last = -Infinity;
  const forwards = createForwards();
  let before = new Map<number, number>();
  for await (const { seconds, rows } of statBlocks({ file: lines, rejected })) {
    const time = Math.round(forwards.place(seconds * 1000));
    if (seconds < last) {
      // How long it was since the round before is unknown: there are no shares of it.
      parser = open();
      before = new Map();
    }
    last = seconds;
    parser.push(`T ${seconds}`, time, 0);
    const now = new Map(rows.map(({ tid, pid }) => [tid, pid]));
    for (const [tid, pid] of before) if (now.get(tid) !== pid) parser.push(`- ${pid} ${tid}`, time, 0);
    before = now;
    for (const row of rows) {
      const { pid, tid, startTicks, state, core, userTicks, systemTicks, comm } = row;
      const numbers = `${pid} ${tid} ${startTicks} ${state} ${core ?? -1} ${userTicks} ${systemTicks}`;
      parser.push(`${numbers} - - (${comm})`, time, 0);
    }
    const samples = parser.push('.', time, 0).map((sample) => ({ ...sample, time }));
    yield { time, samples, processes: processesOf(rows) };
  }
}

function processesOf(rows: StatBlock['rows']): readonly StatProcess[] {
  return rows
    .filter(({ tid, pid }) => tid === pid)
    .map(({ pid, parentPid, startTicks, comm }) => ({ pid, parentPid, startTicks, comm }));
}

interface BlocksInit {
  readonly file: LineFile;
  readonly rejected?: Rejected;
  readonly cut?: { isCut: boolean };
}

async function* statBlocks({ file, rejected, cut }: BlocksInit): AsyncGenerator<StatBlock> {
  const text = createStatText();
  let number = 0;
  let before: StatBlock['rows'] = [];
  for await (const lines of file.lines()) {
    for (const line of lines) {
      number++;
      const block = text.push(line.text);
      if (block === false && rejected) reject(rejected, number, line.text);
      if (typeof block === 'object') {
        before = block.rows;
        yield block;
      }
    }
  }
  const last = text.end();
  if (!last) return;
  if (isWhole(last.rows, before)) yield last;
  else if (cut) cut.isCut = true;
}

/** The loop that wrote it may have been ended in its middle: then threads are missing that their main thread counts. */
function isWhole(rows: StatBlock['rows'], before: StatBlock['rows']): boolean {
  const leaders = rows.filter(({ tid, pid }) => tid === pid);
  const counted = leaders.reduce((sum, { threadCount }) => sum + threadCount, 0);
  const isShort = leaders.length < before.filter(({ tid, pid }) => tid === pid).length;
  return !isShort && rows.length >= Math.min(before.length, counted) - 2;
}

import type { DemoRun, Machine } from '../machine.ts';
import { occurrences } from '../span.ts';
import { logBeat, stepOf, timeOfDay } from './log-text.ts';

/** The file that the demo's runs write. The text is ASCII: bytes are characters. */
export interface LogFile {
  /** Writes what is due; returns the size. */
  grow(up: number): number;
  /** The bytes from an offset on; of those long past nothing. */
  read(from: number): string;
}

/** The file was begun an hour (of two-second beats) before the demo's start. */
const beatsBefore = 1800;
/** Its newest bytes: a break of the link is shorter, and who comes new reads 256 KiB. */
const keptBytes = 2 ** 20;

const files = new WeakMap<Machine, LogFile>();

/** The machine's file: one for all who read it. */
export function logFileOf(machine: Machine): LogFile {
  const existing = files.get(machine);
  if (existing) return existing;
  const file = createLogFile(machine);
  files.set(machine, file);
  return file;
}

function createLogFile(machine: Machine): LogFile {
  const { runs, startUp } = machine;
  /** What was written, with where it begins in the file. */
  const chunks: { readonly at: number; readonly text: string }[] = [];
  let size = 0;
  let writtenUp = -Infinity;
  const writers = runs.map((run) =>
    createWriter(machine, run, run.startUp < startUp ? Math.floor(machine.beats(run, startUp)) - beatsBefore : 0),
  );
  return {
    grow(up) {
      const due = [...writers.flatMap((write) => write(up)), ...entries(machine, writtenUp, up)];
      writtenUp = Math.max(up, writtenUp);
      due.sort((a, b) => a.up - b.up);
      if (due.length > 0) {
        const text = due.map(({ lines }) => `${lines.join('\n')}\n`).join('');
        chunks.push({ at: size, text });
        size += text.length;
      }
      while (size - (chunks[1]?.at ?? size) > keptBytes) chunks.shift();
      return size;
    },
    read(from) {
      const first = chunks.findLastIndex(({ at }) => at <= from);
      const text = chunks
        .slice(Math.max(0, first))
        .map((chunk) => chunk.text)
        .join('');
      return text.slice(Math.max(0, from - (chunks[Math.max(0, first)]?.at ?? 0)));
    },
  };
}

interface Due {
  readonly up: number;
  readonly lines: readonly string[];
}

/** Gives the lines of a run's steps that have become due. */
function createWriter(machine: Machine, run: DemoRun, firstBeat: number) {
  const { flushSeconds } = run.plan;
  let next = firstBeat;
  let before: number | undefined;
  /** When what is written last, or next, leaves the buffer. */
  const flushed = (up: number, round: typeof Math.floor) =>
    flushSeconds === undefined || up >= run.endUp
      ? up
      : machine.startUp + flushSeconds * round((up - machine.startUp) / flushSeconds);
  return (now: number): readonly Due[] => {
    const due: Due[] = [];
    const up = flushed(now, Math.floor);
    for (; next <= machine.beats(run, up); next++) {
      const at = machine.beatUp(run, next, up);
      if (at === undefined || up < run.startUp) break;
      before ??= machine.beatUp(run, next - 1, up) ?? at - 2;
      if (next > 0)
        due.push({ up: flushed(at, Math.ceil), lines: logBeat(machine, { run, beat: next, up: at, before }) });
      before = at;
    }
    return due;
  };
}

/** The scenario's own lines after `after` and up to `up`. */
function entries(machine: Machine, after: number, up: number): readonly Due[] {
  const { scenario, startUp } = machine;
  return (scenario.log ?? []).flatMap(({ at, every, lines }) => {
    const span = { from: at, ...(every !== undefined && { every }) };
    const due: Due[] = [];
    for (const { from } of occurrences(span, up - startUp + 1e-9)) {
      const when = startUp + from;
      if (when > after) due.push({ up: when, lines: lines.map((line) => fill(machine, line, when)) });
    }
    return due;
  });
}

function fill(machine: Machine, line: string, up: number): string {
  const run = machine.runs.findLast((each) => each.startUp <= up) ?? machine.runs[0];
  const step = run ? stepOf(run, machine.beats(run, up)) : 0;
  return line
    .replaceAll('{time}', timeOfDay(machine, up))
    .replaceAll('{date}', new Date(machine.bootTime + up * 1000).toISOString().slice(5, 10).replace('-', ''))
    .replaceAll('{step}', String(step))
    .replaceAll('{pid}', String(run?.plan.pid));
}

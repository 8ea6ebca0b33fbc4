import type { StackFrame, StackThread } from '../../model/stacks.ts';
import { safeText } from '../../model/text.ts';
import { boundStacks } from './bound.ts';
import { marks } from './script.ts';

/** The answer of dumpScript, taken apart. */
export interface DumpAnswer {
  /** Absent: no py-spy was found. */
  readonly tool?: string;
  /** Another user's, which was not run. */
  readonly skipped?: string;
  readonly version?: string;
  /** What the process runs; told when the dump failed. */
  readonly executable?: string;
  readonly threads?: readonly StackThread[];
  /** py-spy's exit status; absent when the answer was cut. */
  readonly code?: number;
  readonly errorText: string;
}

/** Takes the answer apart; what is not there is absent. Never throws. */
export function parseDump(output: string): DumpAnswer {
  const json: string[] = [];
  const errors: string[] = [];
  const said = new Map<string, string>();
  let into: string[] | undefined;
  for (const line of output.split('\n')) {
    const mark = Object.values(marks).find((m) => line.startsWith(m));
    if (mark === undefined) into?.push(line);
    else if (mark === marks.output) into = json;
    else {
      into = mark === marks.error ? errors : undefined;
      said.set(mark, safeText(line.slice(mark.length)).trim());
    }
  }
  const tool = said.get(marks.tool);
  const skipped = said.get(marks.skipped);
  const version = /\d[\w.]*/.exec(said.get(marks.version) ?? '')?.[0];
  const executable = said.get(marks.executable);
  const code = said.get(marks.error);
  const threads = readThreads(json.join('\n'));
  return {
    ...(tool !== undefined && { tool }),
    ...(skipped !== undefined && { skipped }),
    ...(version !== undefined && { version }),
    ...(executable && { executable }),
    ...(code !== undefined && /^\d+$/.test(code) && { code: Number(code) }),
    ...(threads && { threads }),
    errorText: errors.map(safeText).join('\n').trim(),
  };
}

/** `py-spy dump --json` (0.4.2): an array of threads, innermost frame first; as much of them as `boundStacks` leaves. */
export function readThreads(json: string): readonly StackThread[] | undefined {
  let all: unknown;
  try {
    all = JSON.parse(json.trim());
  } catch {
    return undefined;
  }
  if (!Array.isArray(all)) return undefined;
  return boundStacks(all.filter(isObject).map(readThread).sort(byTid));
}

/** A program may name its threads anything, of any length. */
const longestName = 200;

function readThread(thread: Record<string, unknown>): StackThread {
  const tid = thread.os_thread_id;
  return {
    ...(typeof thread.thread_name === 'string' && { name: safeText(thread.thread_name.slice(0, longestName)) }),
    ...(typeof tid === 'number' && tid > 0 && { tid }),
    active: thread.active === true,
    ownsGil: thread.owns_gil === true,
    frames: Array.isArray(thread.frames) ? thread.frames.filter(isObject).map(readFrame) : [],
  };
}

function readFrame(frame: Record<string, unknown>): StackFrame {
  const { name, filename, line, module } = frame;
  return {
    function: typeof name === 'string' ? safeText(name) : '?',
    file: typeof filename === 'string' ? safeText(filename) : '?',
    ...(typeof line === 'number' && line > 0 && { line }),
    // Machine code has the library that it is of (py-spy 0.4.2), Python's frames have null.
    ...(typeof module === 'string' && { native: true as const }),
  };
}

/** The main thread has the lowest TID; py-spy lists the newest first. */
function byTid(a: StackThread, b: StackThread): number {
  return (a.tid ?? Infinity) - (b.tid ?? Infinity) || 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

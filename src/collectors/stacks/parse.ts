import type { StackFrame, StackThread } from '../../model/stacks.ts';
import { safeText } from '../../model/text.ts';
import { boundStacks } from './bound.ts';

/** `py-spy dump --json` (0.4.2): an array of threads, innermost frame first; as much of them as `boundStacks` leaves. */
export function readThreads(json: string): readonly StackThread[] | undefined {
  let all: unknown;
  try {
    all = JSON.parse(json.trim());
  } catch {
    return undefined;
  }
  if (!Array.isArray(all) || (all.length > 0 && !all.some(isThread))) return undefined;
  return boundStacks(all.filter(isObject).map(readThread).sort(byTid));
}

/** A program may name its threads anything, of any length. */
const longestName = 200;

/** Other programs print JSON too. */
function isThread(thread: unknown): boolean {
  return isObject(thread) && Array.isArray(thread.frames);
}

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

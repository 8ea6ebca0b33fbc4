import type { StackFrame } from '../stacks.ts';

/** More functions than a run's captures have; a host may make up others in each dump. */
const mostFunctions = 20_000;

/**
 * Remembers what hangs on nothing but a frame's function, its file and whether it is machine code: each dump brings new objects for the same
 * functions, at other lines.
 */
export function byFunction<T>(find: (frame: StackFrame) => T): (frame: StackFrame) => T {
  const [python, machine] = [new Map<string, Map<string, T>>(), new Map<string, Map<string, T>>()];
  let count = 0;
  return (frame) => {
    const files = frame.native ? machine : python;
    const functions = files.get(frame.file);
    const known = functions?.get(frame.function);
    if (known !== undefined) return known;
    const found = find(frame);
    if (count >= mostFunctions) {
      python.clear();
      machine.clear();
      count = 0;
    }
    count++;
    const own = files.get(frame.file);
    if (own) own.set(frame.function, found);
    else files.set(frame.file, new Map([[frame.function, found]]));
    return found;
  };
}

import type { StackFrame, StackThread } from '../../model/stacks.ts';

/** Of a dump as JSON: 300 threads of 50 frames. A line of a recording may have eight times as many, a keyframe has several dumps. */
const mostCharacters = 2 * 1024 * 1024;
const mostThreads = 2000;
/** Python itself stops at 1000 unless it is told to go on. */
const mostDepth = 4000;
/** Names are generated too, and of any length. */
const longest = { function: 200, file: 400 };

/**
 * A dump of a bearable size: of stacks that are too deep the innermost and the outermost frames stay, and one between them says how
 * many are left out. The deepest lose first.
 */
export function boundStacks(threads: readonly StackThread[]): readonly StackThread[] {
  const kept = threads.slice(0, mostThreads).map((thread) => ({ ...thread, frames: thread.frames.map(boundFrame) }));
  const left = threads.length - kept.length;
  const rest: readonly StackThread[] =
    left > 0 ? [{ name: `… ${left} threads left out …`, active: false, ownsGil: false, frames: [] }] : [];
  for (let depth = mostDepth; ; depth = Math.floor(depth / 2)) {
    const bound = [...kept.map((thread) => ({ ...thread, frames: atMost(depth, thread.frames) })), ...rest];
    if (depth <= 3 || JSON.stringify(bound).length <= mostCharacters) return bound;
  }
}

/** The halves of those that stay lie around what is left out. */
function atMost(depth: number, frames: readonly StackFrame[]): readonly StackFrame[] {
  if (frames.length <= depth) return frames;
  const inner = Math.floor(depth / 2);
  const outer = depth - inner - 1;
  const left = { function: `… ${frames.length - inner - outer} frames left out …`, file: '' };
  return [...frames.slice(0, inner), left, ...frames.slice(frames.length - outer)];
}

/** A frame with names of a bearable length: of a path the end tells more. */
export function boundFrame(frame: StackFrame): StackFrame {
  const { function: name, file } = frame;
  if (name.length <= longest.function && file.length <= longest.file) return frame;
  return {
    ...frame,
    function: name.length > longest.function ? `${name.slice(0, longest.function - 1)}…` : name,
    file: file.length > longest.file ? `…${file.slice(1 - longest.file)}` : file,
  };
}

import type { StackFrame } from '../stacks.ts';

/**
 * What makes two frames one and the same: function, file and line. An address of machine code is another in each process, but for its
 * last twelve bits: libraries are loaded at whole pages.
 */
export function frameKey({ function: name, file, line, native }: StackFrame): string {
  return native && name.startsWith('0x') ? `0x${name.slice(-3)}\0${file}` : `${name}\0${file}\0${line}`;
}

/** The same function, at whichever line; of machine code without symbols the same library. */
export function functionKey({ function: name, file, native }: StackFrame): string {
  return native && name.startsWith('0x') ? `0x\0${file}` : `${name}\0${file}`;
}

/** Gives equal frames one object, and equal stacks one array: to compare and to count them is cheap then. */
export function createInterner() {
  const frames = new Map<string, StackFrame>();
  /** Stacks as a trie from the innermost frame on: no key of a whole stack is built. */
  const root: Node = { next: new Map() };

  function internFrame(frame: StackFrame): StackFrame {
    const key = frameKey(frame);
    const known = frames.get(key);
    if (known) return known;
    frames.set(key, frame);
    return frame;
  }

  function internFrames(stack: readonly StackFrame[]): readonly StackFrame[] {
    let node = root;
    for (const each of stack) {
      const frame = internFrame(each);
      let next = node.next.get(frame);
      if (!next) {
        next = { next: new Map() };
        node.next.set(frame, next);
      }
      node = next;
    }
    node.stack ??= stack.map(internFrame);
    return node.stack;
  }

  return { internFrames };
}

interface Node {
  readonly next: Map<StackFrame, Node>;
  stack?: readonly StackFrame[];
}

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

/** A frame that stands for all that are equal to it. */
export interface Interned {
  readonly frame: StackFrame;
  readonly id: number;
}

/** Gives equal frames one object, and equal stacks one array: to compare and to count them is cheap then. */
export function createInterner() {
  /** By function: few have one name, and a key text for each frame of each stack would be most of the work. */
  const frames = new Map<string, Interned[]>();
  /** By a sum of their frames' numbers. */
  const stacks = new Map<number, (readonly StackFrame[])[]>();
  let count = 0;

  function internFrame(frame: StackFrame): Interned {
    const isAddress = frame.native === true && frame.function.startsWith('0x');
    const name = isAddress ? `0x${frame.function.slice(-3)}` : frame.function;
    let alike = frames.get(name);
    if (!alike) frames.set(name, (alike = []));
    for (const known of alike) {
      if (known.frame.file === frame.file && (isAddress || known.frame.line === frame.line)) return known;
    }
    const made = { frame, id: count++ };
    alike.push(made);
    return made;
  }

  function internStack(stack: readonly Interned[]): readonly StackFrame[] {
    let sum = stack.length;
    for (const { id } of stack) sum = (Math.imul(sum, 31) + id) | 0;
    const alike = stacks.get(sum);
    const known = alike?.find((other) => isSame(other, stack));
    if (known) return known;
    const made = stack.map(({ frame }) => frame);
    if (alike) alike.push(made);
    else stacks.set(sum, [made]);
    return made;
  }

  return { internFrame, internStack };
}

function isSame(known: readonly StackFrame[], stack: readonly Interned[]): boolean {
  if (known.length !== stack.length) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== stack[i]?.frame) return false;
  return true;
}

/** What is known of a fault by its number (docs.nvidia.com/deploy/xid-errors). */
export interface XidMeaning {
  readonly words: string;
  /** A program can make it by itself, or it follows the program's end. */
  readonly isOfProgram?: true;
}

const meanings: Readonly<Record<number, XidMeaning>> = {
  13: { words: 'an exception of the graphics engine: a kernel reads or writes where it may not', isOfProgram: true },
  31: { words: 'a page fault: a kernel reads or writes where nothing is', isOfProgram: true },
  43: { words: 'a program was stopped for a fault of its own', isOfProgram: true },
  45: { words: 'a program was ended, and its work on the GPU with it', isOfProgram: true },
  48: { words: 'a double-bit error of its memory' },
  61: { words: 'its microcontroller stopped' },
  62: { words: 'its microcontroller halted' },
  63: { words: 'a row of its memory is replaced' },
  64: { words: 'a row of its memory could not be replaced' },
  69: { words: 'an exception of the compute engine', isOfProgram: true },
  74: { words: 'a fault of NVLink' },
  79: { words: 'it has fallen off the bus' },
  92: { words: 'many single-bit errors of its memory' },
  94: { words: 'a memory error that was contained: the program that met it ends' },
  95: { words: 'a memory error that was not contained: all programs on it end' },
  119: { words: 'its system processor does not answer' },
  120: { words: 'its system processor failed' },
  140: { words: 'an error of its memory that is not recovered' },
};

/** What a number says; of one that is not known, that it is a fault. */
export function xidMeaning(xid: number | undefined): XidMeaning {
  return (xid === undefined ? undefined : meanings[xid]) ?? { words: 'a fault that the driver tells of' };
}

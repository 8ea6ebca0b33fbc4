import type { StackClass } from './names.ts';

/** One row of the class table: frames that tell what a thread does. */
export interface ClassRow {
  readonly class: StackClass;
  /** The function; of machine code the symbol. */
  readonly call: RegExp;
  /** The module's path from its package on, or the library's file. Absent: a symbol that is the same wherever it is linked. */
  readonly file?: RegExp;
  /** Counts only where one around it is this symbol or, of Python, in this file. */
  readonly under?: RegExp;
  /**
   * `decides`: the innermost such frame counts. `encloses`: it counts whatever happens in it. `hints`: it counts unless a frame
   * around it says more. `explains`: what a wait in it means.
   */
  readonly says: 'decides' | 'encloses' | 'hints' | 'explains';
  /** The class where py-spy found the thread active. */
  readonly ifActive?: StackClass;
  /** A sentence without its subject. */
  readonly because: string;
  /** Where the function is known from. */
  readonly source: string;
}

/** Writes rows: all that have a class, a weight and a source in common. */
export function rowsOf(
  common: Pick<ClassRow, 'class' | 'says' | 'source'>,
  rows: readonly (Omit<ClassRow, 'class' | 'says' | 'source'> & Partial<ClassRow>)[],
): readonly ClassRow[] {
  return rows.map((row) => ({ ...common, ...row }));
}

/** Any function of a file. */
export const any = /(?:)/;

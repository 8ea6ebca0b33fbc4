import type { LogFormat } from './format.ts';
import { torchtitan } from './torchtitan.ts';

/** All formats that are known: a new one is a file and a line here. Where two tell a line for theirs, the first has it. */
export const logFormats: readonly LogFormat[] = [torchtitan];

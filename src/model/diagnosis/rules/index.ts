import type { Rule } from '../rule.ts';
import { computeBound } from './compute-bound.ts';

/** All rules: a new one is a file and a line here. */
export const rules: readonly Rule[] = [computeBound];

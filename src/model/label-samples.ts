import type { Column, SampleBase } from './sample-base.ts';

/**
 * What is known of threads from elsewhere than their frames and dumps: what the user's rules make of them, and what an earlier monitor of
 * the same run had learnt. Rows are parallel; null says nothing. In it, not the rules: a recording shows roles without reading patterns.
 */
export interface LabelsSample extends SampleBase<'labels'> {
  readonly pid: readonly number[];
  readonly tid: readonly number[];
  /** Python's. */
  readonly name: Column<string>;
  /** The role by a rule. */
  readonly rule: Column<string>;
  /** The role by its stack. */
  readonly stack: Column<string>;
}

/** What GPUs are for, as the user says. Rows are parallel, in the user's order of roles. */
export interface GpuRolesSample extends SampleBase<'gpuRoles'> {
  /** Its index. */
  readonly gpu: readonly number[];
  readonly role: readonly string[];
}

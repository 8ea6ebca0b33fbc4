import type { SampleBase } from './sample-base.ts';

/** Evidence that was taken by itself when a run stalled, hung or ended: one Sample at each change, by `id`. */
export interface BlackBoxSample extends SampleBase<'blackBox'> {
  readonly id: string;
  /** One sentence: why it was taken. */
  readonly reason: string;
  /** The `id` of the alarm that it was taken for. */
  readonly alarm?: string;
  /** `partial`: something of it could not be had, which its part says. */
  readonly state: 'taking' | 'done' | 'partial';
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The stacks: `id`s of captures, whose Samples have them. */
  readonly captures: readonly string[];
  readonly parts: readonly BlackBoxPart[];
  /** Sentences: what was left out or done otherwise, and why; how the run ended. */
  readonly notes?: readonly string[];
  /** On this machine, where all of it was saved. */
  readonly folder?: string;
}

/** One piece of evidence. */
export interface BlackBoxPart {
  readonly name: 'threads' | 'kernel stacks' | 'nvidia-smi' | 'kernel log' | 'log' | 'verdict' | 'host';
  readonly takenAt: number;
  /** Safe for a terminal, each; bounded. */
  readonly lines?: readonly string[];
  /** It was longer. */
  readonly cut?: true;
  /** One sentence: why there is none. */
  readonly failure?: string;
}

import type { SampleBase } from './sample-base.ts';
import type { Situation } from './situations.ts';

/** What the run waits for, as of `time`: ranked, the first is the headline. Told when the ranking changes, and every few seconds for its figures. */
export interface VerdictsSample extends SampleBase<'verdicts'> {
  readonly verdicts: readonly Verdict[];
}

/** A situation that holds, with the figures that carry it. */
export interface Verdict {
  readonly situation: Situation;
  readonly scope: VerdictScope;
  /** 0 to 1: how much of the evidence that its rule asks for is there and speaks for it. */
  readonly confidence: number;
  /** Since when it holds, epoch ms. */
  readonly since: number;
  /** One sentence for the headline, made of its strongest figures. */
  readonly summary: string;
  readonly evidence: readonly Evidence[];
  /** What speaks against it. */
  readonly against: readonly Evidence[];
  /** Signals that its rule asks for and nobody told. */
  readonly missing: readonly MissingSignal[];
  /** What to do or capture next. */
  readonly next: readonly NextStep[];
}

/** What a verdict is about; nothing: the run as a whole. */
export interface VerdictScope {
  readonly ranks?: readonly number[];
  /** nvidia-smi's indexes. */
  readonly gpus?: readonly number[];
  readonly role?: string;
  readonly queue?: string;
  /** Who is slow. */
  readonly side?: 'producer' | 'consumer';
  /** What is known of why: `thermal`, `preprocessing in the training thread`. */
  readonly cause?: string;
}

/** A figure, and where it is from. */
export interface Evidence {
  /** The name of a signal (diagnosis/signals.ts). */
  readonly signal: string;
  /** Whose it is, where the verdict has several: `GPU 0`, `rank 1`. */
  readonly of?: string;
  readonly value: number;
  readonly unit: string;
  /** The source of the Samples that it is from (`gpu`, `threads`, `log`, `stacks`, ...); a panel shows it. */
  readonly source: string;
  /** What the rule asks of it: `at least 80`. */
  readonly expected?: string;
}

/** A signal that nobody told. */
export interface MissingSignal {
  readonly signal: string;
  /** What to do to have it: `take a GIL profile`. */
  readonly get: string;
  /** The key that does it. */
  readonly key?: string;
}

/** A step for the user. */
export interface NextStep {
  readonly text: string;
  readonly key?: string;
}

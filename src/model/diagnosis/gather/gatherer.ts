import type { Sample } from '../../samples.ts';
import type { State } from '../../state.ts';
import type { Reading, SignalName } from '../signals.ts';
import type { Subject } from '../subjects.ts';

/** Keeps what Samples of one subject say as long as a window needs it, and reads signals from it. All that it keeps has a bound. */
export interface Gatherer {
  take(sample: Sample, known: Known): void;
  /** Sets the signals that it can tell of the subject; once a subject a tick, so it has to be cheap. */
  read(ask: Ask): void;
  /** Another run is watched. */
  forgetRun(): void;
}

/** What was learnt of the run; logs are left out. */
export type Known = Pick<
  State,
  | 'run'
  | 'phaseSince'
  | 'facts'
  | 'gpus'
  | 'gpuProcesses'
  | 'gpuRoles'
  | 'processes'
  | 'threads'
  | 'waits'
  | 'results'
  | 'threadNames'
  | 'threadRoles'
>;

/** What is asked. */
export interface Ask {
  readonly subject: Subject;
  /** All of this tick, this one too. */
  readonly subjects: readonly Subject[];
  readonly known: Known;
  readonly window: Window;
  set(signal: SignalName, reading: Reading): void;
  /** What another subject or gatherer has set before: gatherers are asked in the order log, run, gpu, threads, stacks, host. */
  get(signal: SignalName): Reading | undefined;
}

/** Times that signals are read over; epoch ms of the host's axis. */
export interface Window {
  readonly from: number;
  readonly to: number;
  /** From here on the run is as it is now: since the last progress of the log, else the last 5 s. */
  readonly lateFrom: number;
}

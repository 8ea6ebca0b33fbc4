import type { Clock } from '../../clock.ts';
import type { State } from '../../model/store.ts';
import type { Runner } from '../run.ts';
import type { CaptureRequest, Sample } from '../../model/samples.ts';

/** Takes evidence by itself when a run stalls, hangs or ends, before anybody wakes. */
export interface BlackBox {
  /** Every Sample, alarms and verdicts too, after the store has it. */
  see(sample: Sample): void;
  /** Ends what is under way; resolves when what there is has been told. */
  stop(): Promise<void>;
}

/** Where evidence is from, and who takes it. */
export interface BlackBoxOptions {
  readonly host: string;
  readonly runner: Pick<Runner, 'job' | 'context'>;
  readonly capture: (request: CaptureRequest) => { readonly id: string; readonly over: Promise<void> };
  readonly clock: Clock;
  readonly state: () => State;
  readonly take: (sample: Sample) => void;
  /** Where it is kept on this machine. Absent: in the recording alone. */
  readonly dataDir?: string;
}

/** Nothing is taken before something is seen. */
export function createBlackBox(_: BlackBoxOptions): BlackBox {
  return { see() {}, stop: async () => {} };
}

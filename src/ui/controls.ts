import type { Clock } from '../clock.ts';
import type { Store } from '../model/store.ts';
import type { Questions } from './overlays/questions.ts';

/** What the screen shows and can do. The commands give it; the screen knows neither hosts nor transports. */
export interface Controls {
  readonly store: Store;
  readonly clock: Clock;
  /** The host as the user named it. */
  readonly target: string;
  /** The data is simulated: the screen says so. */
  readonly demo: boolean;
  readonly wrap?: string;
  readonly intervalMs: number;
  /** Changes the pace of the collectors and the screen; returns the pace taken. */
  setInterval(ms: number): number;
  /** Looks for the runs on the host now; they come through the store. */
  lookForRuns(): void;
  /** Watches the run with this root PID. */
  chooseRun(pid: number): void;
  /** Takes a py-spy dump of one process; its StacksSample comes through the store. Never rejects. */
  dumpStacks(pid: number): Promise<void>;
  /** Asked on the screen: an unknown host key. Absent: nothing behind it asks. */
  readonly questions?: Questions;
}

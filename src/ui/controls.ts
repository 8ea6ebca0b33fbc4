import type { Clock } from '../clock.ts';
import type { Store } from '../model/store.ts';
import type { Questions } from './overlays/questions.ts';
import type { Notice } from './ui-state.ts';

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
  /** Connects now to a host whose link is lost. */
  connectNow(): void;
  /** Looks for the runs on the host now; they come through the store. */
  lookForRuns(): void;
  /** Watches the run with this root PID. */
  chooseRun(pid: number): void;
  /** Takes a py-spy dump of one process; its StacksSample comes through the store. Never rejects. */
  dumpStacks(pid: number): Promise<void>;
  /**
   * Opens a shell on the host in the place of the screen, which `handOver` takes away and brings back. Called while the key is
   * handled: what is typed from then on is for the shell. Gives what there is to say afterwards; never rejects. Absent: there is none.
   */
  readonly openShell?: (handOver: HandOver) => Promise<Notice | undefined>;
  /** Present while a recording is played: the screen shows its time, not now. */
  readonly tape?: Tape;
  /** Asked on the screen: an unknown host key. Absent: nothing behind it asks. */
  readonly questions?: Questions;
}

/** The recording that is played, as the screen sees and moves it. Times are epoch ms, as they were when it was recorded. */
export interface Tape {
  state(): TapeState;
  subscribe(listener: () => void): () => void;
  play(): void;
  pause(): void;
  setSpeed(speed: number): void;
  /** Resolves when that moment is shown. */
  seek(time: number): Promise<void>;
}

/** Where the tape stands. */
export interface TapeState {
  readonly position: number;
  readonly from: number;
  readonly to: number;
  readonly playing: boolean;
  /** Seconds of the recording a second. */
  readonly speed: number;
}

/** Leaves the terminal to `use` until it is done, and draws the screen whole again. */
export type HandOver = (use: () => Promise<void>) => Promise<void>;

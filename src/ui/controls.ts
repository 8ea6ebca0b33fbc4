import type { Clock } from '../clock.ts';
import type { OpenedCapture, SavedCapture } from '../model/saved-capture.ts';
import type { RuleCount } from '../model/roles/rules.ts';
import type { CaptureRequest, CaptureSample } from '../model/samples.ts';
import type { SignalName, SignalNews, SignalTarget } from '../model/signals.ts';
import type { Store } from '../model/store.ts';
import type { AlarmName } from '../model/alarm-samples.ts';
import type { Past, Tape } from '../model/tape.ts';
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
  /** Seconds there that pass in one; absent: 1. */
  readonly speed?: number;
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
  /** Begins a capture; it and its results come through the store. `over` resolves when all have come, and never rejects. */
  capture(request: CaptureRequest): { readonly id: string; readonly over: Promise<void> };
  /** Ends a capture early; what there is is kept. */
  cancelCapture(id: string): void;
  /** The way to signals. Absent: there is no host behind the screen. */
  readonly signals?: SignalControls;
  /** Nothing that stops or changes the run is offered. */
  readonly readOnly?: boolean;
  /** How threads come to their names and roles: the user's rules, and a sentence on the dumps that are taken for it. Absent while a recording is played. */
  readonly naming?: () => { readonly rules: readonly RuleCount[]; readonly dumps: string };
  /** What is done with captures on this machine. Absent: nothing can be. */
  readonly files?: CaptureFiles;
  /**
   * Opens a shell on the host in the place of the screen, which `handOver` takes away and brings back. Called while the key is
   * handled: what is typed from then on is for the shell. Gives what there is to say afterwards; never rejects. Absent: there is none.
   */
  readonly openShell?: (handOver: HandOver) => Promise<Notice | undefined>;
  /** Present while a recording is played: the screen shows its time, not now. */
  readonly tape?: Tape;
  /** The recording was made of saved command output. */
  readonly imported?: boolean;
  /** Whether what is seen goes into a recording. Absent while one is played. */
  readonly recording?: () => RecordingState;
  /** Marks this moment, or one before it, on the screen and in the recording. Absent while one is played. */
  readonly mark?: (text: string, time?: number) => void;
  /** The past of a run that is watched now. Absent: nothing of it is recorded, or a recording is played anyway. */
  readonly past?: Past;
  /** What is done with alarms. Absent while a recording is played. */
  readonly alarms?: AlarmControls;
  /** Who watches, where it is not this process: the screen shows what that takes in. */
  readonly watch?: WatchAbout;
  /** One sentence where another process keeps watch over the same. */
  readonly beside?: () => string | undefined;
  /** Asked on the screen: an unknown host key. Absent: nothing behind it asks. */
  readonly questions?: Questions;
}

/** What the user does with alarms. */
export interface AlarmControls {
  /** This ringing was seen; all that ring, without an `id`. */
  acknowledge(id?: string): void;
  /** Not heard for so long, or until it is heard again. */
  mute(init: { readonly alarm: AlarmName; readonly about?: string; readonly forMs?: number }): void;
  unmute(init: { readonly alarm: AlarmName; readonly about?: string }): void;
  /** How they are told away from the screen, a sentence each; a fault of one stands there. */
  ways(): readonly string[];
}

/** A watch that another process keeps. */
export interface WatchAbout {
  /** `traintop --headless` on which machine, its PID and since when: one line. */
  readonly text: string;
  /** One sentence while its words do not come. */
  lost(): string | undefined;
  subscribe(listener: () => void): () => void;
}

/** Signals to processes of the host. */
export interface SignalControls {
  /** What signals do to a process, or a sentence that says why that is not known. Never rejects. */
  look(pid: number): Promise<SignalTarget | { readonly failure: string }>;
  /** Sends one signal to the process that was looked at; `told` hears what comes of it. */
  send(target: SignalTarget, signal: SignalName, told: (news: SignalNews) => void): void;
}

/** The user's own machine: captures that are kept there, their pager, their clipboard. */
export interface CaptureFiles {
  /** Traintop's own, for what is written. */
  readonly version: string;
  /** Those that are kept, newest first. Rejects with a sentence. */
  list(): Promise<readonly SavedCapture[]>;
  /** One of them with what it found. Rejects with a sentence. */
  open(folder: string): Promise<OpenedCapture>;
  /** Writes a text beside the capture's own files, or where captures are kept; gives its path. Rejects with a sentence. */
  write(init: { readonly capture: CaptureSample; readonly name: string; readonly text: string }): Promise<string>;
  /** Shows a text in the user's pager, in the place of the screen. Gives what there is to say afterwards; never rejects. */
  page(init: { readonly name: string; readonly text: string }, handOver: HandOver): Promise<Notice | undefined>;
  /** Puts a text on the clipboard; gives how, as the end of a sentence. Rejects with a sentence. */
  copy(text: string): Promise<string>;
}

/** How the recording of what is seen fares: `off` is the user's wish; `reason` and `warning` are sentences, `short` few words. */
export type RecordingState =
  | { readonly is: 'on'; readonly warning?: string }
  | { readonly is: 'off' }
  | { readonly is: 'failed'; readonly reason: string; readonly short?: string | undefined };

/** Leaves the terminal to `use` until it is done, and draws the screen whole again. */
export type HandOver = (use: () => Promise<void>) => Promise<void>;

import type { AlarmSample } from './alarm-samples.ts';
import type { EventSample, MarkSample, Sample } from './samples.ts';
import type { Store } from './store.ts';

/** The recording that is played, as the screen sees and moves it. Times are epoch ms, as they were when it was recorded. */
export interface Tape {
  state(): TapeState;
  subscribe(listener: () => void): () => void;
  /** At the end it begins anew. */
  play(): void;
  pause(): void;
  /** Seconds of the recording a second; the nearest of `tapeSpeeds` is taken. */
  setSpeed(speed: number): void;
  /**
   * Pauses, and shows the next (1) or previous (-1) frame of threads or GPUs; counted from where the last step goes to, so
   * that many in a row are as many frames. Resolves when it is shown, or another step, seek or play came first.
   */
  step(direction: 1 | -1): Promise<void>;
  /** Resolves when that moment is shown, or another step or seek came first. A tape that plays goes on from there. */
  seek(time: number): Promise<void>;
  /** Seeks to the next (1) or previous (-1) event or mark, and gives it; undefined where there is none. */
  toEvent(direction: 1 | -1): TapeEvent | undefined;
  /** Plays that stretch again and again, or all with `'all'`; undefined: plays to the end and stands. */
  setLoop(loop: TapeSpan | 'all' | undefined): void;
  /** All of them, in the order of their moments. */
  readonly events: readonly TapeEvent[];
  /** Stretches of which nothing was recorded, in order: they are jumped over. */
  readonly holes: readonly TapeSpan[];
}

/** The way back through what a running watch has recorded. */
export interface Past {
  /** What is shown, where it is not now. */
  tape(): Tape | undefined;
  subscribe(listener: () => void): () => void;
  /**
   * The past as a tape that stands, unseen, at the newest moment that is recorded: where it is moved, the screen shows it. While the past is shown, its
   * tape, which knows all that is recorded by then. A sentence where there is none. Never rejects.
   */
  leave(): Promise<Tape | { readonly failure: string }>;
  /** Shows now again. */
  live(): void;
  /** What goes on behind the past. */
  readonly now: Store;
  /** One sentence: what is newer than the tape's end is not recorded, and why. */
  lacks(): string | undefined;
}

/** Where the tape stands. */
export interface TapeState {
  readonly position: number;
  readonly from: number;
  readonly to: number;
  /** It is still written: `to` moves on, and a tape that plays waits there. */
  readonly growing?: true;
  readonly playing: boolean;
  /** Seconds of the recording a second. */
  readonly speed: number;
  /** Where a seek or step under way goes to; what is shown is still what was. */
  readonly seeking?: number;
  readonly loop?: TapeSpan;
  /** It stands in a hole or has just jumped over one: what is shown is as of its beginning, or just after its end. */
  readonly hole?: TapeSpan;
  /** One sentence: what of the recording could not be read. */
  readonly fault?: string;
}

/** Something that the user may want to go to; of an alarm that it begins to ring. */
export type TapeEvent = EventSample | MarkSample | AlarmSample;

/** A Sample that is one. */
export function isTapeEvent(sample: Sample): sample is TapeEvent {
  if (sample.kind === 'alarm') return sample.state === 'ringing' && sample.rungAt === sample.receivedAt;
  return sample.kind === 'event' || sample.kind === 'mark';
}

/** When it was: a mark can be of a moment before the one in which it was made. */
export function momentOf(event: TapeEvent): number {
  if (event.kind === 'alarm') return event.rungAt;
  return event.kind === 'mark' ? Math.min(event.time, event.receivedAt) : event.receivedAt;
}

/** In the order of their moments; of the same moment as they came. */
export function inOrder(events: readonly TapeEvent[]): readonly TapeEvent[] {
  return events.some((event, i) => i > 0 && momentOf(event) < momentOf(events[i - 1] ?? event))
    ? events.toSorted((a, b) => momentOf(a) - momentOf(b))
    : events;
}

/** A stretch of a recording, epoch ms. */
export interface TapeSpan {
  readonly from: number;
  readonly to: number;
}

/** The speeds of a tape, slowest first. */
export const tapeSpeeds: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

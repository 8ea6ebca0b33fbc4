import type { Clock } from '../clock.ts';
import type { AlarmSample } from '../model/alarm-samples.ts';
import type { NotifySettings } from '../model/alarms/notify-settings.ts';

/** Tells of alarms away from the screen. Nothing waits for it, and nothing that goes wrong with it reaches who gives them. */
export interface Notifier {
  /** A change of an alarm, in order. */
  tell(alarm: AlarmSample): void;
  /** Gives what is under way some seconds; resolves when all has ended. */
  close(): Promise<void>;
}

/** Where it tells. */
export interface NotifierOptions {
  readonly settings: NotifySettings;
  readonly clock: Clock;
  /** As the user named the host. */
  readonly target: string;
  /** Simulated data says so. */
  readonly demo: boolean;
  /** The terminal of the screen, for the bell and OSC 9. Absent: there is none (headless). */
  readonly write?: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  /** Takes a sentence: what could not be told, and why. */
  readonly report: (text: string) => void;
}

/** Nothing is sent before `tell`. */
export function createNotifier(_: NotifierOptions): Notifier {
  return { tell() {}, close: async () => {} };
}

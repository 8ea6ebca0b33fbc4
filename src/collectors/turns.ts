import type { Clock } from '../clock.ts';
import type { Sample } from '../model/samples.ts';
import type { Context } from './collector.ts';

/**
 * A host that allows one session: the look for the run has it until there is one, then the run's threads have it, and the
 * look gets a turn each minute, or when no thread is left.
 */
export interface Turns {
  isSecondFirst(context: Context, limit: number | undefined): boolean;
  /** A source that does not run because it is another's turn. */
  isTaking(source: string): boolean;
  reason(target: string): string;
  take(sample: Sample): void;
  stop(): void;
}

const everyMs = 60_000;
/** A look takes a second or two. */
const lookMs = 15_000;
const sources: readonly string[] = ['processes', 'threads'];

/** `onChange`: it is the other's turn. */
export function createTurns({ clock, onChange }: { readonly clock: Clock; readonly onChange: () => void }): Turns {
  let isOn = false;
  let isLooking = false;
  let cancelTurn = () => {};

  function turn(looking: boolean) {
    isLooking = looking;
    cancelTurn();
    cancelTurn = clock.after(looking ? lookMs : everyMs, () => turn(!isLooking));
    onChange();
  }

  function set(on: boolean) {
    if (on === isOn) return;
    isOn = on;
    isLooking = false;
    cancelTurn();
    if (on) cancelTurn = clock.after(everyMs, () => turn(true));
  }

  return {
    isSecondFirst({ run }, limit) {
      set(run !== undefined && limit === 1);
      return isOn && !isLooking;
    },
    isTaking: (source) => isOn && sources.includes(source),
    reason: (target) =>
      `${target} allows one session: set MaxSessions 10 in its sshd_config (processes and threads have it in turn)`,
    take(sample) {
      if (!isOn) return;
      if (isLooking && sample.kind === 'processes') turn(false);
      else if (!isLooking && sample.kind === 'threads' && sample.tid.length === 0) turn(true);
    },
    stop: () => cancelTurn(),
  };
}

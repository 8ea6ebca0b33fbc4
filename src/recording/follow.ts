import type { Clock } from '../clock.ts';
import type { Recording } from './recording.ts';

/** What is done while a recording is still written. */
export interface Following {
  /** Looks for more once, which may first see it written; true: there is. Never rejects. */
  look(): Promise<boolean>;
  /** Never rejects. */
  isWritten(): Promise<boolean>;
  /** It was to go on at the end, and there is no more by now. */
  atEnd?(): void;
}

/** Keeps up with a recording that grows. */
export interface Follower {
  /** More is to come. */
  isOn(): boolean;
  /** At the end: true where there is more after all. */
  atEnd(): Promise<boolean>;
  stop(): void;
}

/** A member comes every three seconds. */
const followMs = 2000;

/** One that does nothing without `following`. `onChange`: the recording is longer, or is over. */
export function createFollower(init: {
  readonly recording: Pick<Recording, 'follow'>;
  readonly clock: Clock;
  readonly following: Following | undefined;
  readonly onChange: () => void;
}): Follower {
  const { recording, clock, following, onChange } = init;
  let isOn = following !== undefined;
  let looking: Promise<boolean> | undefined;

  let isPolling = false;

  async function poll() {
    if (isPolling) return;
    isPolling = true;
    if (await recording.follow()) onChange();
    else if (isOn && !(await following?.isWritten())) {
      // What was written last comes before its end is seen.
      await recording.follow();
      isOn = false;
      cancel();
      onChange();
    }
    isPolling = false;
  }

  async function end(): Promise<boolean> {
    const hasMore = (await following?.look()) ?? false;
    if (!isOn) return false;
    if (hasMore) onChange();
    else following?.atEnd?.();
    return hasMore;
  }

  const cancel = following ? clock.every(followMs, () => void poll()) : () => {};
  return {
    isOn: () => isOn,
    atEnd: () => (looking ??= end().finally(() => (looking = undefined))),
    stop() {
      isOn = false;
      cancel();
    },
  };
}

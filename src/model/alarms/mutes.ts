import type { AlarmName, MuteSample } from '../alarm-samples.ts';

/** What the user does not want to hear. */
export interface Mutes {
  take(sample: MuteSample): void;
  isMuted(alarm: AlarmName, about: string | undefined, now: number): boolean;
}

const mostMutes = 100;

/** Everything is heard. */
export function createMutes(): Mutes {
  const mutes = new Map<string, MuteSample>();
  const keyOf = (alarm: AlarmName, about: string | undefined) => JSON.stringify([alarm, about]);
  const holds = (key: string, now: number) => {
    const mute = mutes.get(key);
    if (!mute) return false;
    if (mute.until === undefined || mute.until > now) return true;
    mutes.delete(key);
    return false;
  };
  return {
    take(sample) {
      const key = keyOf(sample.alarm, sample.about);
      mutes.delete(key);
      if (sample.heard) return;
      mutes.set(key, sample);
      const [oldest] = mutes.keys();
      if (mutes.size > mostMutes && oldest !== undefined) mutes.delete(oldest);
    },
    isMuted: (alarm, about, now) =>
      mutes.size > 0 &&
      (holds(keyOf(alarm, undefined), now) || (about !== undefined && holds(keyOf(alarm, about), now))),
  };
}

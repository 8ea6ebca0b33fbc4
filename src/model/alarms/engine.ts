import type { AlarmName, AlarmSample, MuteSample } from '../alarm-samples.ts';
import type { Sample } from '../samples.ts';
import type { AlarmSettings } from './settings.ts';

/** Finds in the stream of all Samples of one host, verdicts and events too, what rings. The same Samples give the same alarms. */
export interface Alarms {
  /** The changes that this Sample brings, to be taken in after it. */
  find(sample: Sample): readonly AlarmSample[];
  /** The same of time that goes by without Samples; epoch ms by the local clock. */
  tick(now: number): readonly AlarmSample[];
  /** The user has seen it: nothing, where it is none that rings. */
  acknowledge(id: string, now: number): readonly AlarmSample[];
  /** Not heard from now on for so long, or until it is heard again. */
  mute(init: {
    readonly alarm: AlarmName;
    readonly about?: string;
    readonly forMs?: number;
    readonly now: number;
  }): MuteSample;
  unmute(init: { readonly alarm: AlarmName; readonly about?: string; readonly now: number }): MuteSample;
}

/** Alarms at the beginning of a stream. */
export function createAlarms({ host }: { readonly host: string; readonly settings?: AlarmSettings }): Alarms {
  const head = (now: number) => ({ host, source: 'alarms', time: now, receivedAt: now });
  return {
    find: () => [],
    tick: () => [],
    acknowledge: () => [],
    mute: ({ alarm, about, forMs, now }) => ({
      ...{ kind: 'mute', ...head(now), alarm },
      ...(about !== undefined && { about }),
      ...(forMs !== undefined && { until: now + forMs }),
    }),
    unmute: ({ alarm, about, now }) => ({
      ...{ kind: 'mute', ...head(now), alarm, heard: true },
      ...(about !== undefined && { about }),
    }),
  };
}

import type { SampleBase } from './sample-base.ts';

/** What can ring; `alarms/catalogue.ts` says when each does. */
export const alarmNames = [
  'run-ended',
  'no-step',
  'loss-not-finite',
  'loss-jump',
  'slow',
  'gpu-idle',
  'gpu-hot',
  'gpu-throttled',
  'gpu-ecc',
  'gpu-xid',
  'gpu-lost',
  'nvml-broken',
  'memory-full',
  'shm-full',
  'disk-full',
  'queue-empty',
  'queue-full',
  'link-lost',
  'verdict',
  'pattern',
] as const;

/** One of them. */
export type AlarmName = (typeof alarmNames)[number];

/** How much it matters, most last. */
export const severities = ['info', 'warning', 'critical'] as const;

/** One of them. */
export type Severity = (typeof severities)[number];

/** A ringing of an alarm as it goes on: one Sample at each change, by `id`. */
export interface AlarmSample extends SampleBase<'alarm'> {
  /** Of this ringing, from its ring until it is resolved. */
  readonly id: string;
  readonly alarm: AlarmName;
  /** What it is about: `GPU 3`, `/dev/shm`, the name of a verdict or a pattern. Absent: the run. */
  readonly about?: string;
  readonly state: 'ringing' | 'resolved';
  readonly severity: Severity;
  /** Since when what it tells of was so, epoch ms: it rings later. */
  readonly since: number;
  readonly rungAt: number;
  readonly resolvedAt?: number;
  /** The user has seen it. */
  readonly acknowledgedAt?: number;
  /** It was muted when it rang: it is told on the screen and in the recording alone. */
  readonly muted?: true;
  /** One sentence, safe for a terminal. */
  readonly text: string;
  /** The figure that made it ring, and the border that it passed. */
  readonly value?: number;
  readonly border?: number;
  readonly unit?: string;
}

/** The user does not want to hear an alarm for a time, or hears it again. */
export interface MuteSample extends SampleBase<'mute'> {
  readonly alarm: AlarmName;
  /** Absent: whatever it is about. */
  readonly about?: string;
  /** Epoch ms; absent: until it is heard again. */
  readonly until?: number;
  /** From now on it is heard again. */
  readonly heard?: true;
}

import type { AlarmName, Severity } from '../alarm-samples.ts';
import type { Situation } from '../situations.ts';

/** When an alarm rings, and when it is over. */
export interface AlarmRule {
  /** Beyond it the alarm rings; its unit is the catalogue's. */
  readonly threshold: number;
  /** On this side of it the alarm is over: hysteresis. */
  readonly clear: number;
  /** For so long it must have been so before it rings. */
  readonly forMs: number;
  /** For so long it must be over before it is told resolved. */
  readonly clearForMs: number;
  /** After a ring the same alarm about the same thing does not ring again sooner. */
  readonly coolDownMs: number;
  readonly severity: Severity;
}

/** A verdict that rings. */
export interface VerdictAlarm {
  readonly situation: Situation;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly forMs?: number;
  readonly severity?: Severity;
  readonly off?: true;
}

/** Lines of the log that ring. */
export interface PatternAlarm {
  readonly name: string;
  readonly match: RegExp;
  readonly severity?: Severity;
  readonly coolDownMs?: number;
}

/** What the user says of alarms; what is absent is as in the catalogue. */
export interface AlarmSettings {
  /** None rings. */
  readonly off?: true;
  readonly rules?: Readonly<Partial<Record<AlarmName, Partial<AlarmRule> & { readonly off?: true }>>>;
  readonly verdicts?: readonly VerdictAlarm[];
  readonly patterns?: readonly PatternAlarm[];
}

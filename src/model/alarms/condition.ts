import type { AlarmName, Severity } from '../alarm-samples.ts';
import type { Sample } from '../samples.ts';
import type { Standing } from './machine.ts';
import type { RuleOf } from './rules.ts';
import type { World } from './world.ts';

/** How one alarm about one thing stands now. */
export interface Finding {
  readonly alarm: AlarmName;
  readonly about?: string;
  /** Tells it from others of the alarm, where what it is about may change; absent: `about`. */
  readonly key?: string;
  readonly is: Standing;
  /** Since when, where that is known; epoch ms. */
  readonly since?: number;
  readonly severity?: Severity;
  /** Instead of the rule's. */
  readonly forMs?: number;
  readonly clearForMs?: number;
  readonly coolDownMs?: number;
  readonly value?: number;
  readonly border?: number;
  readonly unit?: string;
  /** The sentence, when it rings. */
  readonly text: () => string;
}

/** Watches one subject. All that it keeps has a bound. */
export interface Condition {
  take(sample: Sample, world: World): void;
  /** About once a second. */
  read(now: number, world: World): readonly Finding[];
  /** Another run is watched. */
  forgetRun(): void;
}

/** Makes one; rules are asked when they are needed. */
export type MakeCondition = (ruleOf: RuleOf) => Condition;

/** Nothing is to be told. */
export const nothing: readonly Finding[] = [];

/** Where a value stands between two borders, of which the one of the alarm may lie above or below. */
export function standing(value: number, { threshold, clear }: { readonly threshold: number; readonly clear: number }) {
  if (Number.isNaN(value)) return 'unknown';
  const isHigh = threshold >= clear;
  if (isHigh ? value >= threshold : value <= threshold) return 'beyond';
  return (isHigh ? value <= clear : value >= clear) ? 'over' : 'between';
}

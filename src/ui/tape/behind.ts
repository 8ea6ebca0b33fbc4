import type { State } from '../../model/store.ts';

/** The time behind the past of a watch, which goes on there, in whole seconds. */
export function timeBehind({ committedAt }: Pick<State, 'committedAt'>): number {
  return Math.floor(committedAt / 1000) * 1000;
}

/** Alarms that ring there and that nobody has acknowledged. */
export function ringsBehind({ alarms }: Pick<State, 'alarms'>): number {
  return alarms.filter(({ state, acknowledgedAt }) => state === 'ringing' && acknowledgedAt === undefined).length;
}

import type { AlarmSample, MuteSample } from '../../model/alarm-samples.ts';
import { severities } from '../../model/alarm-samples.ts';
import type { State } from '../../model/store.ts';
import { to, type Move } from '../move.ts';

/** Alarms of a moment, as the screen tells them. */
type Told = Pick<State, 'alarms' | 'mutes' | 'committedAt'>;

/** What the user has wished about this alarm, as it holds now. */
export function muteOf({ alarm, about }: AlarmSample, { mutes, committedAt }: Told): MuteSample | undefined {
  return mutes.find(
    (mute) =>
      mute.alarm === alarm &&
      (mute.about === undefined || mute.about === about) &&
      (mute.until === undefined || mute.until > committedAt),
  );
}

/** Of all that ring those that the user wants to hear of: first what was not seen, the worst and newest first. */
export function ringing(state: Told): readonly AlarmSample[] {
  return state.alarms
    .filter((alarm) => alarm.state === 'ringing' && !alarm.muted && muteOf(alarm, state) === undefined)
    .sort(byUrgency);
}

/** What the row below the headline is about: critical, and not seen. */
export function urgent(state: Told): readonly AlarmSample[] {
  return ringing(state).filter(
    ({ severity, acknowledgedAt }) => severity === 'critical' && acknowledgedAt === undefined,
  );
}

/** The rows of the list: what rings, those that are muted behind the others, then what is over, the newest first. */
export function alarmRows(state: Told): readonly AlarmSample[] {
  const heard = ringing(state);
  const muted = state.alarms.filter((alarm) => alarm.state === 'ringing' && !heard.includes(alarm)).sort(byUrgency);
  const over = state.alarms
    .filter((alarm) => alarm.state === 'resolved')
    .sort((a, b) => (b.resolvedAt ?? b.rungAt) - (a.resolvedAt ?? a.rungAt));
  return [...heard, ...muted, ...over];
}

/** Which row the cursor is on: that of the alarm it was put on, wherever that stands now. */
export function cursorAt(rows: readonly AlarmSample[], id: string | undefined): number {
  return Math.max(
    0,
    rows.findIndex((each) => each.id === id),
  );
}

/** The alarm that the cursor comes to. */
export function movedTo(rows: readonly AlarmSample[], id: string | undefined, move: Move): string | undefined {
  return rows[to(cursorAt(rows, id), { move, count: rows.length })]?.id;
}

function byUrgency(a: AlarmSample, b: AlarmSample): number {
  const seen = Number(a.acknowledgedAt !== undefined) - Number(b.acknowledgedAt !== undefined);
  return seen || rank(b) - rank(a) || b.rungAt - a.rungAt;
}

const rank = ({ severity }: AlarmSample) => severities.indexOf(severity);

import { loadState } from '../model/saved-state.ts';
import { emptyState, reduceState, type State } from '../model/state.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import type { AlarmSample } from '../model/samples.ts';
import type { Recording } from '../recording/recording.ts';

/** What was known at a moment: of the last keyframe, and what came since. */
export async function stateAt(recording: Recording, time: number): Promise<State> {
  const cursor = await recording.cursor(time);
  let state = cursor.saved ? loadState(cursor.saved.state).state : emptyState(recording.from);
  for (let batch = await cursor.next(); batch; batch = await cursor.next())
    for (const sample of batch) {
      if (sample.receivedAt > time) return state;
      state = reduceState(state, sample);
    }
  return state;
}

/** What was told in the whole of it: a state keeps the newest alone. */
export interface Told {
  readonly end: State;
  readonly spans: readonly VerdictSpan[];
  readonly alarms: readonly AlarmSample[];
  /** It was recorded before there were alarms. */
  readonly withoutAlarms: boolean;
}

/** As a State keeps them (verdict-spans.ts, alarms/told.ts). */
const keptSpans = 500;
const keptAlarms = 200;
/** Looks further back. */
const mostLooks = 12;

/** All that stood first and all that rang, oldest first. */
export async function readTold(recording: Recording, { from, to }: { from: number; to: number }): Promise<Told> {
  const end = await stateAt(recording, to);
  let spans = end.verdictSpans;
  const alarms = new Map(end.alarms.map((alarm) => [alarm.id, alarm]));
  let oldest: State = end;
  for (let looks = 0; looks < mostLooks; looks++) {
    const [span] = oldest.verdictSpans;
    const alarm = oldest.alarms.at(-1);
    const hasMore =
      (oldest.verdictSpans.length >= keptSpans && span && span.from > from) ||
      (oldest.alarms.length >= keptAlarms && alarm && alarm.rungAt > from);
    const time = Math.max(span?.from ?? -Infinity, oldest.alarms.length >= keptAlarms ? (alarm?.rungAt ?? 0) : 0);
    if (!hasMore || !Number.isFinite(time) || time <= from) break;
    const before = await stateAt(recording, time - 1);
    const known = spans[0]?.from ?? Infinity;
    spans = [...before.verdictSpans.filter((each) => each.from < known), ...spans];
    for (const each of before.alarms) if (!alarms.has(each.id)) alarms.set(each.id, each);
    if (before.verdictSpans[0]?.from === span?.from && before.alarms.at(-1)?.id === alarm?.id) break;
    oldest = before;
  }
  const { saved } = await recording.cursor(from);
  return {
    end,
    spans: spans
      .filter((span) => span.until >= from && span.from <= to)
      .map((span) => ({ ...span, from: Math.max(from, span.from), until: Math.min(to, span.until) })),
    alarms: [...alarms.values()]
      .filter(({ rungAt, resolvedAt }) => rungAt <= to && (resolvedAt ?? Infinity) >= from)
      .sort((a, b) => a.rungAt - b.rungAt),
    withoutAlarms: saved !== undefined && saved.state.alarms === undefined && alarms.size === 0,
  };
}

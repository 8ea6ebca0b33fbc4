import { expect } from 'vitest';
import type { ExpectedAlarm, Scenario } from '../../src/demo/scenario.ts';
import type { AlarmSample, Sample } from '../../src/model/samples.ts';
import { demoStart } from '../support/demo-recording.ts';
import type { Played } from './scenario-play.ts';

/** How late it may be told that something is over. */
const resolvedWithin = 90;

/** A ringing, in demo seconds. */
interface Ringing extends Pick<AlarmSample, 'alarm' | 'about' | 'text'> {
  readonly at: number;
  readonly resolvedAt?: number;
}

/** All that rang, in the order of its beginning. */
function alarmsIn(samples: readonly Sample[]): readonly Ringing[] {
  const last = new Map(samples.flatMap((sample) => (sample.kind === 'alarm' ? [[sample.id, sample] as const] : [])));
  const second = (ms: number) => Math.round((ms - demoStart) / 100) / 10;
  return [...last.values()].map(({ alarm, about, text, rungAt, resolvedAt }) => ({
    ...{ alarm, text, at: second(rungAt) },
    ...(about !== undefined && { about }),
    ...(resolvedAt !== undefined && { resolvedAt: second(resolvedAt) }),
  }));
}

/** How long a scenario is played until all alarms of its truth have rung, and are over where they are. */
export function alarmSeconds({ seconds, truth: { alarms = [] } }: Scenario): number {
  const last = ({ at, within, resolvedAt }: ExpectedAlarm) =>
    resolvedAt === undefined ? at + within : resolvedAt + resolvedWithin;
  return Math.max(seconds, ...alarms.map(last));
}

/** Those of the truth rang, once and in time, and no others; of a play that ends before all have rung, those that had to ring by then. */
export function expectAlarms({ scenario, samples, seconds }: Played) {
  const told = alarmsIn(samples);
  const { alarms = [] } = scenario.truth;
  const name = ({ alarm, about }: Pick<Ringing, 'alarm' | 'about'>) =>
    about === undefined ? alarm : `${alarm}: ${about}`;
  // Where the play ends within the time of one, it may ring or not.
  const due = alarms.filter(
    (each) => each.at + each.within <= seconds || told.some((other) => name(other) === name(each)),
  );
  expect(told.map(name).sort(), JSON.stringify(told)).toEqual(due.map(name).sort());
  for (const asked of due) {
    const rung = told.find((each) => name(each) === name(asked));
    if (!rung) continue;
    const { at, within, resolvedAt } = asked;
    expect(rung.at, name(asked)).toBeGreaterThanOrEqual(at);
    expect(rung.at, name(asked)).toBeLessThanOrEqual(at + within);
    if (resolvedAt === undefined) expect(rung.resolvedAt, `${name(asked)} is over`).toBeUndefined();
    else {
      expect(rung.resolvedAt, `${name(asked)} is over`).toBeGreaterThanOrEqual(resolvedAt);
      expect(rung.resolvedAt, `${name(asked)} is over`).toBeLessThanOrEqual(resolvedAt + resolvedWithin);
    }
  }
}

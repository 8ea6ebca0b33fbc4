import type { AlarmSample, MuteSample } from '../../../src/model/alarm-samples.ts';
import type { AlarmControls } from '../../../src/ui/controls.ts';
import type { Shown } from '../shown.tsx';

const head = (now: number) => ({ host: 'h', source: 'alarms', time: now, receivedAt: now });

/** An alarm that begins to ring at `now`, a minute after what it tells of. */
export function ring(now: number, id: string, more: Partial<AlarmSample> = {}): AlarmSample {
  return {
    ...{ kind: 'alarm', ...head(now), id, alarm: 'gpu-hot', about: 'GPU 3', state: 'ringing', severity: 'warning' },
    ...{ since: now - 60_000, rungAt: now, text: `${id} is at 93 °C, above 90 °C for 1m 0s.` },
    ...{ value: 93, border: 90, unit: '°C', ...more },
  };
}

/** Brings them to the screen. */
export function tell({ controls }: Pick<Shown, 'controls'>, ...samples: readonly (AlarmSample | MuteSample)[]): void {
  for (const sample of samples) controls.store.push(sample);
  controls.clock.advance(1000);
}

/** What the screen's hands on alarms were told, and do to the store as a session would. */
export function alarmHands(shown: () => Shown) {
  const did: string[] = [];
  const now = () => shown().controls.clock.now();
  const controls: AlarmControls = {
    acknowledge(id) {
      did.push(`acknowledge ${id ?? 'all'}`);
      const { alarms } = shown().controls.store.getState();
      const seen = alarms.filter((each) => each.state === 'ringing' && (id === undefined || each.id === id));
      tell(shown(), ...seen.map((each) => ({ ...each, ...head(now()), acknowledgedAt: now() })));
    },
    mute({ alarm, about, forMs }) {
      did.push(`mute ${alarm} ${about ?? '*'} ${forMs ?? 'on'}`);
      const until = forMs === undefined ? {} : { until: now() + forMs };
      tell(shown(), { kind: 'mute', ...head(now()), alarm, ...(about !== undefined && { about }), ...until });
    },
    unmute({ alarm, about }) {
      did.push(`unmute ${alarm} ${about ?? '*'}`);
      tell(shown(), { kind: 'mute', ...head(now()), alarm, ...(about !== undefined && { about }), heard: true });
    },
    ways: () => [
      'This terminal: the bell, from warning on.',
      'The webhook at hooks.example.com was not told of an alarm: it answered 503.',
    ],
  };
  return { did, controls };
}

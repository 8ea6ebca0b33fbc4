import type { AlarmSample } from '../../model/alarm-samples.ts';
import { alarmRows, cursorAt, movedTo, muteOf } from '../alarms/select.ts';
import { whatText } from '../alarms/words.ts';
import type { Move } from '../move.ts';
import { timeOfDay } from '../parts/times.ts';
import { liveOnly, type KeyContext, type KeyEntry } from './context.ts';

const hourMs = 3_600_000;

/** Keys of the alarms: their list, and what is done with one. */
export const alarmKeys: readonly KeyEntry[] = [
  {
    id: 'alarms',
    keys: ['a'],
    modes: ['main', 'why'],
    group: 'Alarms',
    text: 'alarms: what rings and what rang; there Enter says that it was seen, m mutes it',
    footer: { label: 'alarms', rank: 20.8 },
    run: ({ dispatch, controls }) => dispatch({ type: 'alarms', at: alarmRows(shownState(controls))[0]?.id }),
  },
  {
    id: 'acknowledge',
    keys: ['Enter', 'a'],
    modes: ['alarms'],
    group: 'Alarms',
    text: 'it was seen: it goes on, and is no longer told of in a row of its own',
    footer: { label: 'seen', rank: 2, when: 'live' },
    enabled: acting((alarm) => {
      if (alarm.state === 'resolved') return 'It is over.';
      return alarm.acknowledgedAt === undefined || 'It was seen already.';
    }),
    run: (context) => withAlarm(context, ({ id }) => context.controls.alarms?.acknowledge(id)),
  },
  {
    id: 'acknowledgeAll',
    keys: ['A'],
    modes: ['alarms'],
    group: 'Alarms',
    text: 'all that ring were seen',
    footer: { label: 'all seen', rank: 5, when: 'live' },
    enabled: acting(),
    run: ({ controls }) => controls.alarms?.acknowledge(),
  },
  mute('muteAlarm', 'm', 'not to be heard for an hour: that alarm of that thing', hourMs, {
    label: 'mute 1h',
    rank: 4,
  }),
  mute('muteAlarmOn', 'M', 'not to be heard until u', undefined, { label: 'mute', rank: 6 }),
  {
    id: 'unmuteAlarm',
    keys: ['u'],
    modes: ['alarms'],
    group: 'Alarms',
    text: 'to be heard again',
    footer: { label: 'hear again', rank: 7, when: 'live' },
    enabled: acting((alarm, { controls }) => muteOf(alarm, shownState(controls)) !== undefined || 'It is not muted.'),
    run: (context) =>
      withAlarm(context, (alarm) => {
        const mute = muteOf(alarm, shownState(context.controls));
        if (!mute) return;
        // As it was muted: of that thing, or whatever it is about.
        context.controls.alarms?.unmute({ alarm: alarm.alarm, ...aboutOf(mute) });
        say(context, `${whatText(alarm)} is heard again.`);
      }),
  },
  scroll('Up', ['Up', 'k'], 'row up', -1),
  scroll('Down', ['Down', 'j'], 'row down', 1),
  scroll('PageUp', ['PgUp'], 'page up', -10),
  scroll('PageDown', ['PgDn'], 'page down', 10),
  scroll('First', ['Home', 'g'], 'first row', 'first'),
  scroll('Last', ['End', 'G'], 'last row', 'last'),
];

function mute(
  id: string,
  key: string,
  text: string,
  forMs: number | undefined,
  footer: { readonly label: string; readonly rank: number },
): KeyEntry {
  return {
    ...{ id, keys: [key], modes: ['alarms'], group: 'Alarms', text },
    footer: { ...footer, when: 'live' },
    enabled: acting(),
    run: (context) =>
      withAlarm(context, (alarm) => {
        const { alarms, store } = context.controls;
        alarms?.mute({ alarm: alarm.alarm, ...aboutOf(alarm), ...(forMs !== undefined && { forMs }) });
        const until = forMs === undefined ? 'until u' : `until ${timeOfDay(store.getState().committedAt + forMs)}`;
        say(
          context,
          `${whatText(alarm)} is muted ${until}: the screen and the recording have it, nothing else tells of it.`,
        );
      }),
  };
}

const aboutOf = ({ about }: { readonly about?: string }) => (about === undefined ? {} : { about });

/** The list shows the present also while the screen is paused. */
function shownState({ store }: KeyContext['controls']) {
  return store.getState();
}

function alarmHere({ ui, controls }: KeyContext): AlarmSample | undefined {
  const rows = alarmRows(shownState(controls));
  return rows[cursorAt(rows, ui.alarmAt)];
}

function withAlarm(context: KeyContext, act: (alarm: AlarmSample) => void) {
  const alarm = alarmHere(context);
  if (alarm) act(alarm);
}

function say({ dispatch }: KeyContext, text: string) {
  dispatch({ type: 'notice', notice: { text, tone: 'plain' } });
}

/** What changes an alarm needs a watch that goes on, and one under the cursor. */
function acting(
  also: (alarm: AlarmSample, context: KeyContext) => true | string = () => true,
): NonNullable<KeyEntry['enabled']> {
  return liveOnly((context) => {
    if (!context.controls.alarms) return 'Nothing keeps watch here: traintop was started with --no-alarms.';
    const alarm = alarmHere(context);
    return alarm ? also(alarm, context) : 'Nothing has rung so far.';
  }, 'This is a recording: what rang then is not changed.');
}

function scroll(name: string, keys: readonly string[], text: string, move: Move): KeyEntry {
  return {
    ...{ id: `alarms${name}`, keys, modes: ['alarms'], group: 'Alarms', text },
    ...(name === 'Down' && { footer: { label: 'move', rank: 3 } }),
    run: ({ ui, controls, dispatch }) =>
      dispatch({ type: 'alarmAt', id: movedTo(alarmRows(shownState(controls)), ui.alarmAt, move) }),
  };
}
